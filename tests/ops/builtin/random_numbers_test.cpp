// Random numbers in memory: T199. The reference for integers is a second Philox; distributions are looked at as wholes.
#include <cmath>
#include <numeric>

#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"
#include "support/numbers.hpp"
#include "support/philox.hpp"

namespace aclvk::test {
namespace {

Block4 block_of(std::uint64_t index, std::uint64_t counter, std::uint64_t seed) {
  return philox({static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32),
                 static_cast<std::uint32_t>(counter), static_cast<std::uint32_t>(counter >> 32)},
                {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)});
}

template <typename T>
aclrtRandomParaInfo given(T value) {
  aclrtRandomParaInfo info{};
  std::memcpy(info.valueOrAddr, &value, sizeof(T));
  info.size = sizeof(T);
  return info;
}

aclrtRandomParaInfo at(const void* address, std::uint8_t size) {
  aclrtRandomParaInfo info{};
  info.isAddr = 1;
  std::memcpy(info.valueOrAddr, &address, sizeof(address));
  info.size = size;
  return info;
}

template <typename T>
aclrtRandomNumTaskInfo task(aclDataType type, aclrtRandomNumFuncType function, T first, T second, std::uint64_t count,
                            void* result, void* counter) {
  aclrtRandomNumTaskInfo info{};
  info.dataType = type;
  info.randomNumFuncParaInfo.funcType = function;
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {given(first), given(second)};
  info.randomResultAddr = result;
  info.randomCounterAddr = counter;
  info.randomSeed = given(std::uint64_t{0x0123456789ABCDEF});
  info.randomNum = given(count);
  return info;
}

constexpr std::uint64_t kSeed = 0x0123456789ABCDEF;
constexpr auto kUniform = ACL_RT_RANDOM_NUM_FUNC_TYPE_UNIFORM_DIS;
constexpr auto kNormal = ACL_RT_RANDOM_NUM_FUNC_TYPE_NORMAL_DIS;
constexpr auto kTruncated = ACL_RT_RANDOM_NUM_FUNC_TYPE_TRUNCATED_NORMAL_DIS;
constexpr auto kDropout = ACL_RT_RANDOM_NUM_FUNC_TYPE_DROPOUT_BITMASK;

class RandomNumbers : public OneStream {
 protected:
  Bytes run(const aclrtRandomNumTaskInfo& info, const Block& result) {
    EXPECT_EQ(aclrtRandomNumAsync(&info, s, nullptr), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtSynchronizeStream(s), 0) << aclGetRecentErrMsg();
    return result.read();
  }

  /// `count` values of a distribution, as numbers.
  template <typename T>
  std::vector<double> values(aclDataType type, aclrtRandomNumFuncType function, T first, T second, std::size_t count) {
    const std::size_t size = aclDataTypeSize(type);
    const Block result(MemoryKind::kDevice, Bytes(count * size, 0));
    const Bytes bytes = run(task(type, function, first, second, count, result.begin(), nullptr), result);
    std::vector<double> numbers;
    for (std::size_t i = 0; i < count; ++i) {
      const auto* element = reinterpret_cast<const std::byte*>(&bytes[i * size]);
      numbers.push_back(static_cast<double>(read_element(element, type).real()));
    }
    return numbers;
  }
};

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

double deviation(const std::vector<double>& numbers) {
  const double middle = mean(numbers);
  double sum = 0;
  for (const double number : numbers) sum += (number - middle) * (number - middle);
  return std::sqrt(sum / static_cast<double>(numbers.size()));
}

TEST_F(RandomNumbers, TheReferenceIsPhilox) {
  EXPECT_EQ(philox({0, 0, 0, 0}, {0, 0}), (Block4{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8}));
}

