#include "aclnnop/aclnn_index_put_impl.h"
#include "aclnnop/aclnn_one_hot.h"
#include "aclnnop/aclnn_scatter_div.h"
#include "aclnnop/aclnn_scatter_max.h"
#include "aclnnop/aclnn_scatter_min.h"
#include "aclnnop/aclnn_scatter_mul.h"
#include "aclnnop/aclnn_scatter_nd.h"
#include "aclnnop/aclnn_scatter_nd_update.h"
#include "aclnnop/aclnn_scatter_update.h"
#include "aclnnop/aclnn_tf_scatter_add.h"
#include "ops/index/scatter_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kRealTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_INT32, ACL_INT8, ACL_UINT8, ACL_INT64};

class RowScatters : public Scatters {};

TEST_F(RowScatters, ChangeRows) {
  using V = aclTensor*;
  using T = const aclTensor*;
  using E = aclOpExecutor**;
  struct Row {
    const char* name;
    Change change;
    std::function<aclnnStatus(V, T, T, uint64_t*, E)> plan;
    Launch launch;
  };
#define ROW(name, change)                                                                                              \
  {                                                                                                                    \
#name, change,                                                                                                     \
        [](V v, T i, T u, uint64_t * n, E e) { return aclnn##name##GetWorkspaceSize(v, i, u, false, n, e); },          \
                                                                                                           aclnn##name \
  }
  const Row rows[] = {{"TfScatterAdd", Change::kAdd,
                       [](V v, T i, T u, uint64_t* n, E e) { return aclnnTfScatterAddGetWorkspaceSize(v, i, u, n, e); },
                       aclnnTfScatterAdd},
                      ROW(ScatterMul, Change::kMultiply),
                      ROW(ScatterDiv, Change::kDivide),
                      ROW(ScatterMax, Change::kMaximum),
                      ROW(ScatterMin, Change::kMinimum)};
#undef ROW
  for (const Row& row : rows) {
    SCOPED_TRACE(row.name);
    for (const aclDataType type : kRealTypes) {
      OpTensor var(type, {6, 3});
      OpTensor indices(ACL_INT32, {2, 4}, {{1, 3}, 1});
      OpTensor updates(type, {2, 4, 3});
      fill_small(var, 1);
      fill_small(updates, 2);
      fill_indices(indices, 6);
      Expected expected(var);
      for (std::int64_t i = 0; i < 24; ++i) {
        expected.change(row.change, {place(indices, i / 3, 6), i % 3}, updates.before(i));
      }
      check([&](auto* n, auto** e) { return row.plan(var.get(), indices.get(), updates.get(), n, e); }, row.launch,
            {&indices, &updates}, var, expected, row.change != Change::kDivide);
    }
  }
}

TEST_F(RowScatters, PutWhatSeveralIndicesMean) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8, ACL_UINT8, ACL_BOOL, ACL_BF16}) {
    for (const bool accumulate : {false, true}) {
      OpTensor self(type, {5, 3, 4});
      OpTensor rows(ACL_INT64, {7, 1});
      OpTensor columns(ACL_INT32, {2});
      OpTensor values(type, {7, 2, 1});
      fill_small(self, 1);
      fill_small(values, 2);
      fill_indices(rows, 5);
      fill_indices(columns, 4);
      const auto change = accumulate ? Change::kAdd : Change::kReplace;
      Expected expected(self);
      for (std::int64_t i = 0; i < 7; ++i) {
        for (std::int64_t j = 0; j < 2; ++j) {
          for (std::int64_t k = 0; k < 3; ++k) {
            expected.change(change, {place(rows, i, 5), k, place(columns, j, 4)}, values.before(i * 2 + j));
          }
        }
      }
      const OpList indices({&rows, nullptr, &columns});
      check(
          [&](auto* n, auto** e) {
            return aclnnIndexPutImplGetWorkspaceSize(self.get(), indices.get(), values.get(), accumulate, false, n, e);
          },
          aclnnIndexPutImpl, {&rows, &columns, &values}, self, expected);
    }
  }
}

TEST_F(RowScatters, PutWhatAMaskTakes) {
  for (const bool each : {true, false}) {
    OpTensor self(ACL_FLOAT, {5, 7, 2});
    OpTensor mask(ACL_BOOL, {5, 7});
    self.fill_random(1);
    std::vector<std::int64_t> taken;
    mask.fill([&](std::int64_t i) {
      if (i * 3 % 4 == 1) taken.push_back(i);
      return Real(i * 3 % 4 == 1);
    });
    const auto count = static_cast<std::int64_t>(taken.size());
    OpTensor values(ACL_FLOAT, each ? Shape{count, 2} : Shape{});
    values.fill_random(2);
    Expected expected(self);
    for (std::int64_t i = 0; i < 2 * count; ++i) {
      Shape at = coordinates_of(taken[static_cast<std::size_t>(i / 2)], {5, 7});
      at.push_back(i % 2);
      expected[at] = values.before(each ? i : 0);
    }
    const OpList indices({&mask});
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexPutImplGetWorkspaceSize(self.get(), indices.get(), values.get(), false, true, n, e);
        },
        aclnnIndexPutImpl, {&mask, &values}, self, expected);
  }
}

