#include "aclnnop/aclnn_multinomial.h"
#include "aclnnop/aclnn_randperm.h"
#include "ops/random/random_reference.hpp"

namespace aclvk::test {
namespace {

constexpr HostSource kSource{0x1122334455667788, 42};
constexpr auto kSeed = static_cast<int64_t>(kSource.seed);
constexpr auto kOffset = static_cast<int64_t>(kSource.offset);
const std::vector<aclDataType> kWeights = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};

class Choosing : public OpTest {
 protected:
  static std::vector<std::byte> permutation(const OpTensor& out, std::int64_t count, HostSource source) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnRandpermGetWorkspaceSize(count, static_cast<int64_t>(source.seed),
                                               static_cast<int64_t>(source.offset), out.get(), n, e);
        },
        aclnnRandperm, {}, out);
  }
  static std::vector<std::byte> multinomial(const OpTensor& weights, std::int64_t count, bool replacement,
                                            const OpTensor& out, HostSource source = kSource) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnMultinomialGetWorkspaceSize(weights.get(), count, replacement, static_cast<int64_t>(source.seed),
                                                  static_cast<int64_t>(source.offset), out.get(), n, e);
        },
        aclnnMultinomial, {&weights}, out);
  }
};

TEST_F(Choosing, PermutationsAreThoseOfTheGenerator) {
  for (const aclDataType type :
       {ACL_INT64, ACL_INT32, ACL_INT16, ACL_UINT8, ACL_INT8, ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    for (const std::int64_t count : {0, 1, 2, 101}) {
      const OpTensor out(type, {count}, {{2}, 1, 0});
      std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
      for (std::int64_t i = 0; i < count; ++i) {
        const auto word = [&](std::int64_t n) {
          return static_cast<std::uint64_t>(kSource.integer(n, 0, std::uint64_t{1} << 32));
        };
        keys.emplace_back(word(2 * i) | word(2 * i + 1) << 32, i);
      }
      std::sort(keys.begin(), keys.end());
      expect_elements(
          out, permutation(out, count, kSource),
          [&](std::int64_t i) { return Number(Real(keys[static_cast<std::size_t>(i)].second)); }, true);
    }
  }
}

TEST_F(Choosing, PermutationsHaveEachNumberOnce) {
  const OpTensor out(ACL_INT32, {30011});
  auto numbers = numbers_in(out, permutation(out, 30011, kSource));
  EXPECT_NEAR(correlation_of_neighbours(numbers), 0, 5 / std::sqrt(30011.0));
  std::sort(numbers.begin(), numbers.end());
  for (std::size_t i = 0; i < numbers.size(); ++i) ASSERT_EQ(numbers[i], static_cast<double>(i));
}

TEST_F(Choosing, PermutationsAreEquallyLikely) {
  std::vector<int> counts(24);
  const OpTensor out(ACL_INT64, {4});
  for (std::uint64_t offset = 0; offset < 1200; ++offset) {
    enqueue(
        [&](auto* n, auto** e) {
          return aclnnRandpermGetWorkspaceSize(4, 9, static_cast<int64_t>(offset), out.get(), n, e);
        },
        aclnnRandperm);
    ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
    const auto numbers = numbers_in(out, out.download());
    std::size_t rank = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      std::size_t less = 0;
      for (std::size_t j = i + 1; j < 4; ++j) less += numbers[j] < numbers[i] ? 1 : 0;
      rank = rank * (4 - i) + less;
    }
    ++counts[rank];
  }
  double distance = 0;
  for (const int count : counts) distance += (count - 50) * (count - 50) / 50.0;
  EXPECT_LT(distance, 49.7) << "chi squared with 23 degrees of freedom: one of a thousand is above";
}

