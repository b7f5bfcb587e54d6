#include <string>

#include "aclnnop/aclnn_aminmax.h"
#include "aclnnop/aclnn_aminmax_all.h"
#include "aclnnop/aclnn_aminmax_dim.h"
#include "aclnnop/aclnn_argmax.h"
#include "aclnnop/aclnn_argmin.h"
#include "aclnnop/aclnn_max_dim.h"
#include "aclnnop/aclnn_min_dim.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32,
                                  ACL_INT64, ACL_INT16,   ACL_INT8, ACL_UINT8,  ACL_BOOL};
const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

class Selects : public OpTest {
 protected:
  /// The first of the elements that is highest or lowest; NaN before all.
  static std::int64_t best_of(const OpTensor& self, const std::vector<std::int64_t>& sources, bool highest) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < sources.size(); ++i) {
      const Real x = self.before(sources[i]).real();
      const Real y = self.before(sources[best]).real();
      if (std::isnan(y)) break;
      if (std::isnan(x) || (highest ? x > y : x < y)) best = i;
    }
    return static_cast<std::int64_t>(best);
  }

  static void check(const OpTensor& self, std::int64_t dim, bool keep, bool highest, aclDataType index_type) {
    const Reduced reduced(self.shape(), {dim});
    const auto sources = reduced.sources();
    const auto place = [&](std::int64_t i) { return best_of(self, sources[static_cast<std::size_t>(i)], highest); };
    const OpTensor out(self.type(), reduced.result(keep));
    const OpTensor indices(index_type, reduced.result(keep));
    const auto values = run(
        [&](auto* n, auto** e) {
          const auto plan = highest ? aclnnMaxDimGetWorkspaceSize : aclnnMinDimGetWorkspaceSize;
          return plan(self.get(), dim, keep, out.get(), indices.get(), n, e);
        },
        highest ? aclnnMaxDim : aclnnMinDim, {&self, &indices}, out);
    expect_elements(
        out, values,
        [&](std::int64_t i) {
          return self.before(sources[static_cast<std::size_t>(i)][static_cast<std::size_t>(place(i))]);
        },
        true);
    const auto expected_place = [&](std::int64_t i) { return Number(static_cast<Real>(place(i))); };
    const auto places = indices.download();
    EXPECT_TRUE(indices.only_elements_changed(places));
    expect_elements(indices, places, expected_place, true);
    if (self.type() == ACL_BOOL) return;
    const auto only_places = run(
        [&](auto* n, auto** e) {
          const auto plan = highest ? aclnnArgMaxGetWorkspaceSize : aclnnArgMinGetWorkspaceSize;
          return plan(self.get(), dim, keep, indices.get(), n, e);
        },
        highest ? aclnnArgMax : aclnnArgMin, {&self}, indices);
    expect_elements(indices, only_places, expected_place, true);
  }

  static void check(const OpTensor& self, std::int64_t dim) {
    check(self, dim, false, true, ACL_INT64);
    check(self, dim, true, false, ACL_INT32);
  }
};

class SelectTypes : public Selects, public testing::WithParamInterface<aclDataType> {};

TEST_P(SelectTypes, FindTheFirstExtreme) {
  OpTensor self(GetParam(), {5, 11, 13}, {{1, 70, 5}, 2});
  check(self.fill_random(1), 1);
  OpTensor row(GetParam(), {7, 89});
  check(row.fill_random(2), -1);
}

INSTANTIATE_TEST_SUITE_P(Types, SelectTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Selects, PreferNanAndTheFirstOfEquals) {
  const Real x[] = {1, kNan, kInf, kNan, 2, 2, -1, 2, kInf, kInf, -kInf, -kInf, 0, 0, 0, 0, kNan, 5, 6, kNan};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    OpTensor self(type, {5, 4});
    self.fill([&](std::int64_t i) { return x[i]; });
    check(self, 1);
    check(self, 0);
  }
}

