// Programs whose threads share memory and what the process records of it: allocators of streams, managed memory,
// physical memory and where it is mapped.
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "acl/acl_rt_allocator.h"
#include "support/memory_fixture.hpp"
#include "support/stress.hpp"
#include "support/virtual_memory.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;

/// A description of an allocator, of which the tests need no more than its object.
class Description {
 public:
  explicit Description(void* object) : description_(aclrtAllocatorCreateDesc()) {
    EXPECT_EQ(aclrtAllocatorSetObjToDesc(description_, object), 0);
    EXPECT_EQ(aclrtAllocatorSetAllocFuncToDesc(description_, [](void*, std::size_t) -> void* { return nullptr; }), 0);
    EXPECT_EQ(aclrtAllocatorSetFreeFuncToDesc(description_, [](void*, void*) {}), 0);
    EXPECT_EQ(aclrtAllocatorSetGetAddrFromBlockFuncToDesc(description_, [](void* block) { return block; }), 0);
  }
  ~Description() { EXPECT_EQ(aclrtAllocatorDestroyDesc(description_), 0); }
  Description(const Description&) = delete;
  Description& operator=(const Description&) = delete;

  aclrtAllocatorDesc get() const { return description_; }

 private:
  aclrtAllocatorDesc description_;
};

/// The object of the stream's allocator; null where it has none.
aclrtAllocator allocator_of(aclrtStream stream) {
  aclrtAllocatorDesc description = nullptr;
  aclrtAllocator object = nullptr;
  aclrtAllocatorAllocFunc allocate = nullptr;
  aclrtAllocatorFreeFunc free = nullptr;
  aclrtAllocatorAllocAdviseFunc advise = nullptr;
  aclrtAllocatorGetAddrFromBlockFunc address = nullptr;
  const aclError code = aclrtAllocatorGetByStream(stream, &description, &object, &allocate, &free, &advise, &address);
  EXPECT_EQ(code, object ? 0 : ACL_ERROR_INVALID_PARAM);
  return object;
}

using SharedAllocators = CaptureTest;

TEST_F(SharedAllocators, StreamsOfAllThreadsHaveThem) {
  constexpr int kRounds = 60;
  std::array<int, kThreads> objects{};
  {
    const Crowd crowd(kThreads, [&](int thread) {
      int& object = objects[static_cast<std::size_t>(thread)];
      const Description description(&object);
      for (int round = 0; round < kRounds; ++round) {
        const OwnStream own;
        EXPECT_EQ(allocator_of(own), nullptr);
        EXPECT_EQ(aclrtAllocatorRegister(own, description.get()), 0);
        EXPECT_EQ(aclrtAllocatorRegister(s, description.get()), 0);
        EXPECT_EQ(allocator_of(own), &object);
        const auto* given = static_cast<int*>(allocator_of(s));
        EXPECT_TRUE(given >= &objects.front() && given <= &objects.back());
        if (round % 2) continue;  // the registration goes with the stream
        EXPECT_EQ(aclrtAllocatorUnregister(own), 0);
        EXPECT_EQ(allocator_of(own), nullptr);
      }
    });
  }
  EXPECT_EQ(aclrtAllocatorUnregister(s), 0);
  EXPECT_EQ(allocator_of(s), nullptr);
}

using SharedManaged = OneStream;

constexpr aclrtMemManagedLocation kDevicePlace = {ACL_MEM_LOCATIONTYPE_DEVICE, 0};
constexpr aclrtMemManagedLocation kHostPlace = {ACL_MEM_LOCATIONTYPE_HOST, 0};

std::int32_t attribute_of(void* part, std::size_t bytes, aclrtMemManagedRangeAttribute which) {
  std::int32_t value = 99;
  EXPECT_EQ(aclrtMemManagedGetAttr(which, part, bytes, &value, sizeof(value)), 0) << aclGetRecentErrMsg();
  return value;
}

// Each thread says how it uses its part of one allocation, and has allocations of its own come and go.
TEST_F(SharedManaged, ThreadsAdviseTheirParts) {
  constexpr int kRounds = 60;
  constexpr std::size_t kPart = 4096;
  const Block shared(MemoryKind::kManaged, Bytes(kThreads * kPart, 7));
  {
    const Crowd crowd(kThreads, [&](int thread) {
      void* part = shared.at(static_cast<std::size_t>(thread) * kPart);
      for (int round = 0; round < kRounds; ++round) {
        const Bytes content = pattern(64, static_cast<std::uint32_t>(round));
        const Block own(MemoryKind::kManaged, content);
        const bool to_device = round % 2 == 0;
        EXPECT_EQ(aclrtMemManagedAdvise(part, kPart,
                                        to_device ? ACL_MEM_ADVISE_SET_READ_MOSTLY : ACL_MEM_ADVISE_UNSET_READ_MOSTLY,
                                        kDevicePlace),
                  0);
        EXPECT_EQ(aclrtMemManagedPrefetchAsync(part, kPart, to_device ? kDevicePlace : kHostPlace, 0, s), 0);
        EXPECT_EQ(attribute_of(part, kPart, ACL_MEM_RANGE_ATTRIBUTE_READ_MOSTLY), to_device ? 1 : 0);
        EXPECT_EQ(attribute_of(part, kPart, ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), to_device ? 0 : -1);
        EXPECT_EQ(attribute_of(own.begin(), own.size(), ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -2) << "none";
        EXPECT_EQ(own.read(), content);
      }
    });
  }
  EXPECT_EQ(attribute_of(shared.begin(), shared.size(), ACL_MEM_RANGE_ATTRIBUTE_LAST_PREFETCH_LOCATION), -1);
}

class SharedMappings : public OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    if (lacks_sparse_buffers()) GTEST_SKIP() << kNoSparseBuffers;
  }
};