TEST_F(Choosing, WithReplacementFollowsTheWeights) {
  constexpr std::int64_t kDraws = 20000;
  for (const aclDataType type : kWeights) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor weights(type, {2, 6}, {{1, 3}, 1});
    const Real parts[] = {0, 1, 2, 0, 4, 1, 5, 0, 0, 0, 3, 0};
    weights.fill([&](std::int64_t i) { return parts[i]; });
    const OpTensor out(ACL_INT64, {2, kDraws});
    const auto places = numbers_in(out, multinomial(weights, kDraws, true, out));
    for (std::size_t row = 0; row < 2; ++row) {
      std::vector<double> counts(6);
      for (std::size_t i = 0; i < kDraws; ++i) {
        const std::int64_t n = static_cast<std::int64_t>(row) * kDraws + static_cast<std::int64_t>(i);
        const Real wanted = kSource.unit(n, type == ACL_DOUBLE) * 8;
        std::size_t place = 0;
        for (Real sum = parts[6 * row]; sum <= wanted; sum += parts[6 * row + place]) ++place;
        ASSERT_EQ(places[row * kDraws + i], static_cast<double>(place)) << "draw " << n;
        ++counts[place];
      }
      for (std::size_t i = 0; i < 6; ++i) {
        const double p = static_cast<double>(parts[6 * row + i]) / 8;
        EXPECT_NEAR(counts[i], kDraws * p, 5 * std::sqrt(kDraws * p * (1 - p)));
      }
    }
  }
}

TEST_F(Choosing, WithoutReplacementChoosesEachOnce) {
  for (const aclDataType type : kWeights) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    OpTensor weights(type, {3, 50});
    weights.fill([](std::int64_t i) { return i % 5 == 0 ? Real(0) : Real(i % 7 + 1); });
    const OpTensor out(ACL_INT64, {3, 40}, {{1, 4}, 2});
    const auto places = numbers_in(out, multinomial(weights, 40, false, out));
    for (std::size_t row = 0; row < 3; ++row) {
      std::vector<double> mine(places.begin() + static_cast<std::ptrdiff_t>(row * 40),
                               places.begin() + static_cast<std::ptrdiff_t>(row * 40 + 40));
      std::sort(mine.begin(), mine.end());
      EXPECT_EQ(std::unique(mine.begin(), mine.end()), mine.end()) << "an element was chosen twice";
      for (const double place : mine) EXPECT_NE(static_cast<int>(place) % 5, 0) << "an element without weight";
    }
  }
}

TEST_F(Choosing, WithoutReplacementFollowsTheWeights) {
  constexpr std::int64_t kRows = 20000;
  OpTensor weights(ACL_FLOAT, {kRows, 4});
  weights.fill([](std::int64_t i) { return Real(i % 4 + 1); });
  const OpTensor out(ACL_INT64, {kRows, 2});
  const auto places = numbers_in(out, multinomial(weights, 2, false, out));
  double counts[4][4] = {};
  for (std::size_t i = 0; i < kRows; ++i) {
    ++counts[static_cast<int>(places[2 * i])][static_cast<int>(places[2 * i + 1])];
  }
  for (int first = 0; first < 4; ++first) {
    for (int second = 0; second < 4; ++second) {
      const double p = first == second ? 0 : (first + 1) / 10.0 * (second + 1) / (9.0 - first);
      EXPECT_NEAR(counts[first][second], kRows * p, 5 * std::sqrt(kRows * p * (1 - p))) << first << ", " << second;
    }
  }
}

TEST_F(Choosing, AmongMany) {
  OpTensor weights(ACL_FLOAT, {100003});
  weights.fill([](std::int64_t i) { return i % 3 == 1 ? Real(0) : Real(i % 11 + 1); });
  const OpTensor out(ACL_INT64, {5000});
  for (const bool replacement : {true, false}) {
    const auto places = numbers_in(out, multinomial(weights, 5000, replacement, out));
    double sum = 0;
    for (const double place : places) {
      ASSERT_NE(static_cast<int>(place) % 3, 1) << "an element without weight";
      sum += place;
    }
    EXPECT_NEAR(sum / 5000, 50000, 5 * 100003 / std::sqrt(12.0 * 5000));
  }
}

// Nothing sensible can be chosen then, but something is, at once: a device is not to search long rows for ever.
TEST_F(Choosing, AmongElementsWithoutAnyWeight) {
  for (const double weight : {0.0, std::nan("")}) {
    OpTensor weights(ACL_FLOAT, {1 << 20});
    weights.fill([&](std::int64_t) { return Real(weight); });
    const OpTensor out(ACL_INT64, {1 << 16});
    for (const double place : numbers_in(out, multinomial(weights, 1 << 16, true, out))) {
      ASSERT_TRUE(place >= 0 && place < 1 << 20) << place;
    }
  }
}

