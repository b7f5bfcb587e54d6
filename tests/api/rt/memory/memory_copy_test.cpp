// Copies: T155-T168, T174-T177, and every combination of places.
#include <tuple>

#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

using Copy = OneBuffer;

std::uint8_t* bytes_at(void* pointer, std::size_t offset) { return static_cast<std::uint8_t*>(pointer) + offset; }

TEST_F(Plain, T155_NoBytesAreNoError) {
  EXPECT_EQ(aclrtMemcpy(nullptr, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(77)), 0);
  EXPECT_EQ(aclrtMemcpyAsync(nullptr, 0, nullptr, 0, static_cast<aclrtMemcpyKind>(77), nullptr), 0);
}

TEST_F(Copy, NullIsRefused) {
  EXPECT_EQ(aclrtMemcpy(nullptr, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy(d, 8, nullptr, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsync(nullptr, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyAsync(d, 8, nullptr, 8, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Copy, T157_UnknownKindsAreRefused) {
  for (const int kind : {6, 7, 99, -1}) {
    EXPECT_EQ(aclrtMemcpy(d, 8, h, 8, static_cast<aclrtMemcpyKind>(kind)), ACL_ERROR_INVALID_PARAM) << kind;
    EXPECT_EQ(aclrtMemcpyAsync(d, 8, h, 8, static_cast<aclrtMemcpyKind>(kind), s), ACL_ERROR_INVALID_PARAM) << kind;
  }
}

TEST_F(Copy, T158_MoreThanTheDestinationHoldsIsRefused) {
  std::memset(h, 1, kSize);
  EXPECT_EQ(aclrtMemcpy(d, 4, h, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsync(d, 4, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_ERROR_RT_PARAM_INVALID);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, 8), Bytes(8, 0)) << "nothing was copied";
}

TEST_F(Copy, T159_OntoItself) {
  EXPECT_EQ(aclrtMemcpy(d, 8, d, 8, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
  EXPECT_EQ(aclrtMemcpyAsync(d, 8, d, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
}

TEST_F(Plain, T161_NeedsAContext) {
  int from = 1;
  int to = 2;
  EXPECT_EQ(aclrtMemcpy(&to, sizeof(to), &from, sizeof(from), ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(to, 2);
}

TEST_F(Copy, T162_DoesNotWaitForStreams) {
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtMemset(other, kSize, 5, kSize), 0);
  const BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 1, kSize, s), 0);
  EXPECT_EQ(aclrtMemcpy(h, kSize, other, kSize, ACL_MEMCPY_DEVICE_TO_HOST), 0);
  EXPECT_EQ(*bytes_at(h, 63), 5);
}

TEST_F(Copy, T163_PageableMemoryIsCopiedToPageableMemory) {
  const std::vector<int> from = {3, 1, 4, 1, 5, 9, 2};
  std::vector<int> to(from.size(), -1);
  const std::size_t bytes = from.size() * sizeof(int);
  EXPECT_EQ(aclrtMemcpy(to.data(), bytes, from.data(), bytes, ACL_MEMCPY_HOST_TO_HOST), 0);
  EXPECT_EQ(to, from);
}

TEST_F(Copy, T165_HostToHostIsNotAsynchronous) {
  void* other = nullptr;
  ASSERT_EQ(aclrtMallocHost(&other, 8), 0);
  Bytes pageable(8);
  EXPECT_EQ(aclrtMemcpyAsync(other, 8, h, 8, ACL_MEMCPY_HOST_TO_HOST, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpyAsync(other, 8, h, 8, ACL_MEMCPY_DEVICE_TO_DEVICE, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpyAsync(pageable.data(), 8, h, 8, ACL_MEMCPY_DEFAULT, s), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Copy, T166_IntoPageableMemoryIsDoneOnReturn) {
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 3, kSize, s), 0);
  Bytes result(kSize);
  ASSERT_EQ(aclrtMemcpyAsync(result.data(), kSize, d, kSize, ACL_MEMCPY_DEVICE_TO_HOST, s), 0);
  EXPECT_EQ(result, Bytes(kSize, 3));
}

TEST_F(Copy, T167_FromPageableMemoryIsDoneOnReturn) {
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 3, kSize, s), 0);
  Bytes source(kSize, 8);
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, source.data(), kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  std::fill(source.begin(), source.end(), std::uint8_t{9});
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 8));
}

TEST_F(Copy, PinnedMemoryIsReadWhenTheStreamGetsThere) {
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, h, kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  std::memset(h, 4, kSize);
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 4));
}

TEST_F(Copy, StreamsThatAreNoneAreRefused) {
  aclrtStream gone = new_stream();
  ASSERT_EQ(aclrtDestroyStream(gone), 0);
  EXPECT_EQ(aclrtMemcpyAsync(d, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, gone), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemcpyAsync(d, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, h), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Copy, StreamsOfAnotherContextAreRefused) {
  aclrtContext other = nullptr;
  ASSERT_EQ(aclrtCreateContext(&other, 0), 0);
  EXPECT_EQ(aclrtMemcpyAsync(d, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_ERROR_RT_STREAM_CONTEXT);
  ASSERT_EQ(aclrtDestroyContext(other), 0);
}

TEST_F(Copy, TheDefaultStreamCopies) {
  std::memset(h, 6, kSize);
  ASSERT_EQ(aclrtMemcpyAsync(d, kSize, h, kSize, ACL_MEMCPY_HOST_TO_DEVICE, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 6));
}

// Bad pointers.

struct BadPointers : OneBuffer {
  void SetUp() override {
    OneBuffer::SetUp();
    // 32 to 64 bytes: the end of the allocation is the end of the bytes.
    ASSERT_EQ(aclrtMallocAlign32(&exact, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    ASSERT_EQ(aclrtMemset(exact, kSize, 0x5A, kSize), 0);
  }

  void expect_refused(void* device, std::size_t size, const std::string& why) {
    Bytes host(size);
    EXPECT_EQ(aclrtMemcpy(device, size, host.data(), size, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID)
        << why;
    EXPECT_EQ(aclrtMemcpy(host.data(), size, device, size, ACL_MEMCPY_DEVICE_TO_HOST), ACL_ERROR_RT_PARAM_INVALID)
        << why;
    EXPECT_EQ(aclrtMemcpy(device, size, d, size, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID) << why;
    EXPECT_EQ(aclrtMemset(device, size, 1, size), ACL_ERROR_RT_PARAM_INVALID) << why;
    EXPECT_NE(aclrtMemcpyAsync(device, size, d, size, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0) << why;
    EXPECT_NE(aclrtMemcpyAsync(d, size, device, size, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0) << why;
    EXPECT_NE(aclrtMemcpyAsync(device, size, h, size, ACL_MEMCPY_HOST_TO_DEVICE, s), 0) << why;
    EXPECT_EQ(aclrtSynchronizeStream(s), 0) << why;
  }

  void* exact = nullptr;
};

TEST_F(BadPointers, PastTheEnd) {
  expect_refused(bytes_at(exact, kSize), 1, "one behind the end");
  expect_refused(bytes_at(exact, kSize - 1), 2, "across the end");
  expect_refused(bytes_at(exact, 1), kSize, "all of it, one further");
  EXPECT_EQ(content(exact, kSize), Bytes(kSize, 0x5A));
}

TEST_F(BadPointers, PastTheEndOfABigAllocation) {
  constexpr std::size_t kBig = 20 << 20;
  void* big = nullptr;
  ASSERT_EQ(aclrtMallocAlign32(&big, kBig, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  expect_refused(bytes_at(big, kBig), 1, "one behind the end");
  expect_refused(bytes_at(big, kBig - 3), 4, "across the end");
  ASSERT_EQ(aclrtMemset(bytes_at(big, kBig - 3), 3, 1, 3), 0);
}

TEST_F(BadPointers, Freed) {
  void* later = nullptr;
  ASSERT_EQ(aclrtMalloc(&later, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtFree(exact), 0);
  expect_refused(exact, 8, "freed");
  ASSERT_EQ(aclrtFree(later), 0);
  expect_refused(later, 8, "freed");
}

TEST_F(BadPointers, FreedBig) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "On a CPU driver big allocations go back to malloc. The sanitizer keeps freed memory mapped, so that "
                  "the pointer cannot be told from one into pageable memory.";
#endif
  void* big = nullptr;
  ASSERT_EQ(aclrtMalloc(&big, 64 << 20, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  ASSERT_EQ(aclrtFree(big), 0);
  expect_refused(big, 8, "freed, and given back to the driver");
}

TEST_F(BadPointers, FreedPinned) {
  ASSERT_EQ(aclrtFreeHost(h), 0);
  EXPECT_EQ(aclrtMemcpy(d, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsync(d, 8, h, 8, ACL_MEMCPY_HOST_TO_DEVICE, s), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(BadPointers, NoMemoryAtAll) {
  for (const std::uintptr_t number : {std::uintptr_t{0x10}, std::uintptr_t{0xAC02000001000000}, UINTPTR_MAX - 4}) {
    expect_refused(reinterpret_cast<void*>(number), 8, std::to_string(number));
  }
}

TEST_F(BadPointers, ABadCopyOnABlockedStreamReturnsAtOnce) {
  const BlockedStream blocked(s);
  Bytes host(kSize + 1);
  EXPECT_EQ(aclrtMemcpyAsync(exact, kSize + 1, host.data(), kSize + 1, ACL_MEMCPY_HOST_TO_DEVICE, s),
            ACL_ERROR_RT_PARAM_INVALID);
}

// Every combination of places. Each copy is checked with all bytes around it.

struct Case {
  std::size_t dst_at, src_at, size;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 31, 127, 4097}) {
    for (std::size_t dst_at = 0; dst_at <= 5; ++dst_at) {
      for (std::size_t src_at = 0; src_at <= 5; ++src_at) all.push_back({dst_at, src_at, size});
    }
  }
  constexpr std::size_t kMore = (1 << 20) + 3;
  for (const Case& big : {Case{0, 0, kMore}, Case{1, 4, kMore}, Case{5, 2, kMore}}) all.push_back(big);
  return all;
}

struct EveryPlace : OneStream, testing::WithParamInterface<std::tuple<MemoryKind, MemoryKind, bool>> {
  void SetUp() override {
    std::tie(to, from, mapped) = GetParam();
    setenv("ACLVK_HOST_VISIBLE", mapped ? "1" : "0", 1);
    OneStream::SetUp();
  }

  bool host_to_host() const {
    const auto on_host = [](MemoryKind place) {
      return place == MemoryKind::kPageable || place == MemoryKind::kPinned;
    };
    return on_host(to) && on_host(from);
  }

  template <typename CopyCall>
  void check(const Case& c, CopyCall&& copy) {
    const Bytes before = pattern(c.dst_at + c.size + 16, 1);
    const Bytes source = pattern(c.src_at + c.size + 16, 2);
    const Block dst(to, before);
    const Block src(from, source);
    const Block neighbour(to, before);
    ASSERT_EQ(copy(dst.at(c.dst_at), src.at(c.src_at), c.size), 0);
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_TRUE(dst.read() == with_copied(before, c.dst_at, source, c.src_at, c.size))
        << c.size << " bytes from " << c.src_at << " to " << c.dst_at;
    EXPECT_TRUE(src.read() == source);
    EXPECT_TRUE(neighbour.read() == before);
  }

  MemoryKind to = MemoryKind::kDevice;
  MemoryKind from = MemoryKind::kDevice;
  bool mapped = true;
};

TEST_P(EveryPlace, Synchronous) {
  for (const Case& c : cases()) {
    check(c, [](void* dst, const void* src, std::size_t size) {
      return aclrtMemcpy(dst, size, src, size, ACL_MEMCPY_DEFAULT);
    });
  }
}

TEST_P(EveryPlace, Asynchronous) {
  if (host_to_host()) GTEST_SKIP() << "refused, see T165";
  for (const Case& c : cases()) {
    check(c, [this](void* dst, const void* src, std::size_t size) {
      return aclrtMemcpyAsync(dst, size, src, size, ACL_MEMCPY_DEFAULT, s);
    });
  }
}

TEST_P(EveryPlace, AWrongKindCopiesAllTheSame) {
  for (const int kind : {0, 1, 2, 3, 4, 5}) {
    check({3, 1, 1000}, [kind](void* dst, const void* src, std::size_t size) {
      return aclrtMemcpy(dst, size, src, size, static_cast<aclrtMemcpyKind>(kind));
    });
  }
}

TEST_P(EveryPlace, MoreThanSixteenMegabytes) {
  check({1, 3, (33 << 20) + 5}, [](void* dst, const void* src, std::size_t size) {
    return aclrtMemcpy(dst, size, src, size, ACL_MEMCPY_DEFAULT);
  });
  if (host_to_host()) return;
  check({2, 0, (17 << 20) + 1}, [this](void* dst, const void* src, std::size_t size) {
    return aclrtMemcpyAsync(dst, size, src, size, ACL_MEMCPY_DEFAULT, s);
  });
}

constexpr MemoryKind kPlaces[] = {MemoryKind::kPageable, MemoryKind::kPinned, MemoryKind::kDevice,
                                  MemoryKind::kManaged};

INSTANTIATE_TEST_SUITE_P(All, EveryPlace,
                         testing::Combine(testing::ValuesIn(kPlaces), testing::ValuesIn(kPlaces), testing::Bool()),
                         [](const auto& param) {
                           return name_of(std::get<1>(param.param)) + "To" + name_of(std::get<0>(param.param)) +
                                  (std::get<2>(param.param) ? "" : "Staged");
                         });

TEST_F(Copy, InsideOneAllocation) {
  const Bytes before = pattern(4096, 7);
  const Block block(MemoryKind::kDevice, before);
  ASSERT_EQ(aclrtMemcpy(block.at(2001), 999, block.at(3), 999, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
  EXPECT_EQ(block.read(), with_copied(before, 2001, before, 3, 999));
}

// The interface leaves it open; the copy is as with memory between them, and no invalid command comes of it.
TEST_F(Copy, BytesThatOverlapAreMoved) {
  const Bytes before = pattern(4096, 7);
  for (const auto& [to, from] :
       {std::pair(5, 0), std::pair(0, 5), std::pair(700, 3), std::pair(3, 700), std::pair(9, 9)}) {
    const Block block(MemoryKind::kDevice, before);
    ASSERT_EQ(aclrtMemcpyAsync(block.at(to), 999, block.at(from), 999, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0)
        << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_EQ(block.read(), with_copied(before, to, before, from, 999)) << from << " to " << to;
  }
  const Block large(MemoryKind::kDevice, pattern(65536, 7));
  EXPECT_EQ(aclrtMemcpyAsync(large.at(1), 65000, large.at(0), 65000, ACL_MEMCPY_DEVICE_TO_DEVICE, s),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpyAsync(large.at(16), 65000, large.at(0), 65000, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

// A synchronous copy that overlaps goes through the host, 16 MiB at a time.
TEST_F(Copy, ManyBytesThatOverlapAreMovedByTheHost) {
  constexpr std::size_t kBytes = (std::size_t{33} << 20) + 7;
  const Bytes before = pattern(kBytes + 4096, 251);
  for (const auto& [to, from] : {std::pair(5, 0), std::pair(0, 5)}) {
    const Block block(MemoryKind::kDevice, before);
    ASSERT_EQ(aclrtMemcpy(block.at(to), kBytes, block.at(from), kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE), 0);
    EXPECT_TRUE(block.read() == with_copied(before, to, before, from, kBytes)) << from << " to " << to;
  }
}

TEST_F(Copy, RowsThatOverlapAreMoved) {
  const Bytes before = pattern(4096, 7);
  for (const auto& [to, from] : {std::pair(8, 0), std::pair(0, 8), std::pair(64, 0), std::pair(0, 64)}) {
    const Block block(MemoryKind::kDevice, before);
    ASSERT_EQ(aclrtMemcpy2dAsync(block.at(to), 64, block.at(from), 64, 48, 20, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    Bytes expected = before;
    for (int row = 0; row < 20; ++row) expected = with_copied(expected, to + 64 * row, before, from + 64 * row, 48);
    EXPECT_EQ(block.read(), expected) << from << " to " << to;
  }
}

// Rows whose pitches differ move down in memory on one side of a row, and up on the other.
TEST_F(Copy, RowsThatOverlapWithOtherPitchesAreMoved) {
  struct Pitches {
    int to;
    int to_pitch;
    int from;
    int from_pitch;
  };
  const Bytes before = pattern(4096, 251);
  for (const Pitches& c :
       {Pitches{0, 64, 0, 48}, Pitches{0, 48, 0, 64}, Pitches{0, 64, 160, 48}, Pitches{160, 48, 0, 64},
        Pitches{7, 64, 100, 33}, Pitches{100, 33, 7, 64}, Pitches{300, 64, 0, 48}, Pitches{0, 48, 300, 64}}) {
    const int width = std::min(c.to_pitch, c.from_pitch) - 1;
    Bytes expected = before;
    for (int row = 0; row < 20; ++row) {
      expected = with_copied(expected, c.to + c.to_pitch * row, before, c.from + c.from_pitch * row, width);
    }
    const auto what = testing::Message() << c.from << " by " << c.from_pitch << " to " << c.to << " by " << c.to_pitch;
    const Block block(MemoryKind::kDevice, before);
    ASSERT_EQ(aclrtMemcpy2dAsync(block.at(c.to), c.to_pitch, block.at(c.from), c.from_pitch, width, 20,
                                 ACL_MEMCPY_DEVICE_TO_DEVICE, s),
              0)
        << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_EQ(block.read(), expected) << what;
    const Block pinned(MemoryKind::kPinned, before);
    ASSERT_EQ(
        aclrtMemcpy2d(pinned.at(c.to), c.to_pitch, pinned.at(c.from), c.from_pitch, width, 20, ACL_MEMCPY_DEFAULT), 0)
        << aclGetRecentErrMsg();
    EXPECT_EQ(pinned.read(), expected) << what << ", by the host";
  }
}

TEST_F(Copy, ManyInARowKeepTheirOrder) {
  constexpr std::size_t kCount = 200;
  const Bytes source = pattern(kCount + kSize, 3);
  const Block src(MemoryKind::kPinned, source);
  for (std::size_t i = 0; i < kCount; ++i) {
    ASSERT_EQ(aclrtMemcpyAsync(d, kSize, src.at(i), kSize, ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  }
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), with_copied(Bytes(kSize), 0, source, kCount - 1, kSize));
}

// Rows.

using Rows = Copy;

TEST_F(Plain, T174_NoRowsAreNoError) {
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 0, 5, ACL_MEMCPY_HOST_TO_DEVICE), 0);
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 0, nullptr, 0, 5, 0, ACL_MEMCPY_HOST_TO_DEVICE), 0);
}

TEST_F(Rows, T174_BadArguments) {
  EXPECT_EQ(aclrtMemcpy2d(d, 4, h, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(d, 8, h, 4, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(d, 8, h, 8, 8, 2, ACL_MEMCPY_HOST_TO_HOST), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(d, 8, h, 8, 8, 2, static_cast<aclrtMemcpyKind>(5)), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(nullptr, 8, h, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpy2d(d, 8, nullptr, 8, 8, 2, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Rows, T175_FromDeviceToDeviceOnlyAsynchronously) {
  void* other = nullptr;
  ASSERT_EQ(aclrtMalloc(&other, kSize, ACL_MEM_MALLOC_HUGE_FIRST), 0);
  EXPECT_EQ(aclrtMemcpy2d(other, 8, d, 8, 4, 2, ACL_MEMCPY_DEVICE_TO_DEVICE), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpy2d(other, 8, d, 8, 4, 2, ACL_MEMCPY_DEFAULT), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy2dAsync(other, 8, d, 8, 4, 2, ACL_MEMCPY_DEVICE_TO_DEVICE, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Rows, FromHostToHostAreNotAsynchronous) {
  Bytes pageable(16);
  EXPECT_EQ(aclrtMemcpy2dAsync(pageable.data(), 8, h, 8, 4, 2, ACL_MEMCPY_DEFAULT, s),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  EXPECT_EQ(aclrtMemcpy2dAsync(h, 8, pageable.data(), 8, 4, 2, ACL_MEMCPY_DEFAULT, s),
            ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
}

TEST_F(Rows, T177_Limits) {
  EXPECT_EQ(aclrtMemcpy2d(d, 5000001, h, 5000001, 5000001, 1, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemcpy2d(d, 8, h, 8, 8, 5242881, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Rows, RowsThatLeaveTheAllocationAreRefused) {
  Bytes host(8192);
  EXPECT_EQ(aclrtMemcpy2d(d, 64, host.data(), 64, 32, 128, ACL_MEMCPY_HOST_TO_DEVICE), ACL_ERROR_RT_PARAM_INVALID);
}

struct EveryPlaceRows : EveryPlace {
  template <typename CopyCall>
  void check_rows(std::size_t dst_pitch, std::size_t src_pitch, std::size_t width, std::size_t height,
                  CopyCall&& copy) {
    const Bytes before = pattern(dst_pitch * height + 8, 1);
    const Bytes source = pattern(src_pitch * height + 8, 2);
    const Block dst(to, before);
    const Block src(from, source);
    ASSERT_EQ(copy(dst.at(1), dst_pitch, src.at(3), src_pitch, width, height), 0);
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    Bytes expected = before;
    for (std::size_t row = 0; row < height; ++row) {
      expected = with_copied(std::move(expected), 1 + row * dst_pitch, source, 3 + row * src_pitch, width);
    }
    EXPECT_TRUE(dst.read() == expected) << width << " x " << height;
  }
};

TEST_P(EveryPlaceRows, Asynchronous) {
  if (host_to_host()) GTEST_SKIP() << "refused, see Rows.FromHostToHostAreNotAsynchronous";
  const auto copy = [this](void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch, std::size_t width,
                           std::size_t height) {
    return aclrtMemcpy2dAsync(dst, dst_pitch, src, src_pitch, width, height, ACL_MEMCPY_DEFAULT, s);
  };
  check_rows(16, 16, 16, 4, copy);
  check_rows(17, 19, 13, 7, copy);
  check_rows(64, 7, 1, 33, copy);
  check_rows(4099, 5003, 4097, 97, copy);
}

TEST_P(EveryPlaceRows, Synchronous) {
  if (to == MemoryKind::kDevice && from == MemoryKind::kDevice) GTEST_SKIP() << "refused, see T175";
  const auto copy = [](void* dst, std::size_t dst_pitch, const void* src, std::size_t src_pitch, std::size_t width,
                       std::size_t height) {
    return aclrtMemcpy2d(dst, dst_pitch, src, src_pitch, width, height, ACL_MEMCPY_DEFAULT);
  };
  check_rows(16, 16, 16, 4, copy);
  check_rows(17, 19, 13, 7, copy);
  check_rows(64, 7, 1, 33, copy);
  check_rows(70001, 80000, 65537, 300, copy);  // more than one piece of staging memory
}

INSTANTIATE_TEST_SUITE_P(All, EveryPlaceRows,
                         testing::Combine(testing::ValuesIn(kPlaces), testing::ValuesIn(kPlaces), testing::Bool()),
                         [](const auto& param) {
                           return name_of(std::get<1>(param.param)) + "To" + name_of(std::get<0>(param.param)) +
                                  (std::get<2>(param.param) ? "" : "Staged");
                         });

}  // namespace
}  // namespace aclvk::test