void write_word(void* at, std::uint32_t value) {
  EXPECT_EQ(aclrtMemcpy(at, sizeof(value), &value, sizeof(value), ACL_MEMCPY_HOST_TO_DEVICE), 0);
}
std::uint32_t word_at(const void* at) {
  std::uint32_t value = 0;
  EXPECT_EQ(aclrtMemcpy(&value, sizeof(value), at, sizeof(value), ACL_MEMCPY_DEVICE_TO_HOST), 0);
  return value;
}

// Places of one reservation, and a thread for each.
TEST_F(SharedMappings, ThreadsMapMemoryOfTheirOwn) {
  constexpr int kRounds = 12;
  const Reservation addresses(kThreads);
  const Crowd crowd(kThreads, [&](int thread) {
    char* at = addresses.at(static_cast<std::size_t>(thread));
    const Physical memory, other;
    const auto seed = static_cast<std::uint32_t>(1000 * thread);
    for (std::uint32_t round = 0; round < kRounds; ++round) {
      const Mapped mapped(at, round % 2 ? memory : other);
      if (round >= 2) {
        EXPECT_EQ(word_at(at), seed + round - 2) << "the memory keeps what is in it";
      }
      write_word(at, seed + round);
      EXPECT_EQ(word_at(at), seed + round);
    }
  });
}

// All see the same bytes.
TEST_F(SharedMappings, AllMapTheSameMemory) {
  constexpr int kRounds = 12;
  const Reservation addresses(kThreads);
  const Physical memory;
  {
    Barrier barrier(kThreads);
    const Crowd crowd(kThreads, [&](int thread) {
      const auto place = static_cast<std::size_t>(thread);
      for (std::uint32_t round = 0; round < kRounds; ++round) {
        const Physical own;
        const Mapped mapped(addresses.at(place), memory);
        write_word(addresses.at(place) + 4 * place, round);
        barrier.wait();
        aclrtMemLocation device{0, ACL_MEM_LOCATION_TYPE_DEVICE};
        aclrtMemAccessDesc right{ACL_RT_MEM_ACCESS_FLAGS_READWRITE, device, {}};
        std::uint64_t flags = 99;
        EXPECT_EQ(aclrtMemSetAccess(addresses.at(place), kChunk, &right, 1), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(aclrtMemGetAccess(addresses.at(place), &device, &flags), 0);
        EXPECT_EQ(flags, static_cast<std::uint64_t>(ACL_RT_MEM_ACCESS_FLAGS_READWRITE));
        EXPECT_EQ(word_at(addresses.at(place) + 4 * place), round);
      }
    });
  }
  const Mapped mapped(addresses.at(0), memory);
  for (std::size_t place = 0; place < kThreads; ++place) EXPECT_EQ(word_at(addresses.at(0) + 4 * place), kRounds - 1);
}

// The memory counts who holds it: in the end that is who has allocated it.
TEST_F(SharedMappings, AllHoldAndFreeTheSameMemory) {
  constexpr int kRounds = 5000;
  const Reservation addresses(1);
  aclrtDrvMemHandle kept = nullptr;
  {
    const Physical memory;
    const Mapped mapped(addresses.at(0), memory);
    kept = memory.get();
    Barrier barrier(kThreads);
    const Crowd crowd(kThreads, [&](int) {
      barrier.wait();
      for (int round = 0; round < kRounds; ++round) {
        aclrtDrvMemHandle handle = nullptr;
        EXPECT_EQ(aclrtMemRetainAllocationHandle(addresses.at(0) + 5, &handle), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(handle, kept);
        EXPECT_EQ(aclrtFreePhysical(handle), 0) << aclGetRecentErrMsg();
      }
    });
  }
  EXPECT_EQ(aclrtFreePhysical(kept), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(SharedMappings, OneOfAllThreadsEndsAMapping) {
  constexpr int kRounds = 20;
  const Reservation addresses(1);
  const Physical memory;
  std::atomic<int> ended{0};
  Barrier barrier(kThreads);
  const Crowd crowd(kThreads, [&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      if (thread == 0) {
        EXPECT_EQ(aclrtMapMem(addresses.at(0), kChunk, 0, memory.get(), 0), 0) << aclGetRecentErrMsg();
      }
      barrier.wait();
      const aclError code = aclrtUnmapMem(addresses.at(0));
      EXPECT_TRUE(code == 0 || code == ACL_ERROR_RT_PARAM_INVALID) << code;
      ended += code == 0;
      barrier.wait();
      EXPECT_EQ(ended, round + 1);
      barrier.wait();
    }
  });
}

}  // namespace
}  // namespace aclvk::test
