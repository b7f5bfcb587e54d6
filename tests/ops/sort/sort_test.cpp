#include <numeric>
#include <optional>

#include "aclnnop/aclnn_argsort.h"
#include "aclnnop/aclnn_kthvalue.h"
#include "aclnnop/aclnn_median.h"
#include "aclnnop/aclnn_sort.h"
#include "aclnnop/aclnn_topk.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

const std::vector<aclDataType> kArgsortTypes = {ACL_BF16,  ACL_FLOAT16, ACL_FLOAT,  ACL_INT8,   ACL_INT16, ACL_INT32,
                                                ACL_INT64, ACL_UINT8,   ACL_UINT16, ACL_UINT32, ACL_UINT64};
const std::vector<aclDataType> kSortTypes = {ACL_BF16,   ACL_FLOAT16, ACL_FLOAT, ACL_DOUBLE, ACL_INT8,
                                             ACL_INT16,  ACL_INT32,   ACL_INT64, ACL_UINT8,  ACL_UINT16,
                                             ACL_UINT32, ACL_UINT64,  ACL_BOOL};
const std::vector<aclDataType> kMedianTypes = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_UINT8,
                                               ACL_INT8,  ACL_INT16,   ACL_INT32, ACL_INT64};

/// Places of a row.
using Places = std::vector<std::size_t>;
using Row = std::vector<Real>;

