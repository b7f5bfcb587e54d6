// Memory that cannot be freed, because the host has none to note who uses it still, stays what it was.
#include <gtest/gtest.h>

#include <cstdint>

#include "acl/acl.h"
#include "faults/host_allocations.hpp"
#include "support/acl_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr std::uint64_t kMostAllocations = 1000;  // of one call
constexpr std::size_t kBytes = 4096;

using RefusedFree = OneStream;

TEST_F(RefusedFree, LeavesManagedMemoryToBeFreedLater) {
  const aclrtStream user = new_stream();
  aclrtNotify later = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&later, 0), 0);
  bool met = true;
  for (std::uint64_t at = 1; met && at < kMostAllocations; ++at) {
    void* pointer = nullptr;
    ASSERT_EQ(aclrtMemAllocManaged(&pointer, kBytes, ACL_RT_MEM_ATTACH_GLOBAL), 0);
    ASSERT_EQ(aclrtWaitAndResetNotify(later, user, 0), 0);
    ASSERT_EQ(aclrtMemsetAsync(pointer, kBytes, 7, kBytes, user), 0);
    HostAllocations::arm(at);
    const aclError code = aclrtFree(pointer);
    met = HostAllocations::disarm().failed > 0;
    if (code != 0) {
      EXPECT_EQ(code, ACL_ERROR_RT_MEMORY_ALLOCATION) << "allocation " << at;
      EXPECT_EQ(aclrtFreeHost(pointer), ACL_ERROR_RT_PARAM_INVALID) << "it is managed, after allocation " << at;
      EXPECT_EQ(aclrtFree(pointer), 0) << "allocation " << at;
    }
    ASSERT_EQ(aclrtRecordNotify(later, s), 0);
    EXPECT_EQ(aclrtSynchronizeStream(user), 0);
  }
  EXPECT_FALSE(met);
}

}  // namespace
}  // namespace aclvk::test
