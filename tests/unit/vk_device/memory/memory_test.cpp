#include "vk_device/memory/memory.hpp"

#include <sys/mman.h>

#include <array>
#include <set>

#include "unit/vk_device/device_fixture.hpp"

namespace aclvk::vk::test {
namespace {

class DeviceMemoryTest : public DeviceTest {
 protected:
  Memory& memory() { return device_->memory(); }

  /// Submits work that waits until the gate is signalled.
  TimelinePoint block_queue() {
    gate_ = device_->create_timeline();
    auto recorder = device_->record(Level::kPrimary);
    return submit(recorder->finish(), {{gate_, 1}});
  }

  std::shared_ptr<Timeline> gate_;
};

TEST_F(DeviceMemoryTest, PointersAreAlignedAndDescribed) {
  for (const Placement placement : {Placement::kDevice, Placement::kPinnedHost}) {
    for (const std::uint64_t bytes : {1UL, 511UL, 70000UL, 3UL << 20}) {
      void* pointer = memory().allocate(placement, bytes);
      const auto start = reinterpret_cast<std::uint64_t>(pointer);
      EXPECT_EQ(start % 512, 0U);
      const auto info = memory().describe(reinterpret_cast<void*>(start + bytes - 1));
      ASSERT_TRUE(info);
      EXPECT_EQ(info->start, start);
      EXPECT_EQ(info->size, bytes);
      EXPECT_EQ(info->placement, placement);
      EXPECT_FALSE(memory().describe(reinterpret_cast<void*>(start + bytes)));
    }
  }
}

TEST_F(DeviceMemoryTest, FindsSlicesAndRefusesRangesPastTheEnd) {
  auto* pointer = static_cast<std::byte*>(memory().allocate(Placement::kDevice, 100));
  const auto part = memory().find(pointer + 10, 90);
  ASSERT_TRUE(part);
  EXPECT_EQ(part->address(), reinterpret_cast<std::uint64_t>(pointer) + 10);
  EXPECT_EQ(part->size, 90U);
  EXPECT_FALSE(memory().find(pointer + 10, 91));
  EXPECT_FALSE(memory().find(nullptr, 1));
}

TEST_F(DeviceMemoryTest, AllocationsAreSlicesOfChunks) {
  const std::uint64_t used = memory().used_bytes();
  const BufferRange chunk = memory().allocate_chunk(4096);
  EXPECT_EQ(memory().used_bytes(), used + 4096);
  EXPECT_EQ(memory().usage(MemoryCategory::kPools).current, 4096U);
  EXPECT_FALSE(memory().find(reinterpret_cast<void*>(chunk.address()), 1)) << "no allocation yet";

  void* pointer = memory().publish(chunk.slice(512, 100));
  EXPECT_EQ(reinterpret_cast<std::uint64_t>(pointer), chunk.address() + 512);
  const auto found = memory().find(pointer, 100);
  ASSERT_TRUE(found);
  EXPECT_TRUE(memory().alive(*found));
  EXPECT_FALSE(memory().find(pointer, 101));
  EXPECT_EQ(memory().describe(pointer)->placement, Placement::kPooled);
  EXPECT_FALSE(memory().release(pointer, Placement::kDevice));
  EXPECT_TRUE(memory().release(pointer, Placement::kPooled));
  EXPECT_FALSE(memory().find(pointer, 1));
  EXPECT_EQ(memory().used_bytes(), used + 4096) << "the bytes are still in the chunk";

  EXPECT_EQ(memory().publish(chunk.slice(512, 200)), pointer);
  EXPECT_FALSE(memory().alive(*found)) << "another allocation";
  EXPECT_TRUE(memory().release(pointer, Placement::kPooled));
  memory().release_chunk(chunk);
  EXPECT_EQ(memory().used_bytes(), used);
  EXPECT_EQ(memory().usage(MemoryCategory::kPools).current, 0U);
  EXPECT_EQ(memory().usage(MemoryCategory::kPools).peak, 4096U);
}

TEST_F(DeviceMemoryTest, ReleaseWantsTheStartAndThePlacement) {
  auto* pointer = static_cast<std::byte*>(memory().allocate(Placement::kDevice, 100));
  EXPECT_FALSE(memory().release(pointer + 1, Placement::kDevice));
  EXPECT_FALSE(memory().release(pointer, Placement::kPinnedHost));
  EXPECT_TRUE(memory().release(pointer, Placement::kDevice));
  EXPECT_FALSE(memory().release(pointer, Placement::kDevice));
  EXPECT_FALSE(memory().find(pointer, 1));
}

TEST_F(DeviceMemoryTest, StaysAllocatedWhenItsBytesCannotBeRetained) {
  void* pointer = memory().allocate(Placement::kDevice, 100);
  EXPECT_THROW(memory().release_deferred(pointer, Placement::kDevice, [](const auto&...) { throw std::bad_alloc(); }),
               std::bad_alloc);
  EXPECT_TRUE(memory().find(pointer, 100));
  EXPECT_TRUE(memory().release(pointer, Placement::kDevice));
}

TEST_F(DeviceMemoryTest, BytesOfADeferredReleaseBelongToItsOwners) {
  void* pointer = memory().allocate(Placement::kDevice, 100);
  std::shared_ptr<void> owner;
  const auto retain = [&](const BufferRange& allocation, const std::shared_ptr<void>& bytes) {
    EXPECT_EQ(allocation.size, 1U);
    owner = bytes;
  };
  ASSERT_TRUE(memory().release_deferred(pointer, Placement::kDevice, retain));
  EXPECT_FALSE(memory().release_deferred(pointer, Placement::kDevice, retain));
  EXPECT_FALSE(memory().find(pointer, 1));
  void* other = memory().allocate(Placement::kDevice, 100);
  EXPECT_NE(other, pointer);
  owner.reset();
  EXPECT_EQ(memory().allocate(Placement::kDevice, 100), pointer);
  memory().release(other, Placement::kDevice);
  memory().release(pointer, Placement::kDevice);
}

TEST_F(DeviceMemoryTest, ListsWhatLivesOfAPlacement) {
  void* freed = memory().allocate(Placement::kDevice, 10);
  void* device = memory().allocate(Placement::kDevice, 100);
  void* pinned = memory().allocate(Placement::kPinnedHost, 200);
  memory().release(freed, Placement::kDevice);
  const auto ranges = memory().allocations(Placement::kDevice);
  ASSERT_EQ(ranges.size(), 1U);
  EXPECT_EQ(ranges[0].pointer(), reinterpret_cast<std::uint64_t>(device));
  EXPECT_EQ(ranges[0].size, 100U);
  EXPECT_TRUE(memory().alive(ranges[0]));
  ASSERT_EQ(memory().allocations(Placement::kPinnedHost).size(), 1U);
  EXPECT_EQ(memory().allocations(Placement::kPinnedHost)[0].pointer(), reinterpret_cast<std::uint64_t>(pinned));
  EXPECT_TRUE(memory().allocations(Placement::kRegistered).empty());
}

TEST_F(DeviceMemoryTest, CountsPublicBytes) {
  const std::uint64_t before = memory().used_bytes();
  void* pointer = memory().allocate(Placement::kDevice, 12345);
  EXPECT_EQ(memory().used_bytes(), before + 12345);
  memory().release(pointer, Placement::kDevice);
  EXPECT_EQ(memory().used_bytes(), before);
}

TEST_F(DeviceMemoryTest, RefusesMoreThanTheDeviceHas) {
  const std::uint64_t before = memory().used_bytes();
  EXPECT_EQ(code_of([&] { memory().allocate(Placement::kDevice, memory().total_bytes() + 1); }),
            Code::kMemoryAllocation);
  EXPECT_EQ(code_of([&] { memory().allocate(Placement::kDevice, UINT64_MAX); }), Code::kMemoryAllocation);
  EXPECT_EQ(code_of([&] { memory().allocate(Placement::kPinnedHost, UINT64_MAX); }), Code::kMemoryAllocation);
  EXPECT_EQ(code_of([&] { memory().allocate(Placement::kPinnedHost, std::uint64_t{1} << 50); }),
            Code::kMemoryAllocation);
  EXPECT_EQ(memory().used_bytes(), before);
}

TEST_F(DeviceMemoryTest, ReusesAtOnceWhenNothingIsInFlight) {
  void* first = memory().allocate(Placement::kDevice, 1000);
  memory().release(first, Placement::kDevice);
  EXPECT_EQ(memory().allocate(Placement::kDevice, 1000), first);
}

TEST_F(DeviceMemoryTest, ReusesOnlyAfterEarlierSubmissions) {
  // A wait before its signal is valid, since the host signals.
  const TimelinePoint blocked = block_queue();
  void* first = memory().allocate(Placement::kDevice, 1000);
  memory().release(first, Placement::kDevice);
  EXPECT_FALSE(memory().find(first, 1));
  EXPECT_NE(memory().allocate(Placement::kDevice, 1000), first);
  gate_->signal(1);
  blocked.timeline->wait(blocked.value);
  device_->collect();
  EXPECT_EQ(memory().allocate(Placement::kDevice, 1000), first);
}

// Lifetime of ranges

TEST_F(DeviceMemoryTest, RangeLivesAsLongAsItsAllocation) {
  for (const Placement placement : {Placement::kDevice, Placement::kPinnedHost}) {
    for (const std::uint64_t bytes : {1000UL, 3UL << 20}) {
      auto* pointer = static_cast<std::byte*>(memory().allocate(placement, bytes));
      const BufferRange part = memory().find(pointer + 10, 90)->slice(5, 1);
      EXPECT_EQ(part.pointer(), reinterpret_cast<std::uint64_t>(pointer) + 15);
      EXPECT_TRUE(memory().alive(part));
      memory().release(pointer, placement);
      EXPECT_FALSE(memory().alive(part));
    }
  }
}

TEST_F(DeviceMemoryTest, ImportedRangeLivesUntilItIsReleased) {
  std::vector<std::uint8_t> mine(10000);
  memory().import_host(mine.data(), mine.size());
  const BufferRange range = *memory().find(mine.data() + 1, 1);
  EXPECT_EQ(range.pointer(), reinterpret_cast<std::uint64_t>(mine.data()) + 1);
  EXPECT_TRUE(memory().alive(range));
  memory().release(mine.data(), Placement::kRegistered);
  EXPECT_FALSE(memory().alive(range));
}

TEST_F(DeviceMemoryTest, RangeDoesNotLiveOnInTheNextAllocationOfItsBytes) {
  void* first = memory().allocate(Placement::kDevice, 1000);
  const BufferRange old = *memory().find(first, 1000);
  memory().release(first, Placement::kDevice);
  ASSERT_EQ(memory().allocate(Placement::kDevice, 1000), first);
  EXPECT_FALSE(memory().alive(old));
  EXPECT_TRUE(memory().alive(*memory().find(first, 1000)));
}

TEST_F(DeviceMemoryTest, RangeOfNoAllocationLives) { EXPECT_TRUE(memory().alive({})); }

TEST_F(DeviceMemoryTest, CountsReleases) {
  const std::uint64_t before = memory().releases();
  void* pointer = memory().allocate(Placement::kDevice, 1000);
  memory().release(pointer, Placement::kPinnedHost);  // fails: another placement
  EXPECT_EQ(memory().releases(), before);
  memory().release(pointer, Placement::kDevice);
  EXPECT_EQ(memory().releases(), before + 1);
}

TEST_F(DeviceMemoryTest, ManySmallOnesDoNotOverlap) {
  std::set<std::uint64_t> starts;
  for (int i = 0; i < 20000; ++i) {
    starts.insert(reinterpret_cast<std::uint64_t>(memory().allocate(Placement::kDevice, 700)));
  }
  ASSERT_EQ(starts.size(), 20000U);
  std::uint64_t last = 0;
  for (const std::uint64_t start : starts) {
    ASSERT_GE(start, last);
    last = start + 700;
  }
}

TEST_F(DeviceMemoryTest, ImportsHostMemory) {
  std::vector<std::uint8_t> mine(10000, 0);
  std::uint8_t* odd = mine.data() + 123;
  ASSERT_EQ(code_of([&] { memory().import_host(odd, 5000); }), Code::kSuccess);
  EXPECT_EQ(code_of([&] { memory().import_host(odd + 4999, 1); }), Code::kHostMemoryRegistered);
  EXPECT_EQ(memory().describe(odd + 7)->placement, Placement::kRegistered);

  const auto source = random_bytes(5000);
  const BufferRange src = upload(source);
  const BufferRange dst = *memory().find(odd, 5000);
  run([&](CommandRecorder& recorder) { recorder.copy(dst, src); });
  EXPECT_EQ(std::vector<std::uint8_t>(odd, odd + 5000), source);
  EXPECT_EQ(mine[122], 0);
  EXPECT_EQ(mine[5123], 0);
  EXPECT_TRUE(memory().release(odd, Placement::kRegistered));
  EXPECT_FALSE(memory().find(odd, 1));
}

TEST_F(DeviceMemoryTest, EachMemoryFindsItsOwnAllocationsOnly) {
  const auto book = device_->create_memory(1 << 20);
  EXPECT_EQ(book->total_bytes(), 1U << 20);
  void* pointer = book->allocate(Placement::kDevice, 64);
  EXPECT_EQ(book->used_bytes(), 64U);
  EXPECT_TRUE(book->describe(pointer));
  EXPECT_FALSE(memory().describe(pointer));
  EXPECT_FALSE(memory().release(pointer, Placement::kDevice));
  const auto range = book->find(pointer, 64);
  ASSERT_TRUE(range);
  EXPECT_FALSE(memory().alive(*range));
  EXPECT_TRUE(book->release(pointer, Placement::kDevice));
  EXPECT_THROW(book->allocate(Placement::kDevice, 2 << 20), Error);
}

TEST_F(DeviceMemoryTest, CommandsMixRangesOfAllMemories) {
  const auto book = device_->create_memory(1 << 20);
  const auto own = memory().find(memory().allocate(Placement::kDevice, 64), 64);
  const auto other = book->find(book->allocate(Placement::kDevice, 64), 64);
  auto recorder = device_->record(Level::kPrimary);
  recorder->fill(*own, 7);
  recorder->copy(*other, *own);
  const TimelinePoint done = submit(recorder->finish(), {});
  done.timeline->wait(done.value);
  std::array<std::uint8_t, 64> bytes{};
  device_->read(bytes.data(), *other);
  for (const std::uint8_t byte : bytes) EXPECT_EQ(byte, 7);
}

TEST_F(DeviceMemoryTest, ReportsTheOldestPendingSubmission) {
  device_->wait_idle();
  EXPECT_TRUE(device_->oldest_pending().empty());
  const TimelinePoint blocked = block_queue();
  const auto pending = device_->oldest_pending();
  ASSERT_EQ(pending.size(), 1U);
  EXPECT_EQ(pending[0].end.timeline, blocked.timeline);
  EXPECT_EQ(pending[0].end.value, blocked.value);
  EXPECT_TRUE(pending[0].blocked);
  gate_->signal(1);
  blocked.timeline->wait(blocked.value);
  EXPECT_TRUE(device_->oldest_pending().empty());
}

}  // namespace
}  // namespace aclvk::vk::test