TEST_F(RandomNumbers, IntegersAreThoseOfTheGenerator) {
  constexpr std::size_t kCount = 1003;
  const std::uint64_t counter = 0x100000002;
  Bytes counter_bytes(8);
  std::memcpy(counter_bytes.data(), &counter, 8);
  const Block counter_block(MemoryKind::kDevice, counter_bytes);
  const Block result(MemoryKind::kDevice, Bytes(kCount * 4 + 4, 0xEE));
  const auto info =
      task(ACL_UINT32, kUniform, std::uint32_t{10}, std::uint32_t{1010}, kCount, result.begin(), counter_block.begin());
  const Bytes bytes = run(info, result);
  for (std::size_t i = 0; i < kCount; ++i) {
    const std::uint64_t word = block_of(i / 4, counter, kSeed)[i % 4];
    ASSERT_EQ(bits_as<std::uint32_t>(reinterpret_cast<const std::byte*>(&bytes[i * 4])), 10 + (word * 1000 >> 32)) << i;
  }
  EXPECT_EQ(Bytes(bytes.end() - 4, bytes.end()), Bytes(4, 0xEE)) << "behind the last value";
}

TEST_F(RandomNumbers, WideIntegersAreThoseOfTheGenerator) {
  constexpr std::size_t kCount = 101;
  constexpr std::int64_t kLow = -5'000'000'000'000'000'000;
  constexpr std::int64_t kHigh = 4'000'000'000'000'000'000;
  const Block result(MemoryKind::kDevice, Bytes(kCount * 8, 0));
  const Bytes bytes = run(task(ACL_INT64, kUniform, kLow, kHigh, kCount, result.begin(), nullptr), result);
  for (std::size_t i = 0; i < kCount; ++i) {
    const Block4 block = block_of(i / 2, 0, kSeed);
    const std::uint64_t word = block[i % 2 * 2] | std::uint64_t{block[i % 2 * 2 + 1]} << 32;
    __extension__ using Product = unsigned __int128;
    const auto range = static_cast<std::uint64_t>(kHigh) - static_cast<std::uint64_t>(kLow);
    const auto expected = static_cast<std::int64_t>(static_cast<std::uint64_t>(kLow) +
                                                    static_cast<std::uint64_t>(Product{word} * range >> 64));
    ASSERT_EQ(bits_as<std::int64_t>(reinterpret_cast<const std::byte*>(&bytes[i * 8])), expected) << i;
  }
}

TEST_F(RandomNumbers, UniformRealsFillTheirRange) {
  const auto check = [&](aclDataType type, auto low, auto high) {
    SCOPED_TRACE(type);
    const auto numbers = values(type, kUniform, low, high, 20001);
    EXPECT_GE(*std::min_element(numbers.begin(), numbers.end()), -1.0);
    EXPECT_LE(*std::max_element(numbers.begin(), numbers.end()), 3.0);
    EXPECT_NEAR(mean(numbers), 1.0, 0.05);
    EXPECT_NEAR(deviation(numbers), 4 / std::sqrt(12.0), 0.05);
  };
  check(ACL_FLOAT, -1.0F, 3.0F);
  check(ACL_FLOAT, -1.0, 3.0);
  check(ACL_FLOAT16, half_bits(-1), half_bits(3));
  check(ACL_FLOAT16, -1.0F, 3.0F);
  check(ACL_BF16, std::uint16_t{0xBF80}, std::uint16_t{0x4040});
}

TEST_F(RandomNumbers, NormalNumbersHaveMeanAndDeviation) {
  const auto check = [&](aclDataType type, auto middle, auto width, double expected_mean, double expected_width) {
    SCOPED_TRACE(type);
    const auto numbers = values(type, kNormal, middle, width, 20001);
    EXPECT_NEAR(mean(numbers), expected_mean, expected_width * 0.05);
    EXPECT_NEAR(deviation(numbers), expected_width, expected_width * 0.05);
    const auto far = [&](double x) { return std::fabs(x - expected_mean) > 3 * expected_width; };
    EXPECT_GT(std::count_if(numbers.begin(), numbers.end(), far), 20) << "0.27 % lie beyond three deviations";
    EXPECT_LT(std::count_if(numbers.begin(), numbers.end(), far), 100);
  };
  check(ACL_FLOAT, 2.0F, 0.5F, 2, 0.5);
  check(ACL_FLOAT16, half_bits(2), half_bits(0.5L), 2, 0.5);
  check(ACL_BF16, std::uint16_t{0x4000}, std::uint16_t{0x4000}, 2, 2);
  check(ACL_INT32, std::int32_t{-70}, std::int32_t{1000}, -70, 1000);
  check(ACL_UINT32, std::uint32_t{100000}, std::uint32_t{1000}, 100000, 1000);
  check(ACL_INT64, std::int64_t{-70}, std::int64_t{1000}, -70, 1000);
  check(ACL_UINT64, std::uint64_t{100000}, std::uint64_t{1000}, 100000, 1000);
}

