#include "aclnnop/aclnn_index_add.h"
#include "aclnnop/aclnn_index_add_v2.h"
#include "aclnnop/aclnn_index_copy.h"
#include "aclnnop/aclnn_index_fill.h"
#include "aclnnop/aclnn_index_fill_tensor.h"
#include "aclnnop/aclnn_put.h"
#include "aclnnop/aclnn_scatter.h"
#include "aclnnop/aclnn_scatter_add.h"
#include "aclnnop/aclnn_scatter_mul.h"
#include "aclnnop/aclnn_scatter_reduce.h"
#include "ops/index/scatter_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,      ACL_UINT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
class ScatterTypes : public Scatters, public testing::WithParamInterface<aclDataType> {};

TEST_P(ScatterTypes, ReplaceAddAndMultiply) {
  for (const std::int64_t dim : {0, 1}) {
    for (const std::int64_t reduce : {0, 1, 2}) {
      for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
        OpTensor self(GetParam(), {5, 7});
        OpTensor index(index_type, {4, 6}, {{1, 4}, 1});
        OpTensor src(GetParam(), {5, 6});
        fill_small(self, 1);
        fill_small(src, 2);
        fill_indices(index, self.shape()[static_cast<std::size_t>(dim)]);
        const OpTensor out(GetParam(), {5, 7}, {{1, 6}, 2});
        Expected tensors(self);
        Expected scalars(self);
        for (std::int64_t i = 0; i < index.count(); ++i) {
          Shape at = coordinates_of(i, {4, 6});
          const Number x = src.before(element_at(at, {5, 6}));
          at[static_cast<std::size_t>(dim)] = place(index, i, self.shape()[static_cast<std::size_t>(dim)]);
          tensors.change(static_cast<Change>(reduce), at, x);
          scalars.change(static_cast<Change>(reduce), at, 2);
        }
        check(
            [&](auto* n, auto** e) {
              return aclnnScatterGetWorkspaceSize(self.get(), dim, index.get(), src.get(), reduce, out.get(), n, e);
            },
            aclnnScatter, {&self, &index, &src}, out, tensors);
        check(
            [&](auto* n, auto** e) {
              return aclnnInplaceScatterGetWorkspaceSize(self.get(), dim, index.get(), src.get(), reduce, n, e);
            },
            aclnnInplaceScatter, {&index, &src}, self, tensors);
        if (GetParam() == ACL_BOOL) continue;
        const OpScalar two(ACL_FLOAT, 2);
        check(
            [&](auto* n, auto** e) {
              return aclnnScatterValueGetWorkspaceSize(self.get(), dim, index.get(), two.get(), reduce, out.get(), n,
                                                       e);
            },
            aclnnScatterValue, {&self, &index}, out, scalars);
      }
    }
  }
}

TEST_P(ScatterTypes, AddAlongADim) {
  OpTensor self(GetParam(), {5, 7});
  OpTensor index(ACL_INT64, {5, 7});
  OpTensor src(GetParam(), {5, 7});
  fill_small(self, 1);
  fill_small(src, 3);
  fill_indices(index, 5);
  const OpTensor out(GetParam(), {5, 7});
  Expected expected(self);
  for (std::int64_t i = 0; i < 35; ++i) expected.change(Change::kAdd, {place(index, i, 5), i % 7}, src.before(i));
  check(
      [&](auto* n, auto** e) {
        return aclnnScatterAddGetWorkspaceSize(self.get(), 0, index.get(), src.get(), out.get(), n, e);
      },
      aclnnScatterAdd, {&self, &index, &src}, out, expected);
}

TEST_P(ScatterTypes, PutElements) {
  for (const View& view : {View{}, View{{1, 6}, 2}}) {
    for (const bool accumulate : {false, true}) {
      OpTensor self(GetParam(), {5, 7}, view);
      OpTensor index(ACL_INT64, {3, 4}, view.strides.empty() ? View{} : View{{1, 4}, 0});
      OpTensor source(GetParam(), {12});
      fill_small(self, 1);
      fill_small(source, 2);
      fill_indices(index, 35);
      Expected expected(self);
      for (std::int64_t i = 0; i < 12; ++i) {
        expected.change(accumulate ? Change::kAdd : Change::kReplace, coordinates_of(place(index, i, 35), {5, 7}),
                        source.before(i));
      }
      check(
          [&](auto* n, auto** e) {
            return aclnnInplacePutGetWorkspaceSize(self.get(), index.get(), source.get(), accumulate, n, e);
          },
          aclnnInplacePut, {&index, &source}, self, expected);
    }
  }
}

