// Reductions in memory: T195.
#include <numeric>

#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"
#include "support/numbers.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,   ACL_INT8,  ACL_INT16,
                                  ACL_INT32, ACL_UINT8,   ACL_UINT16, ACL_UINT32};
constexpr aclrtReduceKind kKinds[] = {ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX,
                                      ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL};
constexpr aclrtReduceKind kSum = ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM;

std::size_t size_of(aclDataType type) { return aclDataTypeSize(type); }

/// Values of all sizes and signs that the type has, equal ones among them.
Bytes elements(aclDataType type, std::size_t count, std::uint32_t seed) {
  Bytes bytes = pattern(count * size_of(type), seed);
  if (!is_floating(type)) {
    for (std::size_t i = 0; i < bytes.size(); i += 3 * size_of(type)) {
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(i), size_of(type), std::uint8_t{0x81});
    }
    return bytes;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const int number = static_cast<int>((i * 37 + seed * 101) % 256) - 128;
    write_element(reinterpret_cast<std::byte*>(bytes.data()) + i * size_of(type), type, Real(i % 3 ? number : 5));
  }
  return bytes;
}

Number combined(Number x, Number y, aclrtReduceKind kind) {
  switch (kind) {
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM: return x + y;
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX: return std::max(x.real(), y.real());
    case ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN: return std::min(x.real(), y.real());
    default: return Real(x == y);
  }
}

Bytes reduced(const Bytes& dst, const Bytes& src, aclDataType type, aclrtReduceKind kind) {
  Bytes result = dst;
  const auto at = [](const Bytes& bytes, std::size_t i) { return reinterpret_cast<const std::byte*>(&bytes[i]); };
  for (std::size_t i = 0; i < dst.size(); i += size_of(type)) {
    const Number value = combined(read_element(at(dst, i), type), read_element(at(src, i), type), kind);
    write_element(reinterpret_cast<std::byte*>(&result[i]), type, value);
  }
  return result;
}

using Reduce = OneStream;

TEST_F(Reduce, T195_EveryTypeAndKindAtEveryOffset) {
  for (const aclDataType type : kTypes) {
    for (const aclrtReduceKind kind : kKinds) {
      for (const std::size_t count : {1U, 2U, 7U, 64U, 1000U}) {
        SCOPED_TRACE("type " + std::to_string(type) + ", kind " + std::to_string(kind) + ", " + std::to_string(count));
        const Bytes x = elements(type, count, 1);
        const Bytes y = elements(type, count, 2);
        const std::size_t dst_at = size_of(type) * (count % 5);
        const std::size_t src_at = size_of(type) * (count % 3);
        const Bytes around = pattern(x.size() + 64, 3);
        const Block dst(MemoryKind::kDevice, with_copied(around, dst_at, x, 0, x.size()));
        const Block src(MemoryKind::kDevice, with_copied(around, src_at, y, 0, y.size()));
        ASSERT_EQ(aclrtReduceAsync(dst.at(dst_at), src.at(src_at), x.size(), kind, type, s, nullptr), 0)
            << aclGetRecentErrMsg();
        ASSERT_EQ(aclrtSynchronizeStream(s), 0);
        ASSERT_EQ(dst.read(), with_copied(around, dst_at, reduced(x, y, type, kind), 0, x.size()));
        ASSERT_EQ(src.read(), with_copied(around, src_at, y, 0, y.size()));
      }
    }
  }
}

