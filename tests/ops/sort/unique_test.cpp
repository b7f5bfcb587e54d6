#include <algorithm>
#include <numeric>

#include "aclnnop/aclnn_unique.h"
#include "aclnnop/aclnn_unique2.h"
#include "aclnnop/aclnn_unique_consecutive.h"
#include "aclnnop/aclnn_unique_dim.h"
#include "ops/executor/dynamic_length.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_BOOL,  ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_UINT8, ACL_INT8, ACL_UINT16,
                                  ACL_INT16, ACL_INT32, ACL_UINT32,  ACL_UINT64, ACL_INT64, ACL_BF16};

/// NaN is after all numbers.
bool comes_first(Number x, Number y) {
  if (std::isnan(x.real()) || std::isnan(y.real())) return !std::isnan(x.real()) && std::isnan(y.real());
  return x.real() < y.real();
}

using Slice = std::vector<Number>;

/// What becomes of slices: which ones remain, which one each of them is, how often each is there.
struct Reference {
  std::vector<Slice> values;
  std::vector<Number> inverse;
  std::vector<Number> counts;

  Reference(const std::vector<Slice>& slices, bool sorts) : inverse(slices.size()) {
    std::vector<std::size_t> order(slices.size());
    std::iota(order.begin(), order.end(), 0);
    if (sorts) {
      std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        return std::lexicographical_compare(slices[i].begin(), slices[i].end(), slices[j].begin(), slices[j].end(),
                                            comes_first);
      });
    }
    for (const std::size_t i : order) {
      if (values.empty() || slices[i] != values.back()) {  // NaN equals nothing
        values.push_back(slices[i]);
        counts.push_back(0);
      }
      counts.back() += 1;
      inverse[i] = Real(values.size() - 1);
    }
  }
};

/// The slices of a tensor along a dim, or its elements.
std::vector<Slice> slices_of(const OpTensor& self, int dim) {
  std::vector<Slice> slices(
      static_cast<std::size_t>(dim < 0 ? self.count() : self.shape()[static_cast<std::size_t>(dim)]));
  for (std::int64_t i = 0; i < self.count(); ++i) {
    const Shape at = coordinates_of(i, self.shape());
    slices[static_cast<std::size_t>(dim < 0 ? i : at[static_cast<std::size_t>(dim)])].push_back(self.before(i));
  }
  return slices;
}

/// The same for what was found.
std::vector<Slice> slices_of(const DynamicLengthTensor& found, int dim) {
  std::vector<Slice> slices(
      static_cast<std::size_t>(dim < 0 ? found.count() : found.shape[static_cast<std::size_t>(dim)]));
  for (std::int64_t i = 0; i < found.count(); ++i) {
    const Shape at = coordinates_of(i, found.shape);
    slices[static_cast<std::size_t>(dim < 0 ? i : at[static_cast<std::size_t>(dim)])].push_back(found[i]);
  }
  return slices;
}

class Unique : public DynamicLengthTest {
 protected:
  static void expect_slices(const DynamicLengthTensor& found, int dim, const std::vector<Slice>& expected) {
    const auto slices = slices_of(found, dim);
    ASSERT_EQ(slices.size(), expected.size());
    for (std::size_t i = 0; i < slices.size(); ++i) {
      ASSERT_EQ(slices[i].size(), expected[i].size());
      for (std::size_t j = 0; j < slices[i].size(); ++j) {
        ASSERT_TRUE(is_equal(slices[i][j], expected[i][j]))
            << "slice " << i << ", element " << j << " is " << text_of(slices[i][j]) << "; expected "
            << text_of(expected[i][j]);
      }
    }
  }
  static void expect_all(const std::vector<DynamicLengthTensor>& found, int dim, const Reference& expected) {
    if (found.empty()) return;
    expect_slices(found[0], dim, expected.values);
    expect_equal(found[1], expected.inverse);
    if (found.size() > 2) expect_equal(found[2], expected.counts);
  }

