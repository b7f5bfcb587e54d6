#include "vk_device/memory/host_addresses.hpp"

#include "unit/vk_device/device_fixture.hpp"
#include "vk_device/commands/copy_commands.hpp"
#include "vk_device/memory/address_space.hpp"

namespace aclvk::vk::test {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

TEST(Windows, OverlapByHalfAndBeginAtLeastAUnitLater) {
  EXPECT_EQ(window_distance(kGiB), kGiB / 2);
  EXPECT_EQ(window_distance(6 * kMiB), 2 * kMiB);
  for (const std::uint64_t bytes : {std::uint64_t{0}, 2 * kMiB}) EXPECT_EQ(window_distance(bytes), 2 * kMiB) << bytes;
}

class HostAddressesTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    if (!space().host_accessible()) GTEST_SKIP() << "this driver has reserved addresses of sparse buffers";
  }

  AddressSpace& space() { return device_->memory().address_space(); }
  BufferRange find(const std::byte* at, std::uint64_t bytes) {
    const auto found = device_->memory().find(at, bytes);
    EXPECT_TRUE(found);
    return *found;
  }
};

TEST_F(HostAddressesTest, PagesAreThoseOfTheSystem) {
  EXPECT_EQ(space().page() % static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)), 0U);
}

// A buffer of a reservation is as large as the driver allows: 1, 2 or 4 GiB.
TEST_F(HostAddressesTest, RangesOfTwoBuffersMayOverlap) {
  auto* const start = static_cast<std::byte*>(space().reserve(8 * kGiB, 0, nullptr));
  const auto memory = space().allocate(4 * kMiB);
  space().map(start, memory, Placement::kMapped, true);
  find(start, kMiB);  // makes the buffer that begins at the start
  bool two_buffers = false;
  for (const std::uint64_t border : {kGiB, 2 * kGiB, 4 * kGiB}) {
    std::byte* const middle = start + border;
    space().map(middle - 2 * kMiB, memory, Placement::kMapped, true);
    const BufferRange src = find(middle - kMiB, kMiB);
    const BufferRange dst = find(middle - kMiB / 2, kMiB);
    EXPECT_EQ(copy_command_count(dst, src), 2U) << border;
    EXPECT_EQ(copy_command_count(dst, find(start, kMiB)), 1U) << border;
    two_buffers = two_buffers || src.buffer != dst.buffer;
    space().unmap(middle - 2 * kMiB);
  }
  space().unmap(start);
  space().release(start);
  if (!two_buffers) GTEST_SKIP() << "the buffers of this driver are larger than 4 GiB";
}

}  // namespace
}  // namespace aclvk::vk::test
