// What the projects of this folder do: 1 + 2 on the device. The caller has included the headers, as its style finds
// them.
#pragma once

#include <cstdio>

/// 0 when the sum is right.
inline int add_on_device() {
  if (aclInit(nullptr) != ACL_SUCCESS || aclrtSetDevice(0) != ACL_SUCCESS) return std::puts(aclGetRecentErrMsg()), 1;
  aclrtStream stream = nullptr;
  void* memory = nullptr;
  float host[] = {1, 2};
  const int64_t shape = 1;
  const float one = 1;
  if (aclrtCreateStream(&stream) != ACL_SUCCESS) return 2;
  if (aclrtMalloc(&memory, sizeof(host), ACL_MEM_MALLOC_HUGE_FIRST) != ACL_SUCCESS) return 3;
  aclrtMemcpy(memory, sizeof(host), host, sizeof(host), ACL_MEMCPY_HOST_TO_DEVICE);
  aclTensor* sum = aclCreateTensor(&shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &shape, 1, memory);
  aclTensor* other =
      aclCreateTensor(&shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &shape, 1, static_cast<float*>(memory) + 1);
  aclScalar* alpha = aclCreateScalar(const_cast<float*>(&one), ACL_FLOAT);
  uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  if (aclnnInplaceAddGetWorkspaceSize(sum, other, alpha, &bytes, &executor) != 0) return 4;
  if (aclnnInplaceAdd(nullptr, bytes, executor, stream) != 0) return 5;
  if (aclrtSynchronizeStream(stream) != ACL_SUCCESS) return 6;
  aclrtMemcpy(host, sizeof(float), memory, sizeof(float), ACL_MEMCPY_DEVICE_TO_HOST);
  std::printf("1 + 2 = %g\n", host[0]);
  aclDestroyTensor(sum);
  aclDestroyTensor(other);
  aclDestroyScalar(alpha);
  aclrtFree(memory);
  aclrtDestroyStream(stream);
  aclrtResetDevice(0);
  aclFinalize();
  return host[0] == 3 ? 0 : 7;
}
