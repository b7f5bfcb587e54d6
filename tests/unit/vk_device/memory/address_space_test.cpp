#include "vk_device/memory/address_space.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/error.hpp"
#include "unit/vk_device/device_fixture.hpp"
#include "vk_device/memory/host_pages.hpp"
#include "vk_device/submission/in_flight.hpp"

namespace aclvk::vk::test {
namespace {

constexpr std::uint64_t kReservationUnit = std::uint64_t{2} << 20;
constexpr std::uint64_t kPage = std::uint64_t{64} << 10;
constexpr std::uint64_t kStart = 64 * kReservationUnit;

void* at(std::uint64_t offset) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(kStart + offset)); }

/// The calls that a FakeReservation has received; `fails` makes the next ones fail.
struct Calls {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> mapped;
  std::vector<std::uint64_t> unmapped;
  bool fails = false;
};

class FakeReservation final : public AddressReservation {
 public:
  FakeReservation(Calls& calls, std::uint64_t bytes) : calls_(calls), bytes_(bytes) {}

  std::uint64_t start() const override { return kStart; }
  std::uint64_t bytes() const override { return bytes_; }
  void map(std::uint64_t begin, const Backing& backing) override {
    check(!calls_.fails, Code::kDriverError, "the device is lost.");
    calls_.mapped.emplace_back(begin, backing.bytes());
  }
  void unmap(std::uint64_t begin, const Backing&) override {
    check(!calls_.fails, Code::kDriverError, "the device is lost.");
    calls_.unmapped.push_back(begin);
  }
  std::shared_ptr<Buffer> find_buffer(std::uint64_t, std::uint64_t) const override { return nullptr; }
  std::shared_ptr<Buffer> add_buffer(std::uint64_t, std::uint64_t) override { return nullptr; }

 private:
  Calls& calls_;
  std::uint64_t bytes_;
};

class FakeSource final : public AddressSource {
 public:
  explicit FakeSource(Calls& calls) : calls_(calls) {}

  std::uint64_t page() override { return kPage; }
  bool host_accessible() const override { return false; }
  std::shared_ptr<AddressReservation> reserve(std::uint64_t bytes, std::uint64_t, std::uint64_t) override {
    return std::make_shared<FakeReservation>(calls_, bytes);
  }
  std::shared_ptr<const Backing> allocate(std::uint64_t bytes) override {
    check(!calls_.fails, Code::kMemoryAllocation, "there is no more memory.");
    return std::make_shared<HostPages>(bytes);
  }
  std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared) override {
    return std::make_shared<HostPages>(std::move(file), shared.bytes);
  }

 private:
  Calls& calls_;
};

class AddressSpaceTest : public testing::Test {
 protected:
  void map(std::uint64_t offset, std::uint64_t bytes) {
    space_.map(at(offset), space_.allocate(bytes), Placement::kMapped, true);
  }

  Calls calls_;
  int reclaimed_ = 0;
  AddressSpace space_{std::make_shared<FakeSource>(calls_), std::make_shared<InFlight>(1), [this] {
                        ++reclaimed_;
                        calls_.fails = false;
                      }};
};

TEST_F(AddressSpaceTest, MappingsAreWholePagesOfTheSource) {
  space_.reserve(1, 0, nullptr);
  EXPECT_EQ(code_of([&] { map(kPage / 2, kPage); }), Code::kParamInvalid);
  EXPECT_EQ(code_of([&] { map(0, kPage / 2); }), Code::kParamInvalid);
  EXPECT_EQ(code_of([&] { map(kReservationUnit - kPage, 2 * kPage); }), Code::kParamInvalid);
  EXPECT_EQ(code_of([&] { map(kReservationUnit, kPage); }), Code::kParamInvalid);
  EXPECT_TRUE(calls_.mapped.empty());
  map(kReservationUnit - kPage, kPage);
  ASSERT_EQ(calls_.mapped.size(), 1U);
  EXPECT_EQ(calls_.mapped.front(), std::make_pair(kStart + kReservationUnit - kPage, kPage));
}

TEST_F(AddressSpaceTest, AddressesWhereMappingFailedAreFree) {
  space_.reserve(kReservationUnit, 0, nullptr);
  const auto memory = space_.allocate(kPage);
  calls_.fails = true;
  EXPECT_EQ(code_of([&] { space_.map(at(0), memory, Placement::kMapped, true); }), Code::kDriverError);
  EXPECT_FALSE(space_.describe(at(0)));
  calls_.fails = false;
  space_.map(at(0), memory, Placement::kMapped, true);
  const auto found = space_.describe(at(kPage - 1));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->start, kStart);
  EXPECT_EQ(found->size, kPage);
}

TEST_F(AddressSpaceTest, UnmapsDespiteALostDevice) {
  space_.reserve(kReservationUnit, 0, nullptr);
  map(0, kPage);
  calls_.fails = true;
  EXPECT_EQ(code_of([&] { space_.unmap(at(0)); }), Code::kDriverError);
  EXPECT_FALSE(space_.describe(at(0)));
  EXPECT_EQ(code_of([&] { space_.release(at(0)); }), Code::kSuccess);
}

TEST_F(AddressSpaceTest, FreedMemoryGoesBackToTheDriverBeforeAnAllocationFails) {
  calls_.fails = true;
  EXPECT_EQ(space_.allocate(kPage)->bytes(), kPage);
  EXPECT_EQ(reclaimed_, 1);
}

TEST_F(AddressSpaceTest, AReservationEndsAfterItsMappings) {
  space_.reserve(kReservationUnit, 0, nullptr);
  EXPECT_TRUE(space_.reserved(at(kReservationUnit - 1)));
  EXPECT_FALSE(space_.reserved(at(kReservationUnit)));
  map(kPage, kPage);
  EXPECT_EQ(code_of([&] { space_.release(at(0)); }), Code::kParamInvalid);
  EXPECT_EQ(code_of([&] { space_.unmap(at(0)); }), Code::kParamInvalid);
  const std::uint64_t before = space_.unmaps();
  space_.unmap(at(kPage));
  EXPECT_EQ(space_.unmaps(), before + 1);
  EXPECT_EQ(calls_.unmapped, std::vector<std::uint64_t>{kStart + kPage});
  space_.release(at(0));
  EXPECT_FALSE(space_.reserved(at(0)));
}

TEST_F(AddressSpaceTest, MadeUnusableMemoryCountsAsReleased) {
  space_.reserve(kReservationUnit, 0, nullptr);
  map(0, kPage);
  const std::uint64_t before = space_.unmaps();
  space_.set_usable(at(0), true);
  EXPECT_EQ(space_.unmaps(), before);
  space_.set_usable(at(0), false);
  EXPECT_EQ(space_.unmaps(), before + 1);
  space_.set_usable(at(0), false);
  space_.set_usable(at(0), true);
  EXPECT_EQ(space_.unmaps(), before + 1);
}

}  // namespace
}  // namespace aclvk::vk::test
