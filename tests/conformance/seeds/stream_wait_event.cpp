// A stream waits for an event of another stream, and is destroyed while it may still wait.
#include "step.hpp"

int main() {
  STEP(aclInit(nullptr));
  STEP(aclrtSetDevice(0));

  aclrtEvent event;
  STEP(aclrtCreateEventExWithFlag(&event, ACL_EVENT_SYNC));
  aclrtStream s1;
  STEP(aclrtCreateStream(&s1));
  aclrtStream s2;
  STEP(aclrtCreateStream(&s2));
  STEP(aclrtRecordEvent(event, s1));
  STEP(aclrtStreamWaitEvent(s2, event));
  STEP(aclrtDestroyStream(s2));
  STEP(aclrtDestroyStream(s1));
  STEP(aclrtDestroyEvent(event));

  STEP(aclrtResetDevice(0));
  STEP(aclFinalize());
}