/// PyTorch's programs write an empty tensor of the dtype of self for a dim without an index.
TEST_F(RowScatters, PutAlongAllOfADim) {
  for (const aclDataType type : {ACL_FLOAT, ACL_INT64, ACL_INT32}) {
    for (const bool accumulate : {false, true}) {
      for (const bool repeats : {false, true}) {
        OpTensor self(type, {5, 4});
        const OpTensor all(type, {0});
        OpTensor columns(ACL_INT64, {3});
        OpTensor values(type, repeats ? Shape{} : Shape{5, 3});
        fill_small(self, 1);
        fill_small(values, 2);
        fill_indices(columns, 4);
        Expected expected(self);
        for (std::int64_t i = 0; i < 15; ++i) {
          expected.change(accumulate ? Change::kAdd : Change::kReplace, {i / 3, place(columns, i % 3, 4)},
                          values.before(repeats ? 0 : i));
        }
        const OpList indices({&all, &columns});
        check(
            [&](auto* n, auto** e) {
              return aclnnIndexPutImplGetWorkspaceSize(self.get(), indices.get(), values.get(), accumulate, false, n,
                                                       e);
            },
            aclnnIndexPutImpl, {&all, &columns, &values}, self, expected);
      }
    }
  }
}

TEST_F(RowScatters, PutNothingAtNoIndex) {
  for (const aclDataType type : {ACL_FLOAT, ACL_INT64}) {
    OpTensor self(type, {5, 4});
    const OpTensor none(ACL_INT64, {0});
    OpTensor value(type, {});
    fill_small(self, 1);
    fill_small(value, 2);
    const OpList indices({&none});
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexPutImplGetWorkspaceSize(self.get(), indices.get(), value.get(), true, false, n, e);
        },
        aclnnIndexPutImpl, {&none, &value}, self, Expected(self));
  }
}

TEST_F(RowScatters, RoundWhatIsPutOnce) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    // So many ones, each of which alone would change nothing.
    OpTensor self(type, {3, 2}, {{5, 2}, 1});
    OpTensor rows(ACL_INT64, {501});
    OpTensor values(type, {501, 2});
    self.fill([](std::int64_t) { return Real(4096); });
    rows.fill([](std::int64_t) { return Real(1); });
    values.fill([](std::int64_t) { return Real(1); });
    Expected expected(self);
    for (const std::int64_t column : {0, 1}) expected[{1, column}] = rounded(4096 + 501, type);
    const OpList indices({&rows});
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexPutImplGetWorkspaceSize(self.get(), indices.get(), values.get(), true, false, n, e);
        },
        aclnnIndexPutImpl, {&rows, &values}, self, expected);
  }
}

TEST_F(RowScatters, PutWhatAMaskTakesOfSomeDims) {
  for (const bool accumulate : {false, true}) {
    OpTensor self(ACL_FLOAT, {3, 5, 2});
    OpTensor mask(ACL_BOOL, {5});
    self.fill_random(1);
    mask.fill([](std::int64_t i) { return Real(i % 2); });  // 1 and 3
    OpTensor values(ACL_FLOAT, {3, 2, 2});
    values.fill_random(2);
    Expected expected(self);
    for (std::int64_t i = 0; i < 12; ++i) {
      const Shape at = coordinates_of(i, {3, 2, 2});
      expected.change(accumulate ? Change::kAdd : Change::kReplace, {at[0], 2 * at[1] + 1, at[2]}, values.before(i));
    }
    const OpList indices({nullptr, &mask});
    check(
        [&](auto* n, auto** e) {
          return aclnnIndexPutImplGetWorkspaceSize(self.get(), indices.get(), values.get(), accumulate, true, n, e);
        },
        aclnnIndexPutImpl, {&mask, &values}, self, expected);
  }
}