  /// aclnnUnique and aclnnUnique2 on all elements.
  static void check_elements(const OpTensor& self) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const Reference expected(slices_of(self, -1), true);
    const OpTensor values(self.type(), {self.count()});
    const OpTensor inverse(ACL_INT64, self.shape());
    const OpTensor counts(ACL_INT64, {self.count()});
    expect_all(find(
                   [&](auto* n, auto** e) {
                     return aclnnUnique2GetWorkspaceSize(self.get(), true, true, true, values.get(), inverse.get(),
                                                         counts.get(), n, e);
                   },
                   aclnnUnique2, {&self}, {{&values}, {&inverse}, {&counts}}),
               -1, expected);
    const OpTensor others(self.type(), {self.count()});
    expect_all(find(
                   [&](auto* n, auto** e) {
                     return aclnnUniqueGetWorkspaceSize(self.get(), false, true, others.get(), inverse.get(), n, e);
                   },
                   aclnnUnique, {&self}, {{&others}, {&inverse}}),
               -1, expected);
  }

  /// `dim` -1: all elements.
  static void check_consecutive(const OpTensor& self, int dim) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const Reference expected(slices_of(self, dim), false);
    const std::int64_t rows = dim < 0 ? self.count() : self.shape()[static_cast<std::size_t>(dim)];
    const OpTensor values(self.type(), dim < 0 ? Shape{rows} : self.shape());
    const OpTensor inverse(ACL_INT64, dim < 0 ? self.shape() : Shape{rows});
    const OpTensor counts(ACL_INT64, {rows});
    expect_all(find(
                   [&](auto* n, auto** e) {
                     return aclnnUniqueConsecutiveGetWorkspaceSize(self.get(), true, true, dim < 0 ? 1000 : dim,
                                                                   values.get(), inverse.get(), counts.get(), n, e);
                   },
                   aclnnUniqueConsecutive, {&self}, {{&values}, {&inverse}, {&counts}}),
               dim, expected);
  }

  static void check_dim(const OpTensor& self, int dim) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const Reference expected(slices_of(self, dim), true);
    const std::int64_t rows = self.shape()[static_cast<std::size_t>(dim)];
    const OpTensor values(self.type(), self.shape());
    const OpTensor inverse(ACL_INT64, {rows});
    const OpTensor counts(ACL_INT64, {rows});
    expect_all(find(
                   [&](auto* n, auto** e) {
                     return aclnnUniqueDimGetWorkspaceSize(self.get(), true, true, dim, values.get(), inverse.get(),
                                                           counts.get(), n, e);
                   },
                   aclnnUniqueDim, {&self}, {{&values}, {&inverse}, {&counts}}),
               dim, expected);
  }
};

class UniqueTypes : public Unique, public testing::WithParamInterface<aclDataType> {
 protected:
  /// Few different numbers, negative ones where there are any.
  static Number number(std::int64_t i) {
    const Real value = i * 31 % 17 / 2;
    const bool has_sign = !is_integer(GetParam()) || facts_of(GetParam()).is_signed;
    if (GetParam() == ACL_BOOL) return Real(i % 3 == 1);
    return has_sign && i % 2 ? -value : value;
  }
};

TEST_P(UniqueTypes, Elements) {
  OpTensor self(GetParam(), {13, 5});
  self.fill(number);
  check_elements(self);
  OpTensor view(GetParam(), {5, 7}, {{1, 6}, 2});
  view.fill(number);
  check_elements(view);
}

TEST_P(UniqueTypes, Consecutive) {
  OpTensor self(GetParam(), {7, 11});
  self.fill([](std::int64_t i) { return number(i / 3); });
  check_consecutive(self, -1);
  OpTensor slices(GetParam(), {3, 11, 2}, {{1, 7, 3}, 1});
  slices.fill([](std::int64_t i) { return number(i % 22 / 6); });
  check_consecutive(slices, 1);
}

TEST_P(UniqueTypes, SlicesOfEachDim) {
  OpTensor self(GetParam(), {7, 5, 6});
  self.fill([](std::int64_t i) { return number(i / 30 % 3 * 5 + i / 6 % 5 % 2 + i % 6 % 4); });
  for (const int dim : {0, 1, 2}) check_dim(self, dim);
  OpTensor view(GetParam(), {11, 3}, {{1, 13}, 2});
  view.fill([](std::int64_t i) { return number(i / 3 % 4 + i % 3); });
  check_dim(view, 0);
}

INSTANTIATE_TEST_SUITE_P(Types, UniqueTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Unique, NanIsNeverTheSame) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    const Real inf = std::numeric_limits<Real>::infinity();
    const auto value = [=](std::int64_t i) {
      const Real all[] = {nan, -inf, 3, nan, inf, -0.0L, 0, inf};
      return all[i % 8];
    };
    OpTensor self(type, {23});
    self.fill(value);
    check_elements(self);
    OpTensor runs(type, {24});
    runs.fill([=](std::int64_t i) { return value(i / 3); });
    check_consecutive(runs, -1);
    OpTensor slices(type, {9, 2});
    slices.fill([=](std::int64_t i) { return i % 2 ? value(i / 6) : Real(1); });
    check_dim(slices, 0);
  }
}

TEST_F(Unique, ConsecutiveComplexNumbers) {
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor self(type, {31});
    self.fill([](std::int64_t i) { return Number(Real(i / 6), Real(i / 4 % 3)); });
    check_consecutive(self, -1);
    OpTensor slices(type, {7, 2});
    slices.fill([](std::int64_t i) { return Number(Real(i / 6), Real(i % 2)); });
    check_consecutive(slices, 0);
  }
}

