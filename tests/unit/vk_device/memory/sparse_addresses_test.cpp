#include "unit/vk_device/device_fixture.hpp"
#include "vk_device/memory/address_space.hpp"
#include "vk_device/memory/host_pages.hpp"

namespace aclvk::vk::test {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

/// Selects sparse buffers also where the driver supports host addresses.
class SparseAddressesTest : public DeviceTest {
 protected:
  void SetUp() override {
    DeviceTest::SetUp();
    if (IsSkipped()) return;
    if (code_of([&] { space(); }) == Code::kFeatureNotSupported) GTEST_SKIP() << "this driver has no sparse buffers";
  }

  AddressSpace& space() { return device_->memory().address_space(); }
  static std::byte* part(void* start, std::uint64_t offset) { return static_cast<std::byte*>(start) + offset; }
  void map(void* at, std::shared_ptr<const Backing> memory) {
    space().map(at, std::move(memory), Placement::kMapped, true);
  }
  BufferRange find(const void* at, std::uint64_t bytes) {
    const auto found = device_->memory().find(at, bytes);
    EXPECT_TRUE(found);
    return *found;
  }

  Setting sparse_{"ACLVK_RESERVED_ADDRESSES", "sparse"};
};

TEST_F(SparseAddressesTest, ReservationsAreAlignedAndLimitedByTheDevice) {
  for (const std::uint64_t alignment : {0 * kMiB, 2 * kMiB, 6 * kMiB, 64 * kMiB}) {
    void* start = space().reserve(3 * kMiB, alignment, nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(start) % std::max(alignment, 2 * kMiB), 0U);
    EXPECT_TRUE(space().reserved(part(start, 4 * kMiB - 1)));
    EXPECT_FALSE(device_->memory().find(start, 1));
    space().release(start);
  }
  EXPECT_EQ(code_of([&] { space().reserve(std::uint64_t{1} << 60, 0, nullptr); }), Code::kMemoryAllocation);
  EXPECT_EQ(code_of([&] { space().reserve(UINT64_MAX, 0, nullptr); }), Code::kMemoryAllocation);
  EXPECT_EQ(code_of([&] { space().reserve(kMiB, UINT64_MAX / 2 + 1, nullptr); }), Code::kMemoryAllocation);
}

// Lavapipe has 2 GiB of addresses for sparse buffers, so the third round fails unless released ones are reused.
TEST_F(SparseAddressesTest, ReleasedAddressesCanBeReservedAgain) {
  for (int i = 0; i < 4; ++i) {
    void* start = space().reserve(1000 * kMiB, 0, nullptr);
    EXPECT_NE(start, nullptr);
    space().release(start);
  }
}

TEST_F(SparseAddressesTest, MemoryIsAccessibleWhereItIsMapped) {
  void* start = space().reserve(8 * kMiB, 0, nullptr);
  const std::uint64_t page = space().page();
  ASSERT_LE(page, 2 * kMiB);
  const auto first = space().allocate(page);
  const auto second = space().allocate(3 * page);
  map(part(start, page), second);
  map(start, first);
  const auto bytes = random_bytes(4 * page);
  device_->write(find(start, 4 * page), bytes.data());
  EXPECT_EQ(find(start, 1).mapped(), nullptr) << "the host sees nothing of a sparse buffer";
  EXPECT_FALSE(device_->memory().find(start, 4 * page + 1));
  EXPECT_EQ(download(find(start, 4 * page)), bytes);

  space().unmap(part(start, page));
  EXPECT_FALSE(device_->memory().find(part(start, page), 1));
  map(part(start, 4 * kMiB), second);
  EXPECT_EQ(download(find(part(start, 4 * kMiB), 3 * page)),
            std::vector<std::uint8_t>(bytes.begin() + page, bytes.end()));
  space().unmap(part(start, 4 * kMiB));
  space().unmap(start);
  space().release(start);
}

TEST_F(SparseAddressesTest, WritesWithoutMemoryAreDiscarded) {
  void* start = space().reserve(4 * kMiB, 0, nullptr);
  const auto memory = space().allocate(2 * kMiB);
  map(start, memory);
  map(part(start, 2 * kMiB), space().allocate(2 * kMiB));
  const auto bytes = random_bytes(2 * kMiB);
  device_->write(find(part(start, 2 * kMiB), 2 * kMiB), bytes.data());
  const BufferRange late = find(start, 2 * kMiB);
  device_->write(late, std::vector<std::uint8_t>(2 * kMiB, 1).data());
  space().unmap(start);
  run([&](CommandRecorder& recorder) { recorder.fill(late, 9); });
  EXPECT_FALSE(device_->memory().alive(late));
  EXPECT_EQ(download(find(part(start, 2 * kMiB), 2 * kMiB)), bytes);
  map(start, memory);
  EXPECT_EQ(download(find(start, 2 * kMiB)), std::vector<std::uint8_t>(2 * kMiB, 1));
}

TEST_F(SparseAddressesTest, CommandsKeepReleasedAddresses) {
  void* start = space().reserve(2 * kMiB, 0, nullptr);
  map(start, space().allocate(2 * kMiB));
  auto recorder = device_->record(Level::kPrimary);
  recorder->fill(find(start, 2 * kMiB), 1);
  const auto commands = recorder->finish();
  space().unmap(start);
  space().release(start);
  const TimelinePoint done = submit(commands);
  EXPECT_TRUE(done.timeline->wait(done.value));
}

TEST_F(SparseAddressesTest, PagesOfTheHostAreRefused) {
  void* start = space().reserve(2 * kMiB, 0, nullptr);
  EXPECT_FALSE(space().host_accessible());
  EXPECT_EQ(code_of([&] { map(start, std::make_shared<HostPages>(2 * kMiB)); }), Code::kFeatureNotSupported);
  map(start, space().allocate(2 * kMiB));
  EXPECT_EQ(code_of([&] { map(start, space().allocate(2 * kMiB)); }), Code::kParamInvalid);

  SharedBacking shared;
  File file = HostPages(2 * kMiB).export_file(shared);
  EXPECT_EQ(code_of([&] { space().import_file(std::move(file), shared); }), Code::kParamInvalid);
}

}  // namespace
}  // namespace aclvk::vk::test
