#include "aclnnop/aclnn_masked_select.h"
#include "aclnnop/aclnn_nonzero.h"
#include "aclnnop/aclnn_nonzero_v2.h"
#include "ops/executor/dynamic_length.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kSelectable[] = {ACL_BF16,  ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_INT8,
                                       ACL_INT16, ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_BOOL};
constexpr aclDataType kTestable[] = {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32,  ACL_INT64,  ACL_INT16, ACL_INT8,
                                     ACL_UINT8, ACL_BOOL,    ACL_BF16,   ACL_UINT16, ACL_UINT32, ACL_UINT64};

/// A pseudo-random mask.
bool is_set(std::int64_t i) { return (i * 7 + i / 5 * 3) % 11 < 4; }

class MaskedSelect : public DynamicLengthTest {
 protected:
  static Plan plan_of(const OpTensor& self, const OpTensor& mask, const OpTensor& out) {
    return [&](auto* size, auto** executor) {
      return aclnnMaskedSelectGetWorkspaceSize(self.get(), mask.get(), out.get(), size, executor);
    };
  }
  /// Both broadcast to `shape`.
  static void check(const OpTensor& self, const OpTensor& mask, const OpTensor& out, const Shape& shape,
                    std::int64_t offset = 0) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    std::vector<Number> expected;
    for (std::int64_t i = 0; i < count_of(shape); ++i) {
      if (mask.before(source_of(i, shape, mask.shape())) == Number(0)) continue;
      expected.push_back(self.before(source_of(i, shape, self.shape())));
    }
    const auto found = find(plan_of(self, mask, out), aclnnMaskedSelect, {&self, &mask}, {{&out, offset}});
    if (found.empty()) return;
    EXPECT_EQ(found[0].shape, (Shape{static_cast<std::int64_t>(expected.size())}));
    expect_equal(found[0], expected);
  }
};

class SelectedTypes : public MaskedSelect, public testing::WithParamInterface<aclDataType> {};

TEST_P(SelectedTypes, AreThoseOfTheMask) {
  OpTensor self(GetParam(), {13, 7});
  OpTensor mask(ACL_BOOL, {13, 7});
  self.fill_random(1);
  mask.fill([](std::int64_t i) { return Real(is_set(i)); });
  check(self, mask, OpTensor(GetParam(), {91}), {13, 7});
}

TEST_P(SelectedTypes, BroadcastAndAreViews) {
  OpTensor self(GetParam(), {5, 7}, {{1, 6}, 2});
  OpTensor mask(ACL_BOOL, {3, 1, 7}, {{14, 1, 2}, 1});
  self.fill_random(2);
  mask.fill([](std::int64_t i) { return Real(is_set(i + 1)); });
  check(self, mask, OpTensor(GetParam(), {105}, {{3}, 5}), {3, 5, 7}, 5);
}

INSTANTIATE_TEST_SUITE_P(Types, SelectedTypes, testing::ValuesIn(kSelectable), name_of_dtype);

TEST_F(MaskedSelect, TakesBytesThatAreNotZero) {
  OpTensor self(ACL_FLOAT, {31});
  OpTensor mask(ACL_UINT8, {31});
  self.fill_random(3);
  mask.fill([](std::int64_t i) { return Real(is_set(i) ? i + 1 : 0); });
  check(self, mask, OpTensor(ACL_FLOAT, {31}), {31});
}

TEST_F(MaskedSelect, OfAllAndOfNone) {
  for (const Real all : {0, 1}) {
    OpTensor self(ACL_FLOAT, {7, 11});
    OpTensor mask(ACL_BOOL, {1});
    self.fill_random(4);
    mask.fill([&](std::int64_t) { return all; });
    check(self, mask, OpTensor(ACL_FLOAT, {77}), {7, 11});
  }
}

TEST_F(MaskedSelect, OfScalarsAndOfNothing) {
  for (const Real value : {0, 1}) {
    OpTensor self(ACL_INT64, {});
    OpTensor mask(ACL_BOOL, {});
    self.fill_random(5);
    mask.fill([&](std::int64_t) { return value; });
    check(self, mask, OpTensor(ACL_INT64, {1}), {});
  }
  check(OpTensor(ACL_FLOAT, {3, 0}), OpTensor(ACL_BOOL, {3, 1}), OpTensor(ACL_FLOAT, {0}), {3, 0});
}