/// The places in order; NaN is greater than all numbers, and equals stay as they are.
Places order_of(const Row& row, bool descending) {
  Places places(row.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  const auto less = [](Real x, Real y) { return x < y || (std::isnan(y) && !std::isnan(x)); };
  std::stable_sort(places.begin(), places.end(), [&](std::size_t x, std::size_t y) {
    return descending ? less(row[y], row[x]) : less(row[x], row[y]);
  });
  return places;
}

/// The place of the lower one of the elements in the middle. Without `ignores_nan` the first NaN, if there is any.
std::size_t median_of(const Row& row, bool ignores_nan) {
  const Places order = order_of(row, false);
  const auto numbers =
      static_cast<std::size_t>(std::count_if(row.begin(), row.end(), [](Real x) { return !std::isnan(x); }));
  if (numbers == row.size() || ignores_nan) return order[(std::max<std::size_t>(numbers, 1) - 1) / 2];
  return order[numbers];
}

class Sorting : public OpTest {
 protected:
  /// What an operator picks of a row.
  using PickOf = std::function<Places(const Row&)>;

  /// The element of self for each element of the result: `of` says which of its row.
  static std::vector<std::pair<std::int64_t, std::int64_t>> picked(const OpTensor& self, std::int64_t dim,
                                                                   const Shape& result, const PickOf& of) {
    std::vector<std::pair<std::int64_t, std::int64_t>> all(static_cast<std::size_t>(count_of(result)));
    const Reduced reduced(self.shape(), {dim});
    const auto rank = static_cast<std::int64_t>(self.shape().size());
    const auto along = static_cast<std::size_t>(rank == 0 ? 0 : (dim + rank) % rank);
    std::int64_t inner = 1;
    for (std::size_t i = along + 1; i < self.shape().size(); ++i) inner *= self.shape()[i];
    const auto sources = reduced.sources();
    for (std::size_t number = 0; number < sources.size(); ++number) {
      Row row;
      for (const std::int64_t element : sources[number]) row.push_back(self.before(element).real());
      const Places places = of(row);
      const auto each = static_cast<std::int64_t>(places.size());
      const auto n = static_cast<std::int64_t>(number);
      for (std::int64_t i = 0; i < each; ++i) {
        const std::int64_t at = n / inner * inner * each + i * inner + n % inner;
        const std::size_t place = places[static_cast<std::size_t>(i)];
        all[static_cast<std::size_t>(at)] = {sources[number][place], static_cast<std::int64_t>(place)};
      }
    }
    return all;
  }

  static void check(const Plan& plan, Launch launch, const OpTensor& self, std::int64_t dim, const OpTensor* values,
                    const OpTensor* indices, const PickOf& of) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()) + ", dim " + std::to_string(dim));
    const OpTensor& any = values ? *values : *indices;
    const auto all = picked(self, dim, any.shape(), of);
    std::vector<const OpTensor*> others = {&self};
    if (values && indices) others.push_back(indices);
    const auto bytes = run(plan, launch, others, any);
    if (values) {
      const auto element = [&](std::int64_t i) { return self.before(all[static_cast<std::size_t>(i)].first); };
      expect_elements(*values, bytes, element, true);
    }
    if (!indices) return;
    const auto places = indices->download();
    EXPECT_TRUE(indices->only_elements_changed(places));
    const auto place = [&](std::int64_t i) { return Number(Real(all[static_cast<std::size_t>(i)].second)); };
    expect_elements(*indices, places, place, true);
  }

  static void check_sort(const OpTensor& self, std::int64_t dim, bool descending) {
    const OpTensor values(self.type(), self.shape());
    const OpTensor indices(ACL_INT64, self.shape());
    check(
        [&](auto* n, auto** e) {
          return aclnnSortGetWorkspaceSize(self.get(), true, dim, descending, values.get(), indices.get(), n, e);
        },
        aclnnSort, self, dim, &values, &indices, [&](const Row& row) { return order_of(row, descending); });
  }

  static void check_topk(const OpTensor& self, std::int64_t k, std::int64_t dim, bool largest) {
    Shape shape = self.shape();
    const auto rank = static_cast<std::int64_t>(shape.size());
    if (rank > 0) shape[static_cast<std::size_t>((dim + rank) % rank)] = k;
    const OpTensor values(self.type(), shape);
    const OpTensor indices(ACL_INT64, shape);
    check(
        [&](auto* n, auto** e) {
          return aclnnTopkGetWorkspaceSize(self.get(), k, dim, largest, true, values.get(), indices.get(), n, e);
        },
        aclnnTopk, self, dim, &values, &indices,
        [&](const Row& row) {
          Places places = order_of(row, largest);
          places.resize(static_cast<std::size_t>(k));
          return places;
        });
  }

  static void check_kth(const OpTensor& self, std::int64_t k, std::int64_t dim, bool keep) {
    const Shape shape = Reduced(self.shape(), {dim}).result(keep);
    const OpTensor values(self.type(), shape);
    const OpTensor indices(ACL_INT64, shape);
    check(
        [&](auto* n, auto** e) {
          return aclnnKthvalueGetWorkspaceSize(self.get(), k, dim, keep, values.get(), indices.get(), n, e);
        },
        aclnnKthvalue, self, dim, &values, &indices,
        [&](const Row& row) { return Places{order_of(row, false)[static_cast<std::size_t>(k - 1)]}; });
  }

  static void check_median(const OpTensor& self, std::int64_t dim, bool keep, bool ignores_nan) {
    const Shape shape = Reduced(self.shape(), {dim}).result(keep);
    const OpTensor values(self.type(), shape);
    const OpTensor indices(ACL_INT64, shape);
    check(
        [&](auto* n, auto** e) {
          const auto plan = ignores_nan ? aclnnNanMedianDimGetWorkspaceSize : aclnnMedianDimGetWorkspaceSize;
          return plan(self.get(), dim, keep, values.get(), indices.get(), n, e);
        },
        ignores_nan ? aclnnNanMedianDim : aclnnMedianDim, self, dim, &values, &indices,
        [&](const Row& row) { return Places{median_of(row, ignores_nan)}; });
  }

  static void check_median_of_all(const OpTensor& self, bool ignores_nan) {
    const OpTensor value(self.type(), {});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          const auto plan = ignores_nan ? aclnnNanMedianGetWorkspaceSize : aclnnMedianGetWorkspaceSize;
          return plan(self.get(), value.get(), n, e);
        },
        ignores_nan ? aclnnNanMedian : aclnnMedian, {&self}, value);
    Row row;
    for (std::int64_t i = 0; i < self.count(); ++i) row.push_back(self.before(i).real());
    expect_elements(
        value, bytes, [&](std::int64_t) { return Number(row[median_of(row, ignores_nan)]); }, true);
  }

  /// Few values, so that many are equal, and for floats some that are special.
  static OpTensor& fill_with_equals(OpTensor& self, unsigned seed) {
    std::mt19937 random(seed);
    const Real special[] = {kNan, kInf, -kInf, 0.0L, -0.0L};
    return self.fill([&, type = self.type()](std::int64_t) -> Number {
      const auto drawn = static_cast<std::int64_t>(random() % 23);
      if (is_floating(type) && drawn < 5) return special[drawn];
      return type == ACL_BOOL                                ? Real(drawn % 2)
             : facts_of(type).is_signed || is_floating(type) ? Real(drawn - 9)
                                                             : Real(drawn);
    });
  }
};