TEST_F(RandomNumbers, IntegersSaturate) {
  for (const double number : values(ACL_UINT32, kNormal, std::uint32_t{0}, std::uint32_t{1000}, 1000)) {
    ASSERT_LT(number, 10000) << "below 0 there is 0";
  }
  const auto numbers = values(ACL_INT32, kNormal, INT32_MAX, std::int32_t{1000}, 1000);
  EXPECT_EQ(*std::max_element(numbers.begin(), numbers.end()), INT32_MAX);
  EXPECT_GT(*std::min_element(numbers.begin(), numbers.end()), INT32_MAX - 10000.0);
}

TEST_F(RandomNumbers, TruncatedNormalNumbersStayWithinTwoDeviations) {
  const auto numbers = values(ACL_FLOAT, kTruncated, 1.0F, 3.0F, 20001);
  EXPECT_GE(*std::min_element(numbers.begin(), numbers.end()), 1 - 6.001);
  EXPECT_LE(*std::max_element(numbers.begin(), numbers.end()), 1 + 6.001);
  EXPECT_LT(*std::min_element(numbers.begin(), numbers.end()), 1 - 5.8);
  EXPECT_NEAR(mean(numbers), 1, 0.1);
  EXPECT_NEAR(deviation(numbers), 3 * 0.8796, 0.1);
}

TEST_F(RandomNumbers, AMaskKeepsWhatIsNotDropped) {
  constexpr std::size_t kBits = 20003;
  const Block result(MemoryKind::kDevice, Bytes(kBits / 8 + 9, 0xEE));
  const auto kept = [&](float ratio) {
    const auto info = task(ACL_FLOAT, kDropout, ratio, 0.0F, kBits, result.begin(), nullptr);
    const Bytes bytes = run(info, result);
    EXPECT_EQ(Bytes(bytes.end() - 8, bytes.end()), Bytes(8, 0xEE)) << "behind the mask";
    EXPECT_EQ(bytes[kBits / 8] >> kBits % 8, 0) << "the rest of the last byte";
    std::size_t ones = 0;
    for (std::size_t i = 0; i < kBits; ++i) ones += bytes[i / 8] >> i % 8 & 1;
    return ones;
  };
  EXPECT_EQ(kept(0.0F), kBits);
  EXPECT_EQ(kept(1.0F), 0U);
  EXPECT_NEAR(static_cast<double>(kept(0.25F)) / kBits, 0.75, 0.02);
}

TEST_F(RandomNumbers, EqualSeedAndCounterGiveEqualNumbers) {
  const Block counter(MemoryKind::kDevice, Bytes(8, 1));
  const Block result(MemoryKind::kDevice, Bytes(4000, 0));
  auto info = task(ACL_FLOAT, kNormal, 0.0F, 1.0F, 1000, result.begin(), counter.begin());
  const Bytes first = run(info, result);
  EXPECT_EQ(run(info, result), first);
  EXPECT_EQ(counter.read(), Bytes(8, 1)) << "the counter is the program's";
  ASSERT_EQ(aclrtMemset(counter.begin(), 8, 2, 8), 0);
  const Bytes second = run(info, result);
  EXPECT_NE(second, first);
  info.randomSeed = given(std::uint64_t{1});
  EXPECT_NE(run(info, result), second);
}

TEST_F(RandomNumbers, FewerNumbersAreTheBeginningOfMore) {
  const auto many = values(ACL_FLOAT16, kUniform, half_bits(0), half_bits(1), 1001);
  const auto few = values(ACL_FLOAT16, kUniform, half_bits(0), half_bits(1), 7);
  EXPECT_EQ(few, std::vector<double>(many.begin(), many.begin() + 7));
}