TEST_F(MaskedSelect, KeepsBitsOfNan) {
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const Real inf = std::numeric_limits<Real>::infinity();
  OpTensor self(ACL_FLOAT16, {9});
  OpTensor mask(ACL_BOOL, {9});
  self.fill([&](std::int64_t i) { return i % 3 == 0 ? nan : i % 3 == 1 ? -inf : Real(i); });
  mask.fill([](std::int64_t i) { return Real(i % 4 != 1); });
  check(self, mask, OpTensor(ACL_FLOAT16, {9}), {9});
}

TEST_F(MaskedSelect, OfMillions) {
  for (const std::int64_t count : {65537, 3000017}) {
    OpTensor self(ACL_INT32, {count});
    OpTensor mask(ACL_BOOL, {count});
    self.fill([](std::int64_t i) { return Real(i); });
    mask.fill([](std::int64_t i) { return Real(i % 5 == 0 || i % 7 == 3); });
    check(self, mask, OpTensor(ACL_INT32, {count}), {count});
  }
}

// A repeatable executor finds the length anew.
TEST_F(MaskedSelect, FindsAnotherLengthEachTime) {
  OpTensor self(ACL_FLOAT, {17});
  self.fill_random(6).upload();
  OpTensor mask(ACL_BOOL, {17});
  const OpTensor out(ACL_FLOAT, {17});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(plan_of(self, mask, out)(&size, &executor), 0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  void* workspace = nullptr;
  ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  for (const std::int64_t wanted : {3, 17, 0, 5}) {
    mask.fill([&](std::int64_t i) { return Real(i < wanted); }).upload();
    out.upload();
    const auto before = out.download();
    ASSERT_EQ(aclnnMaskedSelect(workspace, size, executor, stream()), 0) << aclGetRecentErrMsg();
    const DynamicLengthTensor found(out, 0, before);
    EXPECT_EQ(found.shape, (Shape{wanted}));
    EXPECT_TRUE(found.rest_is_untouched);
    for (std::int64_t i = 0; i < wanted; ++i) EXPECT_EQ(found[i], self.before(i));
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  aclrtFree(workspace);
}

TEST_F(MaskedSelect, RefusesWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5, 3});
  const OpTensor mask(ACL_BOOL, {5, 3});
  const OpTensor out(ACL_FLOAT, {15});
  const auto plan = [&](const aclTensor* x, const aclTensor* m, aclTensor* y) {
    return aclnnMaskedSelectGetWorkspaceSize(x, m, y, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, mask.get(), out.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(plan(self.get(), mask.get(), nullptr), 161001);
  EXPECT_EQ(plan(OpTensor(ACL_COMPLEX64, {15}).get(), mask.get(), out.get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_INT32, {5, 3}).get(), out.get()), 161002);
  EXPECT_EQ(plan(self.get(), mask.get(), OpTensor(ACL_INT32, {15}).get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_BOOL, {4, 3}).get(), out.get()), 161002);
  EXPECT_EQ(plan(self.get(), mask.get(), OpTensor(ACL_FLOAT, {14}).get()), 161002);
  EXPECT_EQ(plan(self.get(), mask.get(), OpTensor(ACL_FLOAT, {5, 3}).get()), 161002);
  EXPECT_EQ(plan(self.get(), mask.get(), OpTensor(ACL_FLOAT, {15}, {{0}}).get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

class Nonzero : public DynamicLengthTest {
 protected:
  static void check(const OpTensor& self, aclDataType type = ACL_INT64) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const auto rank = static_cast<std::int64_t>(self.shape().size());
    std::vector<Shape> places;
    for (std::int64_t i = 0; i < self.count(); ++i) {
      if (self.before(i) != Number(0)) places.push_back(coordinates_of(i, self.shape()));
    }
    const auto found = static_cast<std::int64_t>(places.size());
    const OpTensor rows(type, {self.count(), rank});
    const auto by_row =
        find([&](auto* n, auto** e) { return aclnnNonzeroGetWorkspaceSize(self.get(), rows.get(), n, e); },
             aclnnNonzero, {&self}, {{&rows}});
    const OpTensor columns(type, {rank, self.count()});
    const auto by_column =
        find([&](auto* n, auto** e) { return aclnnNonzeroV2GetWorkspaceSize(self.get(), columns.get(), n, e); },
             aclnnNonzeroV2, {&self}, {{&columns}});
    if (by_row.empty() || by_column.empty()) return;
    EXPECT_EQ(by_row[0].shape, (Shape{found, rank}));
    EXPECT_EQ(by_column[0].shape, (Shape{rank, found}));
    for (std::int64_t i = 0; i < found; ++i) {
      for (std::int64_t dim = 0; dim < rank; ++dim) {
        const Number expected = Real(places[static_cast<std::size_t>(i)][static_cast<std::size_t>(dim)]);
        ASSERT_EQ(by_row[0][i * rank + dim], expected) << "element " << i << ", dim " << dim;
        ASSERT_EQ(by_column[0][dim * found + i], expected) << "element " << i << ", dim " << dim;
      }
    }
  }
};

class NonzeroTypes : public Nonzero, public testing::WithParamInterface<aclDataType> {};

TEST_P(NonzeroTypes, AreFound) {
  OpTensor self(GetParam(), {5, 3, 7});
  self.fill([](std::int64_t i) { return Real(is_set(i) ? i % 100 + 1 : 0); });
  check(self);
  OpTensor view(GetParam(), {5, 7}, {{1, 6}, 2});
  view.fill([](std::int64_t i) { return Real(is_set(i + 3)); });
  check(view, ACL_INT32);
}

INSTANTIATE_TEST_SUITE_P(Types, NonzeroTypes, testing::ValuesIn(kTestable), name_of_dtype);

TEST_F(Nonzero, CountsNanAndNotTheNegativeZero) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) {
    OpTensor self(type, {12});
    self.fill([](std::int64_t i) {
      if (i % 4 == 0) return std::numeric_limits<Real>::quiet_NaN();
      if (i % 4 == 1) return Real(-0.0L);
      return i % 4 == 2 ? std::numeric_limits<Real>::infinity() : Real(0);
    });
    check(self);
  }
}