TEST_F(RowScatters, ReplaceWhatTuplesMean) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT, ACL_BOOL, ACL_BF16, ACL_INT32, ACL_INT64}) {
    for (const bool dense : {true, false}) {
      OpTensor data(type, {5, 3, 4});
      OpTensor indices(ACL_INT64, {2, 3, 2});
      OpTensor updates(type, {2, 3, 4}, dense ? View{} : View{{1, 2, 6}, 1});
      fill_small(data, 1);
      fill_small(updates, 2);
      indices.fill([](std::int64_t i) { return Real(i % 2 ? i / 2 % 3 : i * 3 % 5); });
      Expected expected(data);
      for (std::int64_t i = 0; i < updates.count(); ++i) {
        const Shape at = coordinates_of(i, {6, 4});
        expected.change(Change::kReplace, {place(indices, at[0] * 2, 5), place(indices, at[0] * 2 + 1, 3), at[1]},
                        updates.before(i));
      }
      const OpTensor out(type, {5, 3, 4}, {{1, 5, 16}, 2});
      check(
          [&](auto* n, auto** e) {
            return aclnnScatterNdGetWorkspaceSize(data.get(), indices.get(), updates.get(), out.get(), n, e);
          },
          aclnnScatterNd, {&data, &indices, &updates}, out, expected);
      check(
          [&](auto* n, auto** e) {
            return aclnnScatterNdUpdateGetWorkspaceSize(data.get(), indices.get(), updates.get(), n, e);
          },
          aclnnScatterNdUpdate, {&indices, &updates}, data, expected);
    }
  }
}

TEST_F(RowScatters, RefuseDataThatPartlyIsTheOutput) {
  const OpTensor memory(ACL_FLOAT, {24});
  const OpTensor indices(ACL_INT32, {1, 1});
  const OpTensor updates(ACL_FLOAT, {1, 4});
  const auto matrix = [&](const Shape& strides, std::int64_t offset) {
    const std::int64_t sizes[] = {4, 4};
    const std::int64_t storage = 24;
    return aclCreateTensor(sizes, 2, ACL_FLOAT, strides.data(), offset, ACL_FORMAT_ND, &storage, 1, memory.memory());
  };
  aclTensor* const data = matrix({4, 1}, 0);
  aclTensor* const later = matrix({4, 1}, 2);
  aclTensor* const transposed = matrix({1, 4}, 0);
  aclTensor* const same = matrix({4, 1}, 0);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, aclTensor* out) {
    return aclnnScatterNdGetWorkspaceSize(from, indices.get(), updates.get(), out, &size, &executor);
  };
  EXPECT_EQ(plan(data, later), 161002);
  EXPECT_EQ(plan(later, data), 161002);
  EXPECT_EQ(plan(data, transposed), 161002);
  EXPECT_EQ(plan(data, same), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  for (aclTensor* view : {data, later, transposed, same}) aclDestroyTensor(view);
}

TEST_F(RowScatters, WriteIntoACache) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_BF16, ACL_INT32, ACL_UINT8}) {
    OpTensor data(type, {3, 2, 9, 5});
    OpTensor indices(ACL_INT64, {3});
    OpTensor updates(type, {3, 2, 2, 5});
    data.fill_random(1);
    updates.fill_random(2);
    const Real places[] = {7, 0, 8};  // the last one reaches beyond the end, so it is left out
    indices.fill([&](std::int64_t i) { return places[i]; });
    Expected expected(data);
    for (std::int64_t i = 0; i < updates.count(); ++i) {
      Shape at = coordinates_of(i, {3, 2, 2, 5});
      if (at[0] == 2) continue;
      at[2] += at[0] == 0 ? 7 : 0;
      expected[at] = updates.before(i);
    }
    check(
        [&](auto* n, auto** e) {
          return aclnnInplaceScatterUpdateGetWorkspaceSize(data.get(), indices.get(), updates.get(), -2, n, e);
        },
        aclnnInplaceScatterUpdate, {&indices, &updates}, data, expected);
  }
}

TEST_F(RowScatters, MakeLabelsHot) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT, ACL_INT8, ACL_UINT8, ACL_INT32, ACL_INT64}) {
    for (const aclDataType label_type : {ACL_UINT8, ACL_INT32, ACL_INT64}) {
      for (const std::int64_t axis : {-1, 0, 1}) {
        OpTensor self(label_type, {3, 5});
        self.fill([&](std::int64_t i) { return Real(i % 9) - (label_type == ACL_UINT8 ? 0 : 1); });
        OpTensor on(type, {1});
        OpTensor off(type, {1});
        on.fill([](auto) { return Number(3); });
        off.fill([](auto) { return Number(1); });
        Shape shape = {3, 5};
        const std::size_t along = axis < 0 ? 2 : static_cast<std::size_t>(axis);
        shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(along), 6);
        const OpTensor out(type, shape);
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnOneHotGetWorkspaceSize(self.get(), 6, on.get(), off.get(), axis, out.get(), n, e);
            },
            aclnnOneHot, {&self, &on, &off}, out);
        expect_elements(
            out, bytes,
            [&](std::int64_t i) {
              Shape at = coordinates_of(i, shape);
              const std::int64_t label = at[along];
              at.erase(at.begin() + static_cast<std::ptrdiff_t>(along));
              return self.before(element_at(at, {3, 5})) == Number(Real(label)) ? Number(3) : Number(1);
            },
            true);
      }
    }
  }
}

}  // namespace
}  // namespace aclvk::test
