#pragma once

#include <string>
#include <vector>

#include "hccl/hccl.h"
#include "support/capture_fixture.hpp"

namespace aclvk::test {

/// A communicator of one rank on device 0, and buffers of 32-bit numbers.
class CommTest : public CaptureTest {
 protected:
  explicit CommTest(const char* compatibility = "lenient") : CaptureTest(compatibility) {
    HcclRootInfo info;
    EXPECT_EQ(HcclGetRootInfo(&info), HCCL_SUCCESS) << aclGetRecentErrMsg();
    EXPECT_EQ(HcclCommInitRootInfo(1, &info, 0, &comm), HCCL_SUCCESS) << aclGetRecentErrMsg();
  }
  ~CommTest() override {
    for (void* buffer : buffers_) EXPECT_EQ(aclrtFree(buffer), 0);
    EXPECT_EQ(HcclCommDestroy(comm), HCCL_SUCCESS);
  }

  using Numbers = std::vector<std::int32_t>;

  void* device(const Numbers& numbers) {
    void* buffer = nullptr;
    EXPECT_EQ(aclrtMalloc(&buffer, numbers.size() * 4, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    EXPECT_EQ(aclrtMemcpy(buffer, numbers.size() * 4, numbers.data(), numbers.size() * 4, ACL_MEMCPY_HOST_TO_DEVICE),
              0);
    return buffers_.emplace_back(buffer);
  }
  static Numbers numbers(const void* buffer, std::size_t count) {
    Numbers result(count);
    EXPECT_EQ(aclrtMemcpy(result.data(), count * 4, buffer, count * 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    return result;
  }

  HcclComm comm = nullptr;

 private:
  std::vector<void*> buffers_;
};

}  // namespace aclvk::test