// Where a row has several threads, they compare vec8s and look for the element afterwards.
TEST_F(Selects, SearchRowsOfVec8s) {
  const auto fill_and_check = [](aclDataType type, std::int64_t rows, std::int64_t length, std::int64_t offset) {
    SCOPED_TRACE("dtype " + std::to_string(type) + ", " + std::to_string(length) + " elements");
    OpTensor self(type, {rows, length}, {{length + 16, 1}, offset});
    for (const std::int64_t distinct : {1, 2, 101}) {
      check(self.fill([=](std::int64_t i) { return Real(i * 7919 % 1013 % distinct) - 50; }), 1);
    }
    if (is_integer(type)) return;
    // NaN at two places of each row, which are anywhere; then nothing but the least of numbers.
    check(self.fill([=](std::int64_t i) {
      const std::int64_t place = i / length * 37 % length;
      return i % length == place || i % length == length - 1 - place / 2 ? kNan : Real(i % 97);
    }),
          1);
    check(self.fill([](std::int64_t) { return -kInf; }), 1);
    check(self.fill([](std::int64_t) { return kInf; }), 1);
  };
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT8}) {
    for (const std::int64_t length : {72, 128, 515, 1040}) fill_and_check(type, 5, length, 0);
    fill_and_check(type, 64, 128, 0);
    fill_and_check(type, 3, 256, 8);
    fill_and_check(type, 3, 256, 5);
  }
}

TEST_F(Selects, SearchLongRowsInParts) {
  OpTensor self(ACL_FLOAT, {2, 40009});
  self.fill([](std::int64_t i) { return Real((i * 7919) % 1013); });
  check(self, 1);
  check(self, 0);
}

TEST_F(Selects, OfAScalar) {
  OpTensor self(ACL_INT32, {});
  check(self.fill_random(3), 0);
}

TEST_F(Selects, FindBothExtremes) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT64, ACL_UINT8, ACL_BOOL}) {
    OpTensor self(type, {3, 5, 17});
    self.fill_random(4);
    const auto check_both = [&](const Reduced& reduced, bool keep, const auto& plan, Launch launch) {
      const OpTensor lowest(type, reduced.result(keep));
      const OpTensor highest(type, reduced.result(keep));
      const auto sources = reduced.sources();
      const auto extreme = [&](bool high) {
        return [&, high](std::int64_t i) {
          const auto& mine = sources[static_cast<std::size_t>(i)];
          return self.before(mine[static_cast<std::size_t>(best_of(self, mine, high))]);
        };
      };
      const auto bytes = run([&](auto* n, auto** e) { return plan(lowest.get(), highest.get(), n, e); }, launch,
                             {&self, &highest}, lowest);
      expect_elements(lowest, bytes, extreme(false), true);
      expect_elements(highest, highest.download(), extreme(true), true);
    };
    const OpInts dims({0, 2});
    check_both(
        Reduced(self.shape(), {0, 2}), true,
        [&](auto* low, auto* high, auto* n, auto** e) {
          return aclnnAminmaxGetWorkspaceSize(self.get(), dims.get(), true, low, high, n, e);
        },
        aclnnAminmax);
    check_both(
        Reduced(self.shape(), {1}), false,
        [&](auto* low, auto* high, auto* n, auto** e) {
          return aclnnAminmaxDimGetWorkspaceSize(self.get(), -2, false, low, high, n, e);
        },
        aclnnAminmaxDim);
    check_both(
        Reduced(self.shape(), {}), false,
        [&](auto* low, auto* high, auto* n, auto** e) {
          return aclnnAminmaxAllGetWorkspaceSize(self.get(), low, high, n, e);
        },
        aclnnAminmaxAll);
  }
}

TEST_F(Selects, RefuseWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {3, 7});
  const OpTensor truths(ACL_BOOL, {3, 7});
  const OpTensor empty(ACL_FLOAT, {3, 0});
  const OpTensor out(ACL_FLOAT, {3});
  const OpTensor places(ACL_INT64, {3});
  const OpTensor few(ACL_INT64, {2});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(nullptr, 1, false, out.get(), places.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), 1, false, nullptr, places.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), 1, false, out.get(), nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), 1, false, out.get(), out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), 2, false, out.get(), places.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), -3, false, out.get(), places.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), 1, true, out.get(), places.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMaxDimGetWorkspaceSize(self.get(), 1, false, out.get(), few.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnArgMaxGetWorkspaceSize(truths.get(), 1, false, places.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnArgMaxGetWorkspaceSize(empty.get(), 1, false, places.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnArgMaxGetWorkspaceSize(self.get(), 1, false, out.get(), &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
