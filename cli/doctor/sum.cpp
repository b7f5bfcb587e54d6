#include "doctor/sum.hpp"

#include <cstdint>

#include "acl/acl.h"
#include "aclnn/acl_meta.h"
#include "aclnnop/aclnn_add.h"

namespace cli {
namespace {

void launch_sum(const Library& library, aclTensor* x, aclScalar* alpha, aclrtStream stream) {
  std::uint64_t bytes = 0;
  aclOpExecutor* executor = nullptr;
  CLI_CHECK(library, aclnnInplaceAddGetWorkspaceSize, x, x, alpha, &bytes, &executor);
  CLI_CHECK(library, aclnnInplaceAdd, nullptr, bytes, executor, stream);
}

}  // namespace

void sum_on_device(const Library& library, int device) {
  CLI_CHECK(library, aclInit, nullptr);
  CLI_CHECK(library, aclrtSetDevice, device);
  aclrtStream stream = nullptr;
  CLI_CHECK(library, aclrtCreateStream, &stream);
  float value = 1.5F;
  float one = 1;
  const std::int64_t shape = 1;
  void* memory = nullptr;
  CLI_CHECK(library, aclrtMalloc, &memory, sizeof(value), ACL_MEM_MALLOC_HUGE_FIRST);
  CLI_CHECK(library, aclrtMemcpy, memory, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE);
  aclTensor* x = CLI_FIND(library, aclCreateTensor)(&shape, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &shape, 1, memory);
  aclScalar* alpha = CLI_FIND(library, aclCreateScalar)(&one, ACL_FLOAT);

  launch_sum(library, x, alpha, stream);  // 1.5 becomes 3, and the replay makes it 6
  aclmdlRI model = nullptr;
  CLI_CHECK(library, aclmdlRICaptureBegin, stream, ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL);
  launch_sum(library, x, alpha, stream);
  CLI_CHECK(library, aclmdlRICaptureEnd, stream, &model);
  CLI_CHECK(library, aclmdlRIExecuteAsync, model, stream);
  CLI_CHECK(library, aclrtSynchronizeStream, stream);
  CLI_CHECK(library, aclrtMemcpy, &value, sizeof(value), memory, sizeof(value), ACL_MEMCPY_DEVICE_TO_HOST);

  CLI_FIND(library, aclmdlRIDestroy)(model);
  CLI_FIND(library, aclDestroyTensor)(x);
  CLI_FIND(library, aclDestroyScalar)(alpha);
  CLI_FIND(library, aclrtFree)(memory);
  CLI_FIND(library, aclrtDestroyStream)(stream);
  CLI_FIND(library, aclrtResetDevice)(device);
  CLI_FIND(library, aclFinalize)();
  if (value != 6) throw std::runtime_error("1.5, added to itself twice, is " + std::to_string(value) + ".");
}

}  // namespace cli
