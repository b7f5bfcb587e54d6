#include "runtime/memory/shared_memory.hpp"

#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/memory.hpp"
#include "support/memory_fixture.hpp"

namespace aclvk::runtime {
namespace {

using SharedMemory = test::OneBuffer;

TEST_F(SharedMemory, IsNotKeptByAnOfferThatNoProcessHasTaken) {
  constexpr std::uint64_t kBytes = 8 << 20;  // a VkBuffer of its own
  void* memory = nullptr;
  ASSERT_EQ(aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  std::weak_ptr<vk::Buffer> buffer;
  if (const auto found = find_allocation(memory)) buffer = found->device->memory().find(memory, kBytes)->buffer;
  ASSERT_FALSE(buffer.expired());
  std::string key;
  try {
    key = export_memory(memory, kBytes, true);
  } catch (const Error& error) {
    EXPECT_EQ(aclrtFree(memory), 0);
    GTEST_SKIP() << error.sentence();
  }
  EXPECT_EQ(aclrtFree(memory), 0);
  EXPECT_TRUE(buffer.expired());
  close_memory(key);
}

}  // namespace
}  // namespace aclvk::runtime
