// Fills: T169-T173.
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

using Fill = OneBuffer;

TEST_F(Fill, T169_Memset) {
  EXPECT_EQ(aclrtMemset(nullptr, 8, 0, 0), 0);
  EXPECT_EQ(aclrtMemset(nullptr, 8, 0, 8), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemset(d, 8, 0x1FF, 8), 0);
  EXPECT_EQ(content(d, 8), Bytes(8, 0xFF)) << "only the low byte counts";
}

TEST_F(Plain, T169_MemsetNeedsAContext) {
  int value = 5;
  EXPECT_EQ(aclrtMemset(&value, sizeof(value), 0, sizeof(value)), ACL_ERROR_RT_CONTEXT_NULL);
  EXPECT_EQ(value, 5);
}

TEST_F(Fill, T170_MemsetOfMoreThanTheBufferHolds) {
  EXPECT_EQ(aclrtMemset(d, 4, 1, 8), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(content(d, 8), Bytes(8, 0));
}

TEST_F(Fill, T171_MemsetAsyncOfMoreThanTheBufferHolds) {
  EXPECT_EQ(aclrtMemsetAsync(d, 4, 1, 8, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 8, 1, 8, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetAsync(nullptr, 8, 1, 0, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, 8), Bytes(8, 0));
}

TEST_F(Fill, T172_MemsetAsyncOfHostMemoryIsDoneAtOnce) {
  const BlockedStream blocked(s);
  Bytes pageable(8);
  EXPECT_EQ(aclrtMemsetAsync(h, kSize, 7, 8, s), 0);
  EXPECT_EQ(static_cast<std::uint8_t*>(h)[7], 7);
  EXPECT_EQ(aclrtMemsetAsync(pageable.data(), 8, 7, 8, s), 0);
  EXPECT_EQ(pageable, Bytes(8, 7));
  EXPECT_EQ(aclrtMemsetAsync(pageable.data(), 4, 7, 8, s), ACL_ERROR_RT_INTERNAL_ERROR);
}

TEST_F(Fill, MemsetAsyncOfDeviceMemoryKeepsTheOrder) {
  BlockedStream blocked(s);
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 7, kSize, s), 0);
  EXPECT_EQ(content(d, kSize), Bytes(kSize, 0));
  ASSERT_EQ(aclrtMemsetAsync(d, kSize, 8, 3, s), 0);
  blocked.release();
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(content(d, kSize), with_copied(Bytes(kSize, 7), 0, Bytes(3, 8), 0, 3));
}

TEST_F(Fill, MemsetAsyncChecksItsStream) {
  EXPECT_EQ(aclrtMemsetAsync(d, 8, 1, 8, h), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtMemsetAsync(d, 8, 1, 8, nullptr), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(content(d, 8), Bytes(8, 1));
}

struct FillEveryPlace : OneStream, testing::WithParamInterface<std::tuple<MemoryKind, bool>> {
  void SetUp() override {
    setenv("ACLVK_HOST_VISIBLE", std::get<1>(GetParam()) ? "1" : "0", 1);
    OneStream::SetUp();
  }

  template <typename Call>
  void check(std::size_t at, std::size_t size, Call&& fill) {
    const Bytes before = pattern(at + size + 16, 4);
    const Block block(std::get<0>(GetParam()), before);
    ASSERT_EQ(fill(block.at(at), size), 0);
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_TRUE(block.read() == with_copied(before, at, Bytes(size, 0xC3), 0, size)) << size << " bytes at " << at;
  }
};

TEST_P(FillEveryPlace, OddOffsetsAndSizes) {
  for (const std::size_t size : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 127, 4097, (1 << 20) + 3}) {
    for (std::size_t at = 0; at <= 5; ++at) {
      check(at, size, [](void* p, std::size_t bytes) { return aclrtMemset(p, bytes, 0xC3, bytes); });
      check(at, size, [this](void* p, std::size_t bytes) { return aclrtMemsetAsync(p, bytes, 0xC3, bytes, s); });
    }
  }
}

TEST_P(FillEveryPlace, MoreThanSixteenMegabytes) {
  check(3, (33 << 20) + 5, [](void* p, std::size_t bytes) { return aclrtMemset(p, bytes, 0xC3, bytes); });
  check(3, (33 << 20) + 5, [this](void* p, std::size_t bytes) { return aclrtMemsetAsync(p, bytes, 0xC3, bytes, s); });
}

INSTANTIATE_TEST_SUITE_P(All, FillEveryPlace,
                         testing::Combine(testing::Values(MemoryKind::kPageable, MemoryKind::kPinned,
                                                          MemoryKind::kDevice, MemoryKind::kManaged),
                                          testing::Bool()),
                         [](const auto& param) {
                           return name_of(std::get<0>(param.param)) + (std::get<1>(param.param) ? "" : "Staged");
                         });

TEST_F(Fill, T173_WordsBadArguments) {
  Bytes pageable(16);
  void* odd = static_cast<std::uint8_t*>(d) + 1;
  EXPECT_EQ(aclrtMemsetD32(d, 16, 1, 0), 0);
  EXPECT_EQ(aclrtMemsetD32(odd, 16, 1, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(d, 7, 1, 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(d, 16, 1, SIZE_MAX / 2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(pageable.data(), 16, 1, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32(nullptr, 16, 1, 1), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32Async(d, 16, 1, 0, s), 0);
  EXPECT_EQ(aclrtMemsetD32Async(odd, 16, 1, 1, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32Async(d, 7, 1, 2, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32Async(pageable.data(), 16, 1, 1, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemsetD32Async(nullptr, 16, 1, 1, s), ACL_ERROR_INVALID_PARAM);
}

TEST_F(Fill, T173_Words) {
  for (void* p : {d, h}) {
    ASSERT_EQ(aclrtMemset(p, kSize, 0, kSize), 0);
    ASSERT_EQ(aclrtMemsetD32(p, 8, 0x04030201, 2), 0);
    ASSERT_EQ(aclrtMemsetD32Async(static_cast<std::uint8_t*>(p) + 12, 4, 0x08070605, 1, s), 0);
    ASSERT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_EQ(content(p, 17), (Bytes{1, 2, 3, 4, 1, 2, 3, 4, 0, 0, 0, 0, 5, 6, 7, 8, 0}));
  }
}

}  // namespace
}  // namespace aclvk::test