TEST_F(Sorting, PutsRowsInOrder) {
  for (const aclDataType type : kSortTypes) {
    OpTensor rows(type, {3, 89});
    check_sort(rows.fill_random(1), -1, false);
    OpTensor blocks(type, {5, 11, 13}, {{1, 70, 5}, 2});
    check_sort(fill_with_equals(blocks, 2), 1, true);
    check_sort(blocks, 0, false);
  }
}

TEST_F(Sorting, KeepsTheBitsOfElements) {
  OpTensor self(ACL_FLOAT, {6});
  const Real x[] = {0.0L, -0.0L, 1, -0.0L, 0.0L, -1};
  self.fill([&](std::int64_t i) { return x[i]; });
  const OpTensor values(ACL_FLOAT, {6});
  const OpTensor indices(ACL_INT64, {6});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnSortGetWorkspaceSize(self.get(), false, 0, false, values.get(), indices.get(), n, e);
      },
      aclnnSort, {&self, &indices}, values);
  const bool negative[] = {true, false, true, true, false, false};
  for (std::int64_t i = 0; i < 6; ++i) EXPECT_EQ(std::signbit(values.in(bytes, i).real()), negative[i]) << i;
}

TEST_F(Sorting, RowsOfEveryLength) {
  // Around the numbers that a thread and a workgroup sort, and that are merged.
  for (const std::int64_t length :
       {1, 2, 7, 8, 9, 15, 16, 17, 64, 127, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097, 10007}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_INT64}) {
      OpTensor self(type, {3, length});
      check_sort(self.fill_random(static_cast<unsigned>(length)), 1, length % 2 == 0);
      check_sort(fill_with_equals(self, static_cast<unsigned>(length)), 1, false);
    }
  }
}

TEST_F(Sorting, LongRows) {
  OpTensor self(ACL_FLOAT, {200003});
  check_sort(self.fill_random(5), 0, false);
  OpTensor backward(ACL_INT32, {150001});
  check_sort(backward.fill([](std::int64_t i) { return Real(-i / 2); }), 0, false);
  OpTensor all_equal(ACL_DOUBLE, {2, 70001});
  check_sort(all_equal.fill([](std::int64_t) { return Real(3); }), 1, true);
}

TEST_F(Sorting, ManyShortRows) {
  OpTensor self(ACL_INT16, {10007, 3});
  check_sort(self.fill_random(6), 1, false);
  OpTensor columns(ACL_FLOAT16, {5, 3001});
  check_sort(columns.fill_random(7), 0, true);
}

TEST_F(Sorting, ExtremeValues) {
  for (const aclDataType type :
       {ACL_INT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_UINT8, ACL_UINT16, ACL_UINT32, ACL_UINT64}) {
    const auto facts = facts_of(type);
    const Real lowest = facts.is_signed ? -std::ldexp(Real(1), facts.bits - 1) : 0;
    const Real highest = std::ldexp(Real(1), facts.bits - (facts.is_signed ? 1 : 0)) - 1;
    const Real x[] = {highest, 0, lowest, highest, 1, lowest, highest - 1, lowest + 1};
    OpTensor self(type, {3, 8});
    self.fill([&](std::int64_t i) { return x[(i * 3) % 8]; });
    for (const bool descending : {false, true}) check_sort(self, 1, descending);
  }
}

