// The host waits for everything on the device. Nothing calls aclInit here, as in the document.
#include "step.hpp"

int main() {
  STEP(aclrtSetDevice(0));
  aclrtStream stream;
  STEP(aclrtCreateStream(&stream));
  STEP(aclrtSynchronizeDevice());
  STEP(aclrtDestroyStream(stream));
  STEP(aclrtResetDevice(0));
}