TEST_F(Reduce, PackedFourBitIntegers) {
  const Block dst(MemoryKind::kDevice, {0x17, 0xF8, 0x00});
  const Block src(MemoryKind::kDevice, {0x21, 0x18, 0xFF});
  ASSERT_EQ(aclrtReduceAsync(dst.begin(), src.begin(), 3, kSum, ACL_INT4, s, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(dst.read(), (Bytes{0x38, 0x00, 0xFF}));
  ASSERT_EQ(aclrtReduceAsync(dst.begin(), src.begin(), 3, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_INT4, s, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(dst.read(), (Bytes{0x31, 0x10, 0xFF})) << "3 and 2, -8 and 1; 0 and 1, 0 and -8; -1 and -1";
}

TEST_F(Reduce, NanWinsInMaximaAndMinima) {
  const auto reduce = [&](float x, float y, aclrtReduceKind kind) {
    float result = x;
    void* dst = nullptr;
    EXPECT_EQ(aclrtMalloc(&dst, 8, ACL_MEM_MALLOC_HUGE_FIRST), 0);
    auto* src = static_cast<float*>(dst) + 1;
    EXPECT_EQ(aclrtMemcpy(dst, 4, &x, 4, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    EXPECT_EQ(aclrtMemcpy(src, 4, &y, 4, ACL_MEMCPY_HOST_TO_DEVICE), 0);
    EXPECT_EQ(aclrtReduceAsync(dst, src, 4, kind, ACL_FLOAT, s, nullptr), 0);
    EXPECT_EQ(aclrtSynchronizeStream(s), 0);
    EXPECT_EQ(aclrtMemcpy(&result, 4, dst, 4, ACL_MEMCPY_DEVICE_TO_HOST), 0);
    EXPECT_EQ(aclrtFree(dst), 0);
    return result;
  };
  const float nan = std::nanf("");
  for (const auto kind : {ACL_RT_MEMCPY_SDMA_AUTOMATIC_MAX, ACL_RT_MEMCPY_SDMA_AUTOMATIC_MIN}) {
    EXPECT_TRUE(std::isnan(reduce(nan, 1, kind)));
    EXPECT_TRUE(std::isnan(reduce(1, nan, kind)));
  }
  EXPECT_EQ(reduce(nan, nan, ACL_RT_MEMCPY_SDMA_AUTOMATIC_EQUAL), 0);
}

TEST_F(Reduce, ManyElements) {
  constexpr std::size_t kCount = 3 * 1024 * 1024 + 5;
  std::vector<float> x(kCount);
  std::iota(x.begin(), x.end(), 0.0F);
  Bytes bytes(kCount * sizeof(float));
  std::memcpy(bytes.data(), x.data(), bytes.size());
  const Block dst(MemoryKind::kDevice, bytes);
  const Block src(MemoryKind::kDevice, bytes);
  ASSERT_EQ(aclrtReduceAsync(dst.begin(), src.begin(), bytes.size(), kSum, ACL_FLOAT, s, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  const Bytes result = dst.read();
  std::memcpy(x.data(), result.data(), result.size());
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(x[i], 2 * static_cast<float>(i)) << i;
}

TEST_F(Reduce, ItsOrderInTheStreamIsKept) {
  const Block dst(MemoryKind::kDevice, Bytes(64, 0));
  ASSERT_EQ(aclrtMemsetAsync(dst.begin(), 64, 3, 64, s), 0);
  ASSERT_EQ(aclrtReduceAsync(dst.begin(), dst.begin(), 64, kSum, ACL_UINT8, s, nullptr), 0);
  ASSERT_EQ(aclrtReduceAsync(dst.begin(), dst.begin(), 64, kSum, ACL_UINT8, s, nullptr), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(dst.read(), Bytes(64, 12));
}

TEST_F(Reduce, T195_BadArguments) {
  const Block a(MemoryKind::kDevice, Bytes(64, 0));
  const Block b(MemoryKind::kDevice, Bytes(64, 0));
  void* const dst = a.begin();
  void* const src = b.begin();
  EXPECT_EQ(aclrtReduceAsync(dst, src, 64, kSum, ACL_BOOL, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 64, kSum, ACL_INT64, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 64, kSum, ACL_FLOAT, s, dst), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(nullptr, src, 64, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(dst, nullptr, 64, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 0, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 64, static_cast<aclrtReduceKind>(9), ACL_FLOAT, s, nullptr),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 6, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_RT_PARAM_INVALID) << "1.5 elements";
  EXPECT_EQ(aclrtReduceAsync(a.at(2), src, 4, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 8192, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_RT_PARAM_INVALID) << "too long";
  float on_stack[16] = {};
  EXPECT_EQ(aclrtReduceAsync(dst, on_stack, 64, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 64, kSum, ACL_FLOAT, dst, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  EXPECT_EQ(aclrtReduceAsync(dst, src, 64, kSum, ACL_FLOAT, s, nullptr), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), 0);
}

class ReduceInCapture : public CaptureTest {};

TEST_F(ReduceInCapture, T129_IsReplayed) {
  const Cell sum(1);
  const Cell by(2);
  aclmdlRI model = capture(
      [&] { EXPECT_EQ(aclrtReduceAsync(sum.address(), by.address(), sum.bytes(), kSum, ACL_FLOAT, s, nullptr), 0); });
  EXPECT_EQ(sum.value(), 1) << "captured, not done";
  run(model, s);
  run(model, s);
  EXPECT_EQ(sum.value(), 5);
}

}  // namespace
}  // namespace aclvk::test
