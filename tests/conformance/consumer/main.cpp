// Uses the runtime and the tensors of an installation; 0 when both work.
#include <cstdio>
#include <cstring>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"

int main() {
  if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) {
    std::printf("no device: %s\n", aclGetRecentErrMsg());
    return 1;
  }
  const char text[] = "to the device and back";
  char back[sizeof(text)] = {};
  void* memory = nullptr;
  if (aclrtMalloc(&memory, sizeof(text), ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 2;
  aclrtMemcpy(memory, sizeof(text), text, sizeof(text), ACL_MEMCPY_HOST_TO_DEVICE);
  aclrtMemcpy(back, sizeof(back), memory, sizeof(text), ACL_MEMCPY_DEVICE_TO_HOST);
  if (std::strcmp(text, back) != 0) return 3;

  const int64_t shape = sizeof(text);
  aclTensor* tensor = aclCreateTensor(&shape, 1, ACL_INT8, nullptr, 0, ACL_FORMAT_ND, &shape, 1, memory);
  if (tensor == nullptr || aclDestroyTensor(tensor) != 0) return 4;
  aclrtFree(memory);
  aclrtResetDevice(0);
  return aclFinalize() == ACL_SUCCESS ? 0 : 5;
}
