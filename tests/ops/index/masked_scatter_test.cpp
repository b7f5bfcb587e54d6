#include "aclnnop/aclnn_masked_scatter.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT8, ACL_INT16,
                                  ACL_INT32, ACL_INT64,   ACL_UINT8,  ACL_BOOL, ACL_BF16};

/// A pseudo-random mask.
bool is_set(std::int64_t i) { return (i * 7 + i / 5 * 3) % 11 < 5; }

class MaskedScatter : public OpTest {
 protected:
  static void check(const OpTensor& self, const OpTensor& mask, const OpTensor& source) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    std::vector<Number> expected;
    std::int64_t taken = 0;
    for (std::int64_t i = 0; i < self.count(); ++i) {
      const bool put = mask.before(source_of(i, self.shape(), mask.shape())) != Number(0);
      expected.push_back(put && taken < source.count() ? source.before(taken) : self.before(i));
      taken += put ? 1 : 0;
    }
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnInplaceMaskedScatterGetWorkspaceSize(self.get(), mask.get(), source.get(), n, e);
        },
        aclnnInplaceMaskedScatter, {&mask, &source}, self);
    expect_elements(
        self, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, true);
  }

  static void check_random(aclDataType type, const Shape& shape, const Shape& mask_shape, const Shape& source_shape,
                           const View& view = {}, const View& mask_view = {}, const View& source_view = {}) {
    OpTensor self(type, shape, view);
    OpTensor mask(ACL_BOOL, mask_shape, mask_view);
    OpTensor source(type, source_shape, source_view);
    self.fill_random(1);
    mask.fill([](std::int64_t i) { return Real(is_set(i)); });
    source.fill_random(2);
    check(self, mask, source);
  }
};

class MaskedScatterTypes : public MaskedScatter, public testing::WithParamInterface<aclDataType> {};

TEST_P(MaskedScatterTypes, PutElementsWhereTheMaskIsTrue) {
  check_random(GetParam(), {13, 7}, {13, 7}, {91});
  check_random(GetParam(), {13, 7}, {13, 7}, {13, 7}, {{1, 14}, 3}, {{8, 1}, 1}, {{1, 14}, 2});
}

INSTANTIATE_TEST_SUITE_P(Types, MaskedScatterTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(MaskedScatter, MasksBroadcast) {
  check_random(ACL_FLOAT, {5, 3, 7}, {3, 1}, {105});
  check_random(ACL_FLOAT, {5, 3, 7}, {5, 1, 7}, {7, 15}, {{50, 15, 2}, 1}, {{9, 1, 1}, 2}, {{1, 9}, 4});
  check_random(ACL_FLOAT16, {11}, {1}, {11});
  check_random(ACL_FLOAT, {}, {}, {1});
  check_random(ACL_INT64, {4, 9}, {9}, {}, {}, {{0}, 1});
}

TEST_F(MaskedScatter, TakesBytesThatAreNotZero) {
  OpTensor self(ACL_FLOAT, {31});
  OpTensor mask(ACL_UINT8, {31});
  OpTensor source(ACL_FLOAT, {31});
  self.fill_random(1);
  mask.fill([](std::int64_t i) { return Real(is_set(i) ? i + 1 : 0); });
  source.fill_random(2);
  check(self, mask, source);
}

TEST_F(MaskedScatter, MovesNotANumberAsItIs) {
  OpTensor self(ACL_FLOAT, {7});
  OpTensor mask(ACL_BOOL, {7});
  OpTensor source(ACL_FLOAT, {7});
  self.fill([](std::int64_t i) { return i == 1 ? std::numeric_limits<Real>::quiet_NaN() : Real(i); });
  mask.fill([](std::int64_t i) { return Real(i % 2 == 0); });
  source.fill([](std::int64_t i) {
    return i == 1 ? std::numeric_limits<Real>::quiet_NaN() : i == 2 ? -std::numeric_limits<Real>::infinity() : -0.0L;
  });
  check(self, mask, source);
}

TEST_F(MaskedScatter, LeavesWhatASourceIsTooShortFor) {
  check_random(ACL_FLOAT, {61}, {61}, {5});
  check_random(ACL_FLOAT, {61}, {61}, {0});
}

TEST_F(MaskedScatter, OfNothingIsNothing) {
  check_random(ACL_FLOAT, {0, 3}, {3}, {4});
  OpTensor self(ACL_FLOAT, {5});
  OpTensor mask(ACL_BOOL, {5});
  OpTensor source(ACL_FLOAT, {5});
  self.fill_random(1);
  mask.fill([](std::int64_t) { return Real(0); });
  source.fill_random(2);
  check(self, mask, source);
}

TEST_F(MaskedScatter, GoesThroughMoreElementsThanALoopHasIterations) {
  check_random(ACL_FLOAT, {70001}, {70001}, {70001});
  check_random(ACL_INT8, {3, 70001}, {70001}, {210003}, {{140003, 2}, 1});
}

TEST_F(MaskedScatter, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {4, 5});
  const OpTensor mask(ACL_BOOL, {4, 5});
  const OpTensor numbers(ACL_INT32, {4, 5});
  const OpTensor large(ACL_BOOL, {2, 4, 5});
  const OpTensor other(ACL_BOOL, {4});
  const OpTensor source(ACL_FLOAT, {20});
  const OpTensor half(ACL_FLOAT16, {20});
  const OpTensor complex(ACL_COMPLEX64, {4, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](aclTensor* x, const aclTensor* m, const aclTensor* s) {
    return aclnnInplaceMaskedScatterGetWorkspaceSize(x, m, s, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, mask.get(), source.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr, source.get()), 161001);
  EXPECT_EQ(plan(self.get(), mask.get(), nullptr), 161001);
  EXPECT_EQ(plan(complex.get(), mask.get(), complex.get()), 161002);
  EXPECT_EQ(plan(self.get(), numbers.get(), source.get()), 161002);
  EXPECT_EQ(plan(self.get(), mask.get(), half.get()), 161002);
  EXPECT_EQ(plan(self.get(), large.get(), source.get()), 161002);
  EXPECT_EQ(plan(self.get(), other.get(), source.get()), 161002);
  EXPECT_EQ(plan(self.get(), mask.get(), self.get()), 161002) << "source is read when selfRef is written";
  const OpTensor repeated(ACL_FLOAT, {4, 5}, {{0, 1}});
  EXPECT_EQ(plan(repeated.get(), mask.get(), source.get()), 161002);
}

}  // namespace
}  // namespace aclvk::test
