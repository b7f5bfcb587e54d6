// Exports for which something was missing.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "acl/acl.h"
#include "faults/host_allocations.hpp"
#include "support/peer.hpp"

namespace aclvk::test {
namespace {

// The thread that serves other processes is started by the first export.
TEST(RefusedExport, CanBeMadeAgain) {
  constexpr std::uint64_t kMost = 300;
  Peer peer;
  aclrtEvent event = nullptr;
  aclrtIpcEventHandle handle{};
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC), 0);
  aclError exported = -1;
  for (std::uint64_t at = 1; exported != 0 && at <= kMost; ++at) {
    HostAllocations::arm(at);
    exported = aclrtIpcGetEventHandle(event, &handle);
    HostAllocations::disarm();
  }
  ASSERT_EQ(exported, 0) << aclGetRecentErrMsg();
  EXPECT_EQ(peer.code("import-event " + std::string(handle.reserved, sizeof(handle.reserved))), 0);
  EXPECT_EQ(aclrtDestroyEvent(event), 0);
}

}  // namespace
}  // namespace aclvk::test