TEST_P(ScatterTypes, ReplaceSlices) {
  OpTensor self(GetParam(), {3, 6, 2});
  OpTensor index(ACL_INT32, {5});
  OpTensor source(GetParam(), {3, 5, 2}, {{1, 6, 3}, 0});
  fill_small(self, 1);
  fill_small(source, 2);
  fill_indices(index, 6);
  const OpTensor out(GetParam(), {3, 6, 2});
  Expected copied(self);
  for (std::int64_t i = 0; i < source.count(); ++i) {
    Shape at = coordinates_of(i, {3, 5, 2});
    at[1] = place(index, at[1], 6);
    copied.change(Change::kReplace, at, source.before(i));
  }
  check(
      [&](auto* n, auto** e) {
        return aclnnIndexCopyGetWorkspaceSize(self.get(), 1, index.get(), source.get(), out.get(), n, e);
      },
      aclnnIndexCopy, {&self, &index, &source}, out, copied);
  check(
      [&](auto* n, auto** e) {
        return aclnnInplaceIndexCopyGetWorkspaceSize(self.get(), -2, index.get(), source.get(), n, e);
      },
      aclnnInplaceIndexCopy, {&index, &source}, self, copied);
}

INSTANTIATE_TEST_SUITE_P(Types, ScatterTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Scatters, AddSlices) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT16, ACL_INT8, ACL_UINT8, ACL_DOUBLE, ACL_INT64, ACL_BOOL, ACL_BF16}) {
    OpTensor self(type, {3, 6, 2});
    OpTensor index(ACL_INT64, {9});
    OpTensor source(type, {3, 9, 2});
    fill_small(self, 1);
    fill_small(source, 2);
    fill_indices(index, 6);
    const OpTensor out(type, {3, 6, 2});
    const Number scale = type == ACL_BOOL ? 1 : 2;
    const OpScalar alpha(type == ACL_BOOL ? ACL_BOOL : ACL_INT32, scale);
    Expected expected(self);
    for (std::int64_t i = 0; i < source.count(); ++i) {
      Shape at = coordinates_of(i, {3, 9, 2});
      at[1] = place(index, at[1], 6);
      expected.change(Change::kAdd, at, source.before(i) * scale);
    }
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexAddGetWorkspaceSize(self.get(), 1, index.get(), source.get(), alpha.get(), out.get(), n, e);
        },
        aclnnIndexAdd, {&self, &index, &source}, out, expected);
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexAddV2GetWorkspaceSize(self.get(), 1, index.get(), source.get(), alpha.get(), 1, out.get(), n,
                                                 e);
        },
        aclnnIndexAddV2, {&self, &index, &source}, out, expected);
  }
}

// Sums in another order would be rounded differently.
TEST_F(Scatters, AddInTheOrderOfTheIndices) {
  OpTensor self(ACL_FLOAT, {7});
  OpTensor index(ACL_INT32, {1031});
  OpTensor source(ACL_FLOAT, {1031});
  self.fill_random(1);
  source.fill_random(2);
  fill_indices(index, 7);
  const OpScalar one(ACL_FLOAT, 1);
  const OpTensor out(ACL_FLOAT, {7});
  Expected expected(self);
  for (std::int64_t i = 0; i < 1031; ++i) expected.change(Change::kAdd, {place(index, i, 7)}, source.before(i));
  check(
      [&](auto* n, auto** e) {
        return aclnnIndexAddGetWorkspaceSize(self.get(), 0, index.get(), source.get(), one.get(), out.get(), n, e);
      },
      aclnnIndexAdd, {&self, &index, &source}, out, expected);
}