TEST_F(Sorting, OfScalarsAndOfNothing) {
  OpTensor scalar(ACL_FLOAT, {});
  check_sort(scalar.fill_random(8), 0, false);
  check_sort(scalar, -1, true);
  check_sort(OpTensor(ACL_FLOAT, {3, 0}), 1, false);
  check_sort(OpTensor(ACL_INT64, {0, 3}), 1, false);
  check_topk(scalar, 1, 0, true);
  check_topk(scalar, 1, -1, false);
  check_kth(scalar, 1, 0, false);
  check_median(scalar, 0, true, false);
  check_median_of_all(scalar, true);
  OpTensor some(ACL_FLOAT, {3, 5});
  check_topk(some.fill_random(9), 0, 1, true);
  check_median(OpTensor(ACL_FLOAT, {0, 5}), 1, false, true);
  const OpTensor empty(ACL_FLOAT, {3, 0});
  const OpTensor value(ACL_FLOAT, {});
  const auto bytes = run([&](auto* n, auto** e) { return aclnnMedianGetWorkspaceSize(empty.get(), value.get(), n, e); },
                         aclnnMedian, {}, value);
  EXPECT_TRUE(std::isnan(value.in(bytes, 0).real()));
}

TEST_F(Sorting, GivesPlacesAlone) {
  for (const aclDataType type : kArgsortTypes) {
    OpTensor self(type, {4, 37});
    fill_with_equals(self, 10);
    const OpTensor indices(ACL_INT64, {4, 37}, {{1, 5}, 3});
    for (const std::int64_t dim : {0, 1}) {
      check([&](auto* n, auto** e) { return aclnnArgsortGetWorkspaceSize(self.get(), dim, true, indices.get(), n, e); },
            aclnnArgsort, self, dim, nullptr, &indices, [](const Row& row) { return order_of(row, true); });
    }
  }
}

TEST_F(Sorting, FindsTheHighestAndTheLowest) {
  for (const aclDataType type : {ACL_INT8, ACL_UINT8, ACL_INT16, ACL_INT32, ACL_INT64, ACL_FLOAT16, ACL_FLOAT,
                                 ACL_DOUBLE, ACL_BF16, ACL_UINT16, ACL_UINT32, ACL_UINT64}) {
    OpTensor self(type, {3, 61, 5}, {{500, 7, 1}, 4});
    fill_with_equals(self, 11);
    check_topk(self, 17, 1, true);
    check_topk(self, 3, -1, false);
    check_topk(self, 3, 0, true);
  }
}

TEST_F(Sorting, FindsTheHighestOfLongRows) {
  OpTensor self(ACL_FLOAT, {2, 50021});
  self.fill_random(12);
  for (const std::int64_t k : {1, 50, 2048, 5000, 50021}) check_topk(self, k, 1, k != 50);
  OpTensor wide(ACL_INT64, {3, 9001});
  fill_with_equals(wide, 13);
  for (const std::int64_t k : {1, 100, 1500, 9000}) check_topk(wide, k, 1, k != 100);
}

TEST_F(Sorting, FindsTheKthValue) {
  for (const aclDataType type : kArgsortTypes) {
    OpTensor self(type, {3, 61, 5});
    fill_with_equals(self, 14);
    check_kth(self, 1, 1, false);
    check_kth(self, 40, 1, true);
    check_kth(self, 5, -1, false);
  }
  OpTensor row(ACL_FLOAT, {30011});
  row.fill_random(15);
  for (const std::int64_t k : {1, 777, 15000, 30011}) check_kth(row, k, 0, false);
}