TEST_F(Nonzero, OfAllOfNoneAndOfNothing) {
  for (const Real value : {0, 1}) {
    OpTensor self(ACL_INT32, {7, 5});
    self.fill([&](std::int64_t) { return value; });
    check(self);
    OpTensor scalar(ACL_FLOAT, {});
    scalar.fill([&](std::int64_t) { return value; });
    check(scalar);
    // PyTorch makes room for as many places as there are dims.
    const OpTensor no_rows(ACL_INT64, {0, 0});
    const auto found =
        find([&](auto* n, auto** e) { return aclnnNonzeroGetWorkspaceSize(scalar.get(), no_rows.get(), n, e); },
             aclnnNonzero, {&scalar}, {{&no_rows}});
    ASSERT_FALSE(found.empty());
    EXPECT_EQ(found[0].shape, (Shape{value == 0 ? 0 : 1, 0}));
  }
  check(OpTensor(ACL_FLOAT, {3, 0, 2}));
}

TEST_F(Nonzero, HasUpToEightDims) {
  OpTensor self(ACL_FLOAT, {2, 3, 2, 1, 2, 3, 2, 2});
  self.fill([](std::int64_t i) { return Real(is_set(i)); });
  check(self);
}

TEST_F(Nonzero, OfMillions) {
  OpTensor long_one(ACL_UINT8, {65537});
  long_one.fill([](std::int64_t i) { return Real(i % 3 == 0); });
  check(long_one);
  OpTensor self(ACL_UINT8, {1009, 2003});
  self.fill([](std::int64_t i) { return Real(i % 11 == 0 || i % 17 == 3); });
  check(self);
}

TEST_F(Nonzero, WritesIntoViews) {
  OpTensor self(ACL_FLOAT, {13});
  self.fill([](std::int64_t i) { return Real(is_set(i)); });
  const OpTensor out(ACL_INT64, {13, 1}, {{3, 1}, 4});
  const auto found = find([&](auto* n, auto** e) { return aclnnNonzeroGetWorkspaceSize(self.get(), out.get(), n, e); },
                          aclnnNonzero, {&self}, {{&out, 4}});
  if (found.empty()) return;
  std::vector<Number> expected;
  for (std::int64_t i = 0; i < 13; ++i) {
    if (is_set(i)) expected.push_back(Real(i));
  }
  expect_equal(found[0], expected);
}

TEST_F(Nonzero, RefusesWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5, 3});
  const auto plan = [&](const aclTensor* x, aclTensor* y) {
    return aclnnNonzeroGetWorkspaceSize(x, y, &size, &executor);
  };
  const OpTensor out(ACL_INT64, {15, 2});
  EXPECT_EQ(plan(nullptr, out.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr), 161001);
  EXPECT_EQ(plan(OpTensor(ACL_COMPLEX64, {5, 3}).get(), out.get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_FLOAT, {15, 2}).get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_INT64, {15, 3}).get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_INT64, {14, 2}).get()), 161002);
  EXPECT_EQ(plan(self.get(), OpTensor(ACL_INT64, {2, 15}).get()), 161002);
  EXPECT_EQ(aclnnNonzeroV2GetWorkspaceSize(self.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