TEST_F(Scatters, FillSlices) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT, ACL_INT32, ACL_INT64, ACL_BOOL, ACL_BF16}) {
    OpTensor self(type, {3, 6, 2});
    OpTensor index(ACL_INT64, {3});
    fill_small(self, 1);
    const Real places[] = {4, -6, 1};
    index.fill([&](std::int64_t i) { return places[i]; });
    const OpInts array({4, -6, 1});
    const OpScalar value(ACL_FLOAT, 1);
    const OpTensor out(type, {3, 6, 2});
    Expected expected(self);
    for (std::int64_t i = 0; i < 36; ++i) {
      const Shape at = coordinates_of(i, {3, 6, 2});
      if (at[1] == 4 || at[1] == 0 || at[1] == 1) expected[at] = 1;
    }
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexFillGetWorkspaceSize(self.get(), 1, index.get(), value.get(), out.get(), n, e);
        },
        aclnnIndexFill, {&self, &index}, out, expected);
    check(
        [&](auto* n, auto** e) {
          return aclnnInplaceIndexFillGetWorkspaceSize(self.get(), 1, index.get(), value.get(), n, e);
        },
        aclnnInplaceIndexFill, {&index}, self, expected);
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexFillTensorGetWorkspaceSize(self.get(), 1, array.get(), value.get(), out.get(), n, e);
        },
        aclnnIndexFillTensor, {&self}, out, expected);
    check(
        [&](auto* n, auto** e) {
          return aclnnInplaceIndexFillTensorGetWorkspaceSize(self.get(), 1, array.get(), value.get(), n, e);
        },
        aclnnInplaceIndexFillTensor, {}, self, expected);
  }
}

struct Reduction {
  std::int64_t reduce;
  Change change;
  bool mean = false;
};

TEST_F(Scatters, Reduce) {
  for (const Reduction& c :
       {Reduction{0, Change::kReplace}, Reduction{1, Change::kAdd}, Reduction{2, Change::kMultiply},
        Reduction{3, Change::kMaximum}, Reduction{4, Change::kMinimum}, Reduction{5, Change::kAdd, true}}) {
    std::vector<aclDataType> types{ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_UINT8, ACL_INT64};
    if (c.change == Change::kMaximum || c.change == Change::kMinimum) types.push_back(ACL_BOOL);
    for (const aclDataType type : types) {
      for (const bool includes_self : {true, false}) {
        SCOPED_TRACE("reduce " + std::to_string(c.reduce) + " of dtype " + std::to_string(type));
        OpTensor self(type, {5, 7});
        OpTensor index(ACL_INT64, {4, 7});
        OpTensor src(type, {4, 7});
        fill_small(self, 1);
        fill_small(src, 2);
        index.fill([](std::int64_t i) { return Real(i * i % 4); });
        const OpTensor out(type, {5, 7});
        Expected expected(self);
        std::vector<int> counts(35, 0);
        for (std::int64_t i = 0; i < 28; ++i) {
          const Shape at = {place(index, i, 5), i % 7};
          int& count = counts[static_cast<std::size_t>(element_at(at, {5, 7}))];
          if (count == 0 && !includes_self)
            expected[at] = src.before(i);
          else
            expected.change(c.change, at, src.before(i));
          ++count;
        }
        for (std::int64_t i = 0; i < 35 && c.mean; ++i) {
          const Shape at = coordinates_of(i, {5, 7});
          const int count = std::max(counts[static_cast<std::size_t>(i)] + (includes_self ? 1 : 0), 1);
          const Real mean = expected[at].real() / count;
          expected[at] = is_integer(type) ? std::floor(mean) : rounded(mean, type).real();
        }
        check(
            [&](auto* n, auto** e) {
              return aclnnScatterReduceGetWorkspaceSize(self.get(), 0, index.get(), src.get(), c.reduce, includes_self,
                                                        out.get(), n, e);
            },
            aclnnScatterReduce, {&self, &index, &src}, out, expected, !c.mean);
        check(
            [&](auto* n, auto** e) {
              return aclnnInplaceScatterReduceGetWorkspaceSize(self.get(), 0, index.get(), src.get(), c.reduce,
                                                               includes_self, n, e);
            },
            aclnnInplaceScatterReduce, {&index, &src}, self, expected, !c.mean);
      }
    }
  }
}

TEST_F(Scatters, WriteNothingOutside) {
  for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
    OpTensor self(ACL_FLOAT, {5}, {{1}, 8, 8});
    OpTensor index(index_type, {5});
    OpTensor src(ACL_FLOAT, {5});
    self.fill_random(1);
    src.fill_random(2);
    const Real narrow[] = {5, -6, 2147483647.0L, -2147483648.0L, 2};
    const Real wide[] = {5, -6, 4294967296.0L, -4294967295.0L, 2};
    index.fill([&](std::int64_t i) { return index_type == ACL_INT64 ? wide[i] : narrow[i]; });
    Expected expected(self);
    expected[{2}] = src.before(4);
    check([&](auto* n,
              auto** e) { return aclnnInplaceScatterGetWorkspaceSize(self.get(), 0, index.get(), src.get(), 0, n, e); },
          aclnnInplaceScatter, {&index, &src}, self, expected);
  }
}