TEST_F(Choosing, SeedAndOffsetInMemory) {
  OpTensor weights(ACL_FLOAT, {60});
  weights.fill([](std::int64_t i) { return Real(i % 7 + 1); });
  const OpTensor out(ACL_INT64, {50});
  const OpNumber seed(kSource.seed);
  const OpNumber offset(kSource.offset - 2);
  for (const bool replacement : {true, false}) {
    const auto expected = numbers_in(out, multinomial(weights, 50, replacement, out));
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnMultinomialTensorGetWorkspaceSize(weights.get(), 50, replacement, seed.get(), offset.get(), 2,
                                                        out.get(), n, e);
        },
        aclnnMultinomialTensor, {&weights}, out);
    EXPECT_EQ(numbers_in(out, bytes), expected);
  }
}

TEST_F(Choosing, RefusesWhatDoesNotFit) {
  const OpTensor weights(ACL_FLOAT, {3, 7});
  const OpTensor row(ACL_FLOAT, {7});
  const OpTensor cube(ACL_FLOAT, {1, 3, 7});
  const OpTensor nothing(ACL_FLOAT, {3, 0});
  const OpTensor whole(ACL_INT32, {3, 7});
  const OpTensor out(ACL_INT64, {3, 5});
  const OpTensor eight(ACL_INT64, {8});
  const OpTensor narrow(ACL_INT32, {3, 5});
  const OpNumber number(1);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto get = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
  const auto choose = [&](const OpTensor* x, int64_t count, bool again, const OpTensor* y) {
    return aclnnMultinomialGetWorkspaceSize(get(x), count, again, kSeed, kOffset, get(y), &n, &e);
  };
  EXPECT_EQ(choose(nullptr, 5, true, &out), 161001);
  EXPECT_EQ(choose(&weights, 5, true, nullptr), 161001);
  EXPECT_EQ(choose(&whole, 5, true, &out), 161002);
  EXPECT_EQ(choose(&weights, 5, true, &narrow), 161002);
  EXPECT_EQ(choose(&weights, 4, true, &out), 161002);
  EXPECT_EQ(choose(&weights, 0, true, &out), 161002);
  EXPECT_EQ(choose(&nothing, 5, true, &out), 161002);
  const OpTensor doubles(ACL_DOUBLE, {3, 5});
  const std::int64_t dims[] = {3, 5};
  aclTensor* there = aclCreateTensor(dims, 2, ACL_INT64, nullptr, 0, ACL_FORMAT_ND, dims, 2, doubles.memory());
  EXPECT_EQ(aclnnMultinomialGetWorkspaceSize(doubles.get(), 5, true, kSeed, kOffset, there, &n, &e), 161002);
  EXPECT_EQ(aclDestroyTensor(there), 0);
  EXPECT_EQ(choose(&cube, 5, true, &out), 161002);
  EXPECT_EQ(choose(&row, 8, true, &eight), 0);
  EXPECT_EQ(choose(&row, 8, false, &eight), 161002);
  EXPECT_EQ(aclnnMultinomialTensorGetWorkspaceSize(weights.get(), 5, true, nullptr, number.get(), 0, out.get(), &n, &e),
            161001);
  EXPECT_EQ(
      aclnnMultinomialTensorGetWorkspaceSize(weights.get(), 5, true, number.get(), row.get(), 0, out.get(), &n, &e),
      161002);
  const OpTensor bytes(ACL_INT8, {129});
  const OpTensor bools(ACL_BOOL, {2});
  EXPECT_EQ(aclnnRandpermGetWorkspaceSize(8, 1, 0, nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnRandpermGetWorkspaceSize(7, 1, 0, eight.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnRandpermGetWorkspaceSize(-1, 1, 0, eight.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnRandpermGetWorkspaceSize(129, 1, 0, bytes.get(), &n, &e), 161002) << "127 is the last of INT8";
  EXPECT_EQ(aclnnRandpermGetWorkspaceSize(2, 1, 0, bools.get(), &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
