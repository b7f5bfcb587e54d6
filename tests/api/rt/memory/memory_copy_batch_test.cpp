// Many copies in one call: T178-T181 and section 7.2.5.
#include "support/memory_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr aclrtMemLocation kHost{0, ACL_MEM_LOCATION_TYPE_HOST};
constexpr aclrtMemLocation kOnDevice{0, ACL_MEM_LOCATION_TYPE_DEVICE};

/// Four copies of 8 bytes from the host to the device, until a test changes something.
struct CopyBatch : OneBuffer {
  void SetUp() override {
    OneBuffer::SetUp();
    for (std::size_t i = 0; i < kSize; ++i) static_cast<std::uint8_t*>(h)[i] = static_cast<std::uint8_t>(i);
    for (std::size_t i = 0; i < kCount; ++i) {
      dsts[i] = static_cast<std::uint8_t*>(d) + 8 * (kCount - 1 - i);
      srcs[i] = static_cast<std::uint8_t*>(h) + 8 * i;
    }
  }

  aclError copy() {
    return aclrtMemcpyBatch(dsts, maxs, srcs, sizes, kCount, attributes, indexes, attribute_count, &fail_index);
  }
  aclError copy_async() {
    return aclrtMemcpyBatchAsync(dsts, maxs, srcs, sizes, kCount, attributes, indexes, attribute_count, &fail_index, s);
  }
  void expect_copied() {
    const Bytes bytes = content(d, 8 * kCount);
    for (std::size_t i = 0; i < kCount; ++i) EXPECT_EQ(bytes[8 * (kCount - 1 - i) + 3], 8 * i + 3);
    EXPECT_EQ(fail_index, SIZE_MAX);
  }

  static constexpr std::size_t kCount = 4;
  void* dsts[kCount] = {};
  void* srcs[kCount] = {};
  size_t maxs[kCount] = {8, 8, 8, 8};
  size_t sizes[kCount] = {8, 8, 8, 8};
  aclrtMemcpyBatchAttr attributes[kCount] = {{kOnDevice, kHost, {}}, {kOnDevice, kHost, {}}};
  size_t indexes[kCount] = {0, 2};
  size_t attribute_count = 1;
  size_t fail_index = 77;
};

TEST_F(CopyBatch, CopiesAll) {
  EXPECT_EQ(copy(), 0);
  expect_copied();
}

TEST_F(CopyBatch, CopiesAllInAStream) {
  attribute_count = 2;
  EXPECT_EQ(copy_async(), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  expect_copied();
}

TEST_F(CopyBatch, CopiesAllWithoutFailIndex) {
  fail_index = SIZE_MAX;
  EXPECT_EQ(aclrtMemcpyBatchV2(dsts, maxs, srcs, sizes, kCount, attributes, indexes, 1), 0);
  expect_copied();
  ASSERT_EQ(aclrtMemset(d, kSize, 0, kSize), 0);
  EXPECT_EQ(aclrtMemcpyBatchAsyncV2(dsts, maxs, srcs, sizes, kCount, attributes, indexes, 1, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  expect_copied();
}

TEST_F(CopyBatch, PageableMemoryIsCopiedToo) {
  Bytes pageable(8, 0x42);
  srcs[2] = pageable.data();
  EXPECT_EQ(copy(), 0);
  EXPECT_EQ(content(dsts[2], 8), pageable);
  std::fill(pageable.begin(), pageable.end(), std::uint8_t{0x43});
  EXPECT_EQ(copy_async(), 0);
  EXPECT_EQ(content(dsts[2], 8), pageable);
}

TEST_F(CopyBatch, T178_BadArguments) {
  EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, srcs, sizes, kCount, attributes, indexes, 1, nullptr),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, srcs, sizes, 0, attributes, indexes, 1, &fail_index), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(nullptr, maxs, srcs, sizes, kCount, attributes, indexes, 1, &fail_index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, nullptr, srcs, sizes, kCount, attributes, indexes, 1, &fail_index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, nullptr, sizes, kCount, attributes, indexes, 1, &fail_index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, srcs, nullptr, kCount, attributes, indexes, 1, &fail_index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, srcs, sizes, kCount, nullptr, indexes, 1, &fail_index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, srcs, sizes, kCount, attributes, nullptr, 1, &fail_index),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(fail_index, SIZE_MAX);
}

TEST_F(CopyBatch, TooManyAreRefusedUnread) {
  for (const size_t count : {size_t{4097}, SIZE_MAX}) {
    fail_index = 0;
    EXPECT_EQ(aclrtMemcpyBatch(dsts, maxs, srcs, sizes, count, attributes, indexes, 1, &fail_index),
              ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(fail_index, SIZE_MAX);
    EXPECT_EQ(aclrtMemcpyBatchAsyncV2(dsts, maxs, srcs, sizes, count, attributes, indexes, 1, s),
              ACL_ERROR_RT_PARAM_INVALID);
  }
}

TEST_F(CopyBatch, T178_NothingToCopy) {
  for (size_t& size : sizes) size = 0;
  EXPECT_EQ(copy(), 0);
  EXPECT_EQ(fail_index, SIZE_MAX);
}

TEST_F(CopyBatch, T179_MoreThanADestinationHolds) {
  maxs[1] = 7;
  EXPECT_EQ(copy(), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(content(d, 32), Bytes(32, 0)) << "nothing was copied";
}

TEST_F(CopyBatch, ReservedBytesAreZero) {
  attributes[0].rsv[15] = 1;
  EXPECT_EQ(copy(), ACL_ERROR_INVALID_PARAM);
}

TEST_F(CopyBatch, AttributesAndTheirIndexesMakeSense) {
  attribute_count = 0;
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  attribute_count = kCount + 1;
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  attribute_count = 2;
  indexes[0] = 1;
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  indexes[0] = 0;
  indexes[1] = 0;
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  indexes[1] = kCount;
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(fail_index, SIZE_MAX);
}

TEST_F(CopyBatch, T181_ACopyFromDeviceToDeviceIsNamed) {
  srcs[2] = static_cast<std::uint8_t*>(d) + 40;
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(fail_index, 2U);
}

TEST_F(CopyBatch, T181_ACopyThatIsNotWhereItsAttributeSaysIsNamed) {
  attributes[0] = {kHost, kOnDevice, {}};
  EXPECT_EQ(copy(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(fail_index, 0U);
}

TEST_F(CopyBatch, BothDirectionsInOneCall) {
  dsts[3] = static_cast<std::uint8_t*>(h) + 56;
  srcs[3] = static_cast<std::uint8_t*>(d) + 24;
  attribute_count = 2;
  indexes[1] = 3;
  attributes[1] = {kHost, kOnDevice, {}};
  EXPECT_EQ(copy(), 0);
  EXPECT_EQ(static_cast<std::uint8_t*>(h)[59], 3) << "the first copy, back again";
}

TEST_F(CopyBatch, AnEmptyCopyInAStreamIsNamed) {
  sizes[1] = 0;
  EXPECT_EQ(copy_async(), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(fail_index, 1U);
  EXPECT_EQ(copy(), 0) << "without a stream it is no error";
}

}  // namespace
}  // namespace aclvk::test