TEST_F(Unique, OfOneOfNothingAndOfEqualOnes) {
  OpTensor scalar(ACL_FLOAT, {});
  scalar.fill_random(1);
  check_elements(scalar);
  check_consecutive(scalar, -1);
  check_elements(OpTensor(ACL_INT32, {0}));
  check_elements(OpTensor(ACL_INT32, {3, 0}));
  check_consecutive(OpTensor(ACL_INT32, {0, 5}), 0);
  check_dim(OpTensor(ACL_INT32, {0, 5}), 0);
  OpTensor equal(ACL_INT64, {17, 3});
  equal.fill([](std::int64_t) { return Real(-5); });
  check_elements(equal);
  check_consecutive(equal, -1);
  check_dim(equal, 0);
  OpTensor one(ACL_FLOAT, {1, 7});
  one.fill_random(2);
  check_dim(one, 0);
}

TEST_F(Unique, OfHundredsOfThousands) {
  for (const std::int64_t count : {65537, 700001}) {
    OpTensor self(ACL_INT32, {count});
    self.fill([](std::int64_t i) { return Real((i * 7919) % 100003 - 50000); });
    check_elements(self);
    OpTensor runs(ACL_INT32, {count});
    runs.fill([](std::int64_t i) { return Real(i / 3 % 1000); });
    check_consecutive(runs, -1);
  }
}

TEST_F(Unique, SlicesThatAreLong) {
  OpTensor self(ACL_FLOAT16, {9, 70001});  // more columns than a thread compares at once
  self.fill([](std::int64_t i) {
    const std::int64_t row = i / 70001;
    const std::int64_t column = i % 70001;
    return Real(column == 69000 ? row % 3 : column == 100 ? row % 2 : column % 5);
  });
  check_dim(self, 0);
  check_consecutive(self, 0);
}

TEST_F(Unique, SlicesThatAreMany) {
  OpTensor self(ACL_INT16, {70001, 2});
  self.fill([](std::int64_t i) { return Real(i % 2 ? i / 2 % 7 : (i / 2 * 31) % 101); });
  check_dim(self, 0);
}

// Results that are not requested are not written, whatever their shape.
TEST_F(Unique, LeavesOutResultsThatAreNotRequested) {
  OpTensor self(ACL_FLOAT, {5, 3});
  self.fill([](std::int64_t i) { return Real(i % 4); });
  const OpTensor values(ACL_FLOAT, {15});
  const OpTensor inverse(ACL_INT64, {0});
  const OpTensor counts(ACL_INT64, {1});
  const auto found = find(
      [&](auto* n, auto** e) {
        return aclnnUnique2GetWorkspaceSize(self.get(), true, false, false, values.get(), inverse.get(), counts.get(),
                                            n, e);
      },
      aclnnUnique2, {&self}, {{&values}, {&inverse}, {&counts}});
  if (found.empty()) return;
  expect_equal(found[0], {0, 1, 2, 3});
  EXPECT_EQ(found[1].shape, (Shape{0}));
  EXPECT_EQ(found[2].shape, (Shape{1}));
  EXPECT_EQ(found[2][0], counts.before(0));
}

TEST_F(Unique, RefusesWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5, 3});
  const OpTensor values(ACL_FLOAT, {15});
  const OpTensor inverse(ACL_INT64, {5, 3});
  const OpTensor counts(ACL_INT64, {15});
  const auto plan = [&](const aclTensor* x, aclTensor* v, aclTensor* i, aclTensor* c) {
    return aclnnUnique2GetWorkspaceSize(x, true, true, true, v, i, c, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, values.get(), inverse.get(), counts.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr, inverse.get(), counts.get()), 161001);
  EXPECT_EQ(plan(self.get(), values.get(), nullptr, counts.get()), 161001);
  EXPECT_EQ(plan(self.get(), values.get(), inverse.get(), nullptr), 161001);
  EXPECT_EQ(plan(OpTensor(ACL_COMPLEX64, {5, 3}).get(), values.get(), inverse.get(), counts.get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_INT32, {15}).get(), inverse.get(), counts.get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_FLOAT, {14}).get(), inverse.get(), counts.get()), 161002);
  EXPECT_EQ(plan(self.get(), values.get(), OpTensor(ACL_INT32, {5, 3}).get(), counts.get()), 161002);
  EXPECT_EQ(plan(self.get(), values.get(), OpTensor(ACL_INT64, {15}).get(), counts.get()), 161002);
  EXPECT_EQ(plan(self.get(), values.get(), inverse.get(), OpTensor(ACL_INT64, {14}).get()), 161002);
  const auto by_dim = [&](std::int64_t dim, aclTensor* v) {
    const OpTensor rows(ACL_INT64, {5});
    return aclnnUniqueDimGetWorkspaceSize(self.get(), true, true, dim, v, rows.get(), rows.get(), &size, &executor);
  };
  EXPECT_EQ(by_dim(2, OpTensor(ACL_FLOAT, {5, 3}).get()), 161002);
  EXPECT_EQ(by_dim(0, values.get()), 161002);
  EXPECT_EQ(by_dim(0, OpTensor(ACL_FLOAT, {5, 4}).get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