TEST_F(Sorting, FindsMedians) {
  for (const aclDataType type : kMedianTypes) {
    for (const bool ignores_nan : {false, true}) {
      OpTensor self(type, {4, 7, 6}, {{100, 1, 9}, 2});
      fill_with_equals(self, 16);
      for (const std::int64_t dim : {0, 1, 2}) check_median(self, dim, dim == 1, ignores_nan);
      check_median_of_all(self, ignores_nan);
      OpTensor plain(type, {3, 5000});
      plain.fill_random(17);
      check_median(plain, 1, false, ignores_nan);
      check_median_of_all(plain, ignores_nan);
    }
  }
}

TEST_F(Sorting, MediansAmongNan) {
  const Real x[] = {kNan, kNan, kNan, kNan, 3, kNan, 1, kNan, kNan, 1, 2, kNan, 4, 3, 2, 1, kInf, kNan, -kInf, kInf};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    OpTensor self(type, {5, 4});
    self.fill([&](std::int64_t i) { return x[i]; });
    for (const bool ignores_nan : {false, true}) {
      check_median(self, 1, false, ignores_nan);
      check_median(self, 0, true, ignores_nan);
      check_median_of_all(self, ignores_nan);
    }
  }
}

TEST_F(Sorting, RunsAgainWithOtherAddresses) {
  OpTensor first(ACL_FLOAT, {5, 700}, {{1, 5}, 0, 0});
  OpTensor second(ACL_FLOAT, {5, 700}, {{1, 5}, 0, 0});
  first.fill_random(18).upload();
  second.fill_random(19).upload();
  const OpTensor values(ACL_FLOAT, {5, 20});
  const OpTensor indices(ACL_INT64, {5, 20});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnTopkGetWorkspaceSize(first.get(), 20, 1, true, true, values.get(), indices.get(), &size, &executor),
            0);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  void* workspace = nullptr;
  ASSERT_EQ(aclrtMalloc(&workspace, size, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  for (const OpTensor* self : {&first, &second, &first}) {
    values.upload();
    ASSERT_EQ(aclSetInputTensorAddr(executor, 0, self->get(), self->memory()), 0);
    ASSERT_EQ(aclnnTopk(workspace, size, executor, stream()), 0) << aclGetRecentErrMsg();
    ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
    const auto bytes = values.download();
    for (std::int64_t row = 0; row < 5; ++row) {
      Row elements;
      for (std::int64_t i = 0; i < 700; ++i) elements.push_back(self->before(row * 700 + i).real());
      const Places order = order_of(elements, true);
      for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(values.in(bytes, row * 20 + static_cast<std::int64_t>(i)).real(), elements[order[i]]);
      }
    }
  }
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  aclrtFree(workspace);
}

TEST_F(Sorting, OnlyResultsThatThereAreHaveAnIndex) {
  const OpTensor self(ACL_FLOAT, {5});
  const OpTensor indices(ACL_INT64, {5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnArgsortGetWorkspaceSize(self.get(), 0, true, indices.get(), &size, &executor), 0);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 0, indices.get(), indices.memory()), 0);
  EXPECT_EQ(aclSetOutputTensorAddr(executor, 1, indices.get(), indices.memory()), 161002);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

class RefusedSorting : public Sorting {
 protected:
  const OpTensor self{ACL_FLOAT, {3, 7}};
  const OpTensor values{ACL_FLOAT, {3, 7}};
  const OpTensor indices{ACL_INT64, {3, 7}};
  const OpTensor one{ACL_FLOAT, {3}};
  const OpTensor one_index{ACL_INT64, {3}};
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;

  static aclTensor* get(const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; }
};