TEST_F(Scatters, ChangeNothingWithoutIndices) {
  OpTensor self(ACL_FLOAT, {5, 2});
  self.fill_random(1);
  const OpTensor index(ACL_INT64, {0});
  const OpTensor source(ACL_FLOAT, {0, 2});
  const OpScalar one(ACL_FLOAT, 1);
  const OpTensor out(ACL_FLOAT, {5, 2});
  check(
      [&](auto* n, auto** e) {
        return aclnnIndexAddGetWorkspaceSize(self.get(), 0, index.get(), source.get(), one.get(), out.get(), n, e);
      },
      aclnnIndexAdd, {&self, &index, &source}, out, Expected(self));
  const OpTensor none(ACL_INT64, {0, 2});
  check(
      [&](auto* n, auto** e) {
        return aclnnScatterGetWorkspaceSize(self.get(), 0, none.get(), source.get(), 1, out.get(), n, e);
      },
      aclnnScatter, {&self, &none, &source}, out, Expected(self));
  const OpTensor bytes(ACL_UINT8, {0, 2});
  check(
      [&](auto* n, auto** e) {
        return aclnnScatterAddGetWorkspaceSize(self.get(), 0, bytes.get(), source.get(), out.get(), n, e);
      },
      aclnnScatterAdd, {&self, &bytes, &source}, out, Expected(self));
}

TEST_F(Scatters, StartFromOneElementThatIsTheFirstOfTheOutput) {
  OpTensor out(ACL_FLOAT, {4}, {{2}, 0});
  OpTensor index(ACL_INT32, {1});
  OpTensor source(ACL_FLOAT, {1});
  out.fill_random(1);
  index.fill([](std::int64_t) { return 2; });
  source.fill_random(2);
  const std::int64_t sizes[] = {4};
  const std::int64_t strides[] = {0};
  aclTensor* const self = aclCreateTensor(sizes, 1, ACL_FLOAT, strides, 0, ACL_FORMAT_ND, sizes, 1, out.memory());
  out.also(self);
  const OpScalar one(ACL_FLOAT, 1);
  Expected expected(out);
  for (std::int64_t i = 0; i < 4; ++i) expected[{i}] = out.before(0);
  expected.change(Change::kAdd, {2}, source.before(0));
  check(
      [&](auto* n, auto** e) {
        return aclnnIndexAddGetWorkspaceSize(self, 0, index.get(), source.get(), one.get(), out.get(), n, e);
      },
      aclnnIndexAdd, {&index, &source}, out, expected);
  aclDestroyTensor(self);
}

TEST_F(Scatters, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5, 3});
  const OpTensor index(ACL_INT64, {2, 3});
  const OpTensor real(ACL_FLOAT, {2, 3});
  const OpTensor half(ACL_FLOAT16, {2, 3});
  const OpTensor tall(ACL_INT64, {3, 3});
  const OpTensor vector(ACL_INT64, {2});
  const OpTensor out(ACL_FLOAT, {5, 3});
  const OpScalar one(ACL_FLOAT, 1);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(nullptr, 0, index.get(), real.get(), 0, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, index.get(), nullptr, 0, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, real.get(), real.get(), 0, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, index.get(), half.get(), 0, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, tall.get(), real.get(), 0, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 2, index.get(), real.get(), 0, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, index.get(), real.get(), 3, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterGetWorkspaceSize(self.get(), 0, vector.get(), real.get(), 0, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterValueGetWorkspaceSize(self.get(), 0, index.get(), nullptr, 0, out.get(), &size, &executor),
            161001);
  EXPECT_EQ(
      aclnnIndexAddGetWorkspaceSize(self.get(), 0, vector.get(), real.get(), nullptr, out.get(), &size, &executor),
      161001);
  EXPECT_EQ(
      aclnnIndexAddGetWorkspaceSize(self.get(), 1, vector.get(), real.get(), one.get(), out.get(), &size, &executor),
      161002);
  EXPECT_EQ(
      aclnnIndexAddGetWorkspaceSize(self.get(), 0, index.get(), real.get(), one.get(), out.get(), &size, &executor),
      161002);
  const OpInts beyond({5});
  EXPECT_EQ(aclnnIndexFillTensorGetWorkspaceSize(self.get(), 0, beyond.get(), one.get(), out.get(), &size, &executor),
            161002);
  EXPECT_EQ(aclnnScatterMulGetWorkspaceSize(self.get(), vector.get(), self.get(), false, &size, &executor), 161002);
  EXPECT_EQ(aclnnInplacePutGetWorkspaceSize(self.get(), vector.get(), real.get(), false, &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
