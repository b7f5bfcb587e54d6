// The resources of a program: device, stream, run mode; and their release in the opposite order.
#include "step.hpp"

bool g_isDevice = true;

int main() {
  int32_t deviceId = 0;
  aclrtStream stream;
  STEP(aclInit(nullptr));
  STEP(aclrtSetDevice(deviceId));
  STEP(aclrtCreateStream(&stream));
  aclrtRunMode runMode;
  STEP(aclrtGetRunMode(&runMode));
  g_isDevice = (runMode == ACL_DEVICE);
  std::printf("on the %s side\n", g_isDevice ? "device" : "host");

  STEP(aclrtDestroyStream(stream));
  STEP(aclrtResetDevice(deviceId));
  STEP(aclFinalize());
}
