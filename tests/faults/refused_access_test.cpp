// aclrtMemSetAccess changes the rights of all mappings, or of none when the host has no memory left.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "acl/acl.h"
#include "faults/host_allocations.hpp"
#include "support/acl_fixture.hpp"
#include "support/virtual_memory.hpp"

namespace aclvk::test {
namespace {

constexpr std::uint64_t kMostAllocations = 1000;  // of one call

using RefusedAccess = OneStream;

std::uint64_t rights_of_host(void* pointer) {
  aclrtMemLocation host{0, ACL_MEM_LOCATION_TYPE_HOST};
  std::uint64_t flags = UINT64_MAX;
  EXPECT_EQ(aclrtMemGetAccess(pointer, &host, &flags), 0) << aclGetRecentErrMsg();
  return flags;
}

TEST_F(RefusedAccess, LeavesTheRightsOfAllMappings) {
  if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  bool met = true;
  for (std::uint64_t at = 1; met && at < kMostAllocations; ++at) {
    SCOPED_TRACE("allocation " + std::to_string(at));
    const Reservation addresses(2);
    const Physical first, second;
    const Mapped mapped(addresses.at(0), first), next(addresses.at(1), second);
    aclrtMemAccessDesc desc{ACL_RT_MEM_ACCESS_FLAGS_READ, {0, ACL_MEM_LOCATION_TYPE_HOST}, {}};
    HostAllocations::arm(at);
    const aclError code = aclrtMemSetAccess(addresses.at(0), 2 * kChunk, &desc, 1);
    met = HostAllocations::disarm().failed > 0;
    const std::uint64_t expected = code == 0 ? ACL_RT_MEM_ACCESS_FLAGS_READ : ACL_RT_MEM_ACCESS_FLAGS_NONE;
    for (const std::size_t chunk : {0, 1}) EXPECT_EQ(rights_of_host(addresses.at(chunk)), expected) << chunk;
  }
  EXPECT_FALSE(met);
}

}  // namespace
}  // namespace aclvk::test
