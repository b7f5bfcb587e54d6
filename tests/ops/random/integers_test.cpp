#include "aclnnop/aclnn_random.h"
#include "ops/random/random_reference.hpp"

namespace aclvk::test {
namespace {

constexpr HostSource kSource{0xFEDCBA9876543210, 11};

class DrawingIntegers : public OpTest {
 protected:
  static std::vector<std::byte> random(const OpTensor& self, std::int64_t from, std::int64_t to) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnInplaceRandomGetWorkspaceSize(self.get(), from, to, static_cast<int64_t>(kSource.seed),
                                                    static_cast<int64_t>(kSource.offset), n, e);
        },
        aclnnInplaceRandom, {}, self);
  }
  static void check(const OpTensor& self, std::int64_t from, std::int64_t to) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()) + " from " + std::to_string(from) + " to " +
                 std::to_string(to));
    const std::uint64_t range = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    const auto expected = [&](std::int64_t i) {
      return rounded(Number(Real(kSource.integer(i, from, range))), self.type());
    };
    expect_elements(self, random(self, from, to), expected, true);
  }
};

TEST_F(DrawingIntegers, BetweenTwoNumbers) {
  for (const aclDataType type : {ACL_BF16, ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16,
                                 ACL_INT8, ACL_COMPLEX64, ACL_COMPLEX128}) {
    check(OpTensor(type, {1009}), -7, 100);
    check(OpTensor(type, {5, 6, 7}, {{1, 40, 5}, 3}), -1, 0);
    check(OpTensor(type, {}), 3, 17);
    check(OpTensor(type, {0, 3}), 3, 17);
  }
  check(OpTensor(ACL_UINT8, {101}), 0, 256);
  check(OpTensor(ACL_BOOL, {101}), 0, 2);
  check(OpTensor(ACL_INT8, {101}), -128, 128);
  check(OpTensor(ACL_INT32, {101}), INT32_MIN, std::int64_t{INT32_MAX} + 1);
  check(OpTensor(ACL_INT64, {101}), INT64_MIN, INT64_MAX);
  check(OpTensor(ACL_INT64, {101}), -5'000'000'000, 7'000'000'000'000);
  check(OpTensor(ACL_FLOAT, {101}), -5'000'000'000, 7'000'000'000'000);
  check(OpTensor(ACL_DOUBLE, {101}), 0, std::int64_t{1} << 53);
}

TEST_F(DrawingIntegers, AllThatADtypeHolds) {
  const std::pair<aclDataType, std::uint64_t> ranges[] = {{ACL_BF16, 257},
                                                          {ACL_FLOAT16, 2049},
                                                          {ACL_FLOAT, (1 << 24) + 1},
                                                          {ACL_BOOL, 2},
                                                          {ACL_UINT8, 256},
                                                          {ACL_INT8, 128},
                                                          {ACL_INT16, 32768},
                                                          {ACL_INT32, std::uint64_t{1} << 31},
                                                          {ACL_INT64, std::uint64_t{1} << 63}};
  const OpNumber seed(kSource.seed);
  const OpNumber offset(kSource.offset);
  for (const auto& [type, range] : ranges) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    const OpTensor self(type, {1009});
    const auto expected = [&, end = range](std::int64_t i) { return Number(Real(kSource.integer(i, 0, end))); };
    auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnInplaceRandomWithoutFromToGetWorkspaceSize(self.get(), static_cast<int64_t>(kSource.seed),
                                                                 static_cast<int64_t>(kSource.offset), n, e);
        },
        aclnnInplaceRandomWithoutFromTo, {}, self);
    expect_elements(self, bytes, expected, true);
    bytes = run(
        [&](auto* n, auto** e) {
          return aclnnInplaceRandomWithoutFromToTensorGetWorkspaceSize(self.get(), seed.get(), offset.get(), 0, n, e);
        },
        aclnnInplaceRandomWithoutFromToTensor, {}, self);
    expect_elements(self, bytes, expected, true);
  }
}

TEST_F(DrawingIntegers, SeedAndOffsetInMemory) {
  const OpNumber seed(kSource.seed, ACL_UINT64);
  const OpNumber offset(kSource.offset + 5);
  const OpTensor self(ACL_INT32, {1009});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnInplaceRandomTensorGetWorkspaceSize(self.get(), 10, 20, seed.get(), offset.get(), -5, n, e);
      },
      aclnnInplaceRandomTensor, {}, self);
  expect_elements(
      self, bytes, [&](std::int64_t i) { return Number(Real(kSource.integer(i, 10, 10))); }, true);
}

TEST_F(DrawingIntegers, AreEquallyLikely) {
  const OpTensor self(ACL_INT32, {30000});
  std::vector<int> counts(30);
  for (const double number : numbers_in(self, random(self, 5, 35))) ++counts[static_cast<std::size_t>(number) - 5];
  double distance = 0;
  for (const int count : counts) distance += (count - 1000) * (count - 1000) / 1000.0;
  EXPECT_LT(distance, 58.3) << "chi squared with 29 degrees of freedom: one of a thousand is above";
}

TEST_F(DrawingIntegers, RefusesWhatDoesNotFit) {
  const OpTensor self(ACL_INT8, {3});
  const OpTensor wide(ACL_UINT64, {3});
  const OpTensor half(ACL_DOUBLE, {3});
  const OpNumber number(1);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto random = [&](const OpTensor* x, int64_t from, int64_t to) {
    return aclnnInplaceRandomGetWorkspaceSize(x ? x->get() : nullptr, from, to, 1, 0, &n, &e);
  };
  EXPECT_EQ(random(nullptr, 0, 1), 161001);
  EXPECT_EQ(random(&wide, 0, 1), 161002);
  EXPECT_EQ(random(&self, 1, 1), 161002);
  EXPECT_EQ(random(&self, 2, 1), 161002);
  EXPECT_EQ(random(&self, -129, 1), 161002);
  EXPECT_EQ(random(&self, 0, 129), 161002);
  EXPECT_EQ(aclnnInplaceRandomTensorGetWorkspaceSize(self.get(), 0, 1, nullptr, number.get(), 0, &n, &e), 161001);
  EXPECT_EQ(aclnnInplaceRandomTensorGetWorkspaceSize(self.get(), 0, 1, number.get(), self.get(), 0, &n, &e), 161002);
  EXPECT_EQ(aclnnInplaceRandomWithoutFromToGetWorkspaceSize(nullptr, 1, 0, &n, &e), 161001);
  EXPECT_EQ(aclnnInplaceRandomWithoutFromToGetWorkspaceSize(half.get(), 1, 0, &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
