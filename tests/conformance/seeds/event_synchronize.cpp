// The host waits for an event at the end of a stream.
#include "step.hpp"

int main() {
  STEP(aclInit(nullptr));
  STEP(aclrtSetDevice(0));

  aclrtEvent event;
  STEP(aclrtCreateEventExWithFlag(&event, ACL_EVENT_CAPTURE_STREAM_PROGRESS));
  aclrtStream stream;
  STEP(aclrtCreateStream(&stream));
  STEP(aclrtRecordEvent(event, stream));
  STEP(aclrtSynchronizeEvent(event));
  STEP(aclrtDestroyStream(stream));
  STEP(aclrtDestroyEvent(event));

  STEP(aclrtResetDevice(0));
  STEP(aclFinalize());
}