TEST_F(RefusedSorting, OfAllElements) {
  const OpTensor half(ACL_FLOAT16, {3, 7});
  const OpTensor other(ACL_FLOAT, {7, 3});
  const OpTensor complex(ACL_COMPLEX64, {3, 7});
  const OpTensor narrow(ACL_INT32, {3, 7});
  const auto sort = [&](const OpTensor* x, int64_t dim, const OpTensor* y, const OpTensor* i) {
    return aclnnSortGetWorkspaceSize(get(x), true, dim, false, get(y), get(i), &n, &e);
  };
  EXPECT_EQ(sort(nullptr, 0, &values, &indices), 161001);
  EXPECT_EQ(sort(&self, 0, nullptr, &indices), 161001);
  EXPECT_EQ(sort(&self, 0, &values, nullptr), 161001);
  EXPECT_EQ(aclnnSortGetWorkspaceSize(self.get(), true, 0, false, values.get(), indices.get(), nullptr, &e), 161001);
  EXPECT_EQ(aclnnSortGetWorkspaceSize(self.get(), true, 0, false, values.get(), indices.get(), &n, nullptr), 161001);
  EXPECT_EQ(sort(&complex, 0, &complex, &indices), 161002);
  EXPECT_EQ(sort(&self, 0, &half, &indices), 161002);
  EXPECT_EQ(sort(&self, 0, &values, &narrow), 161002);
  EXPECT_EQ(sort(&self, 0, &other, &indices), 161002);
  EXPECT_EQ(sort(&self, 2, &values, &indices), 161002);
  EXPECT_EQ(sort(&self, -3, &values, &indices), 161002);
  EXPECT_EQ(sort(&self, 0, &self, &indices), 161002) << "elements move, so it is not done in place";
  EXPECT_EQ(aclnnArgsortGetWorkspaceSize(self.get(), 0, false, nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnArgsortGetWorkspaceSize(self.get(), 0, false, narrow.get(), &n, &e), 161002);
}

TEST_F(RefusedSorting, OfTheHighest) {
  const OpTensor two(ACL_FLOAT, {3, 2});
  const OpTensor two_indices(ACL_INT64, {3, 2});
  const auto topk = [&](const OpTensor* x, int64_t k, int64_t dim) {
    return aclnnTopkGetWorkspaceSize(get(x), k, dim, true, true, two.get(), two_indices.get(), &n, &e);
  };
  EXPECT_EQ(topk(&self, -1, 1), 161002);
  EXPECT_EQ(topk(&self, 8, 1), 161002);
  EXPECT_EQ(topk(&self, 3, 1), 161002) << "the results have two";
  EXPECT_EQ(topk(&self, 2, 2), 161002);
  EXPECT_EQ(topk(nullptr, 2, 1), 161001);
  EXPECT_EQ(topk(&self, 2, 1), 0);
}

TEST_F(RefusedSorting, OfTheKthValue) {
  const auto kth = [&](int64_t k, int64_t dim, bool keep) {
    return aclnnKthvalueGetWorkspaceSize(self.get(), k, dim, keep, one.get(), one_index.get(), &n, &e);
  };
  EXPECT_EQ(kth(0, 1, false), 161002);
  EXPECT_EQ(kth(8, 1, false), 161002);
  EXPECT_EQ(kth(1, 1, true), 161002);
  EXPECT_EQ(kth(1, 0, false), 161002);
  EXPECT_EQ(kth(1, 1, false), 0);
  EXPECT_EQ(aclnnKthvalueGetWorkspaceSize(self.get(), 1, 1, false, one.get(), nullptr, &n, &e), 161001);
}

TEST_F(RefusedSorting, OfMedians) {
  const OpTensor no_rows(ACL_FLOAT, {3, 0});
  const OpTensor no_ints(ACL_INT32, {0});
  const OpTensor int_value(ACL_INT32, {});
  EXPECT_EQ(aclnnMedianDimGetWorkspaceSize(no_rows.get(), 1, false, one.get(), one_index.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMedianDimGetWorkspaceSize(self.get(), 3, false, one.get(), one_index.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnNanMedianDimGetWorkspaceSize(self.get(), 1, false, nullptr, one_index.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnMedianGetWorkspaceSize(no_ints.get(), int_value.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMedianGetWorkspaceSize(self.get(), one.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnMedianGetWorkspaceSize(self.get(), nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnNanMedianGetWorkspaceSize(nullptr, one.get(), &n, &e), 161001);
}

}  // namespace
}  // namespace aclvk::test
