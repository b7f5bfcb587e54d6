// The host waits for a stream; the copy given to it is complete then.
#include "step.hpp"

int main() {
  STEP(aclInit(nullptr));
  STEP(aclrtSetDevice(0));
  const char text[] = "twelve bytes";
  const size_t srcSize = sizeof(text), dstSize = sizeof(text);
  void *srcPtr = nullptr, *dstPtr = nullptr;
  STEP(aclrtMallocHost(&srcPtr, srcSize));
  STEP(aclrtMalloc(&dstPtr, dstSize, ACL_MEM_MALLOC_HUGE_FIRST));
  std::memcpy(srcPtr, text, srcSize);

  aclrtStream stream;
  STEP(aclrtCreateStream(&stream));
  STEP(aclrtMemcpyAsync(dstPtr, dstSize, srcPtr, srcSize, ACL_MEMCPY_HOST_TO_DEVICE, stream));
  STEP(aclrtSynchronizeStream(stream));
  STEP(aclrtDestroyStream(stream));

  char back[sizeof(text)] = {};
  STEP(aclrtMemcpy(back, sizeof(back), dstPtr, dstSize, ACL_MEMCPY_DEVICE_TO_HOST));
  std::printf("the device has \"%s\"\n", back);
  STEP(aclrtFree(dstPtr));
  STEP(aclrtFreeHost(srcPtr));
  STEP(aclrtResetDevice(0));
  STEP(aclFinalize());
}