TEST_F(RandomNumbers, WhatIsGivenByAddressIsReadByTheStream) {
  const Block numbers(MemoryKind::kDevice, Bytes(64, 0));
  const Block result(MemoryKind::kDevice, Bytes(64, 0xEE));
  auto info = task(ACL_INT32, kUniform, std::int32_t{0}, std::int32_t{0}, 0, result.begin(), nullptr);
  info.randomNum = at(numbers.begin(), 8);
  info.randomSeed = at(numbers.at(8), 8);
  info.randomNumFuncParaInfo.paramInfo.uniformDisInfo = {at(numbers.at(16), 4), at(numbers.at(20), 4)};

  const std::int64_t content[] = {5, 42, std::int64_t{3} << 32 | 2};  // 5 values, seed 42, from 2 to 3
  void* pinned = nullptr;
  ASSERT_EQ(aclrtMallocHost(&pinned, sizeof(content)), 0);
  std::memcpy(pinned, content, sizeof(content));
  ASSERT_EQ(aclrtMemcpyAsync(numbers.begin(), 64, pinned, sizeof(content), ACL_MEMCPY_HOST_TO_DEVICE, s), 0);
  const Bytes bytes = run(info, result);
  for (std::size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(bits_as<std::int32_t>(reinterpret_cast<const std::byte*>(&bytes[i * 4])), 2) << i;
  }
  EXPECT_EQ(Bytes(bytes.begin() + 20, bytes.end()), Bytes(44, 0xEE)) << "only five";
  EXPECT_EQ(aclrtFreeHost(pinned), 0);
}

TEST_F(RandomNumbers, T199_BadArguments) {
  const Block result(MemoryKind::kDevice, Bytes(64, 0));
  const auto good = task(ACL_FLOAT, kUniform, 0.0F, 1.0F, 16, result.begin(), nullptr);
  const auto answer = [&](const auto& change) {
    auto info = good;
    change(info);
    return aclrtRandomNumAsync(&info, s, nullptr);
  };
  EXPECT_EQ(aclrtRandomNumAsync(nullptr, s, nullptr), ACL_ERROR_INVALID_PARAM);
  for (const auto type : {ACL_BOOL, ACL_INT8, ACL_DOUBLE}) {
    EXPECT_EQ(answer([type](auto& info) { info.dataType = type; }), ACL_ERROR_INVALID_PARAM);
  }
  int reserved = 0;
  EXPECT_EQ(aclrtRandomNumAsync(&good, s, &reserved), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([](auto& info) { info.randomNumFuncParaInfo.funcType = aclrtRandomNumFuncType(4); }),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([](auto& info) { info.randomResultAddr = nullptr; }), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([&](auto& info) { info.randomResultAddr = result.at(2); }), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([](auto& info) { info.randomNum = given(std::uint64_t{2000}); }), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([](auto& info) { info.randomNum = given(~std::uint64_t{0}); }), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([](auto& info) { info.randomSeed.size = 3; }), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(answer([](auto& info) { info.randomSeed = at(&info, 8); }), ACL_ERROR_RT_PARAM_INVALID) << "on the stack";
  EXPECT_EQ(answer([&](auto& info) { info.randomCounterAddr = &info; }), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtRandomNumAsync(&good, result.begin(), nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(answer([](auto& info) { info.randomNum = given(std::uint64_t{0}); }), 0) << "nothing to do";
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
  EXPECT_EQ(aclrtRandomNumAsync(&good, s, nullptr), ACL_ERROR_RT_STREAM_CONTEXT);
  EXPECT_EQ(aclrtDestroyContext(context), 0);
}

class RandomInCapture : public CaptureTest {};

TEST_F(RandomInCapture, AReplayReadsTheCounterAnew) {
  Word counter(1);
  const Cell result;
  const auto info = task(ACL_FLOAT, kUniform, 0.0F, 1.0F, 8, result.address(), counter.address());
  aclmdlRI model = capture([&] { EXPECT_EQ(aclrtRandomNumAsync(&info, s, nullptr), 0) << aclGetRecentErrMsg(); });
  run(model, s);
  const auto first = result.elements();
  run(model, s);
  EXPECT_EQ(result.elements(), first);
  counter.set(2);
  run(model, s);
  EXPECT_NE(result.elements(), first);
}

TEST_F(RandomInCapture, NumbersInATaskGroupAre507009) {
  const Cell result;
  const auto info = task(ACL_FLOAT, kUniform, 0.0F, 1.0F, 8, result.address(), nullptr);
  begin(s);
  ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
  EXPECT_EQ(aclrtRandomNumAsync(&info, s, nullptr), ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
  EXPECT_EQ(failed_end(s), ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
}

}  // namespace
}  // namespace aclvk::test
