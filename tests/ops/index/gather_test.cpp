#include "aclnnop/aclnn_embedding.h"
#include "aclnnop/aclnn_gather.h"
#include "aclnnop/aclnn_gather_nd.h"
#include "aclnnop/aclnn_gather_v2.h"
#include "aclnnop/aclnn_gather_v3.h"
#include "aclnnop/aclnn_index.h"
#include "aclnnop/aclnn_index_select.h"
#include "aclnnop/aclnn_take.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,
                                  ACL_UINT8, ACL_INT16,   ACL_INT32, ACL_INT64,  ACL_BOOL};

/// Indices in [-size, size), some of them twice; the same for every dtype of indices.
std::int64_t some_index(std::int64_t i, std::int64_t size) { return (i * 7 + 3) % (2 * size) - size; }
std::int64_t from_start(std::int64_t index, std::int64_t size) { return index < 0 ? index + size : index; }

class Gathers : public OpTest {
 protected:
  static void fill_indices(OpTensor& index, std::int64_t size) {
    index.fill([&](std::int64_t i) { return Real(some_index(i, size)); });
  }
  static std::int64_t place(const OpTensor& index, std::int64_t i, std::int64_t size) {
    return from_start(static_cast<std::int64_t>(index.before(i).real()), size);
  }
  static void check(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& inputs, const OpTensor& out,
                    const std::function<Number(Shape)>& expected) {
    SCOPED_TRACE("dtypes " + std::to_string(inputs[0]->type()) + ", " + std::to_string(inputs[1]->type()));
    const auto bytes = run(plan, launch, inputs, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return expected(coordinates_of(i, out.shape())); }, true);
  }
};

class GatherTypes : public Gathers, public testing::WithParamInterface<aclDataType> {};

TEST_P(GatherTypes, GatherAlongEachDim) {
  for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
    for (const std::int64_t dim : {0, 1, -1}) {
      OpTensor self(GetParam(), {5, 7}, {{1, 6}, 2});
      OpTensor index(index_type, {4, 6}, {{7, 1}, 1});
      self.fill_random(1);
      const auto along = static_cast<std::size_t>(dim < 0 ? 1 : dim);
      fill_indices(index, self.shape()[along]);
      const OpTensor out(GetParam(), {4, 6});
      check(
          [&](auto* n, auto** e) { return aclnnGatherGetWorkspaceSize(self.get(), dim, index.get(), out.get(), n, e); },
          aclnnGather, {&self, &index}, out,
          [&](Shape at) {
            const std::int64_t to = place(index, element_at(at, {4, 6}), self.shape()[along]);
            at[along] = to;
            return self.before(element_at(at, self.shape()));
          });
    }
  }
}

TEST_P(GatherTypes, SelectSlices) {
  for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
    for (const std::int64_t dim : {0, 1, 2}) {
      OpTensor self(GetParam(), {5, 3, 8});
      OpTensor index(index_type, {7}, {{2}, 1});
      self.fill_random(2);
      const auto along = static_cast<std::size_t>(dim);
      fill_indices(index, self.shape()[along]);
      Shape shape = self.shape();
      shape[along] = 7;
      const OpTensor out(GetParam(), shape);
      const auto expected = [&](Shape at) {
        at[along] = place(index, at[along], self.shape()[along]);
        return self.before(element_at(at, self.shape()));
      };
      check([&](auto* n,
                auto** e) { return aclnnIndexSelectGetWorkspaceSize(self.get(), dim, index.get(), out.get(), n, e); },
            aclnnIndexSelect, {&self, &index}, out, expected);
      check([&](auto* n,
                auto** e) { return aclnnGatherV2GetWorkspaceSize(self.get(), dim, index.get(), out.get(), n, e); },
            aclnnGatherV2, {&self, &index}, out, expected);
    }
  }
}

TEST_P(GatherTypes, TakeRowsOfAMatrix) {
  OpTensor weight(GetParam(), {11, 8});
  OpTensor index(ACL_INT64, {3, 5});
  weight.fill_random(3);
  fill_indices(index, 11);
  const OpTensor out(GetParam(), {3, 5, 8});
  check([&](auto* n, auto** e) { return aclnnEmbeddingGetWorkspaceSize(weight.get(), index.get(), out.get(), n, e); },
        aclnnEmbedding, {&weight, &index}, out,
        [&](Shape at) { return weight.before(place(index, at[0] * 5 + at[1], 11) * 8 + at[2]); });
}

TEST_P(GatherTypes, TakeElementsOfAnyView) {
  for (const View& view : {View{}, View{{1, 6}, 1}}) {
    OpTensor self(GetParam(), {5, 7}, view);
    OpTensor index(ACL_INT64, {3, 4});
    self.fill_random(4);
    fill_indices(index, 35);
    const OpTensor out(GetParam(), {3, 4});
    check([&](auto* n, auto** e) { return aclnnTakeGetWorkspaceSize(self.get(), index.get(), out.get(), n, e); },
          aclnnTake, {&self, &index}, out,
          [&](Shape at) {
            return self.before(place(index, element_at(at, {3, 4}), 35));
          });
  }
}

TEST_P(GatherTypes, FollowTuples) {
  OpTensor self(GetParam(), {5, 3, 4}, {{1, 5, 16}, 2});
  OpTensor indices(ACL_INT32, {7, 2});
  self.fill_random(5);
  indices.fill([](std::int64_t i) { return Real(i % 2 ? some_index(i, 3) : some_index(i, 5)); });
  const OpTensor out(GetParam(), {7, 4});
  check([&](auto* n,
            auto** e) { return aclnnGatherNdGetWorkspaceSize(self.get(), indices.get(), true, out.get(), n, e); },
        aclnnGatherNd, {&self, &indices}, out,
        [&](Shape at) {
          const std::int64_t first = place(indices, at[0] * 2, 5);
          const std::int64_t second = place(indices, at[0] * 2 + 1, 3);
          return self.before(element_at({first, second, at[1]}, self.shape()));
        });
}

TEST_P(GatherTypes, IndexSeveralDims) {
  OpTensor self(GetParam(), {5, 3, 4, 2});
  OpTensor rows(ACL_INT64, {6, 1});
  OpTensor columns(ACL_INT32, {2});
  const OpTensor whole(GetParam(), {0});
  self.fill_random(6);
  fill_indices(rows, 3);
  fill_indices(columns, 4);
  // self[:, rows, columns]: the dims of the indices stay where they are.
  const OpTensor inside(GetParam(), {5, 6, 2, 2});
  {
    OpTensor first(ACL_INT64, {6, 1});
    OpTensor second(ACL_INT32, {2});
    fill_indices(first, 3);
    fill_indices(second, 4);
    const OpTensor none(GetParam(), {0});
    const OpList indices({&none, &first, &second});
    check(
        [&](auto* n, auto** e) { return aclnnIndexGetWorkspaceSize(self.get(), indices.get(), inside.get(), n, e); },
        aclnnIndex, {&self, &first, &second}, inside,
        [&](Shape at) {
          return self.before(element_at({at[0], place(first, at[1], 3), place(second, at[2], 4), at[3]}, self.shape()));
        });
  }
  // self[rows5, :, columns]: with a dim between them they come first.
  fill_indices(rows, 5);
  const OpTensor front(GetParam(), {6, 2, 3, 2});
  const OpList indices({&rows, nullptr, &columns});
  check([&](auto* n, auto** e) { return aclnnIndexGetWorkspaceSize(self.get(), indices.get(), front.get(), n, e); },
        aclnnIndex, {&self, &rows, &columns}, front,
        [&](Shape at) {
          return self.before(element_at({place(rows, at[0], 5), at[2], place(columns, at[1], 4), at[3]}, self.shape()));
        });
}

INSTANTIATE_TEST_SUITE_P(Types, GatherTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Gathers, TakeWhatAMaskTakes) {
  for (const aclDataType type : {ACL_BOOL, ACL_UINT8}) {
    OpTensor self(ACL_FLOAT, {3, 5, 7}, {{1, 3, 16}, 1});
    OpTensor mask(type, {5, 7});
    self.fill_random(11);
    std::vector<std::int64_t> taken;
    mask.fill([&](std::int64_t i) {
      if (i * i % 3 == 1) taken.push_back(i);
      return Real(i * i % 3 == 1 ? (type == ACL_BOOL ? 1 : 1 + i % 5) : 0);
    });
    const auto count = static_cast<std::int64_t>(taken.size());
    const OpTensor none(ACL_FLOAT, {0});
    const OpTensor out(ACL_FLOAT, {3, count});
    const OpList indices({&none, &mask});
    check([&](auto* n, auto** e) { return aclnnIndexGetWorkspaceSize(self.get(), indices.get(), out.get(), n, e); },
          aclnnIndex, {&self, &mask}, out,
          [&](Shape at) { return self.before(at[0] * 35 + taken[static_cast<std::size_t>(at[1])]); });
  }
}

TEST_F(Gathers, KeepBatchDims) {
  OpTensor self(ACL_FLOAT, {3, 5, 2});
  OpTensor index(ACL_INT64, {3, 4});
  self.fill_random(7);
  fill_indices(index, 5);
  const OpTensor out(ACL_FLOAT, {3, 4, 2});
  check([&](auto* n,
            auto** e) { return aclnnGatherV3GetWorkspaceSize(self.get(), 1, index.get(), 1, 0, out.get(), n, e); },
        aclnnGatherV3, {&self, &index}, out,
        [&](Shape at) {
          return self.before(element_at({at[0], place(index, at[0] * 4 + at[1], 5), at[2]}, self.shape()));
        });
}

// Nothing outside of a tensor is read: what is not there is 0.
TEST_F(Gathers, GiveZeroForWhatIsNotThere) {
  const Real values[] = {5, -6, 2147483647.0L, -2147483648.0L, 0, 4, 4294967296.0L, -4294967297.0L, 4294967297.0L};
  for (const aclDataType index_type : {ACL_INT32, ACL_INT64}) {
    OpTensor self(ACL_FLOAT, {5});
    self.fill_random(8);
    const std::int64_t count = index_type == ACL_INT32 ? 6 : 9;
    OpTensor index(index_type, {count});
    index.fill([&](std::int64_t i) { return values[i]; });
    const OpTensor out(ACL_FLOAT, {count});
    check([&](auto* n, auto** e) { return aclnnGatherGetWorkspaceSize(self.get(), 0, index.get(), out.get(), n, e); },
          aclnnGather, {&self, &index}, out,
          [&](Shape at) { return at[0] == 4   ? self.before(0)
                                 : at[0] == 5 ? self.before(4)
                                              : Number(0); });
  }
  OpTensor self(ACL_FLOAT, {5, 2});
  self.fill_random(9);
  OpTensor tuples(ACL_INT64, {3, 2});
  const Real pairs[] = {-1, 0, 4, 2, 4, 1};
  tuples.fill([&](std::int64_t i) { return pairs[i]; });
  const OpTensor out(ACL_FLOAT, {3});
  check([&](auto* n,
            auto** e) { return aclnnGatherNdGetWorkspaceSize(self.get(), tuples.get(), false, out.get(), n, e); },
        aclnnGatherNd, {&self, &tuples}, out, [&](Shape at) { return at[0] == 2 ? self.before(9) : Number(0); });
}

TEST_F(Gathers, TakeNothingAndScalars) {
  OpTensor self(ACL_FLOAT, {5, 3});
  self.fill_random(10);
  const OpTensor none(ACL_INT64, {0});
  const OpTensor empty(ACL_FLOAT, {0, 3});
  check(
      [&](auto* n, auto** e) { return aclnnIndexSelectGetWorkspaceSize(self.get(), 0, none.get(), empty.get(), n, e); },
      aclnnIndexSelect, {&self, &none}, empty, [](Shape) { return Number(0); });
  OpTensor one(ACL_INT64, {});
  one.fill([](auto) { return Number(-2); });
  const OpTensor row(ACL_FLOAT, {3});
  check([&](auto* n, auto** e) { return aclnnGatherV2GetWorkspaceSize(self.get(), 0, one.get(), row.get(), n, e); },
        aclnnGatherV2, {&self, &one}, row, [&](Shape at) { return self.before(9 + at[0]); });
  const OpTensor bytes(ACL_UINT8, {0});
  const OpTensor nothing(ACL_FLOAT, {0});
  check([&](auto* n, auto** e) { return aclnnGatherGetWorkspaceSize(self.get(), 0, bytes.get(), nothing.get(), n, e); },
        aclnnGather, {&self, &bytes}, nothing, [](Shape) { return Number(0); });
}

TEST_F(Gathers, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5, 3});
  const OpTensor index(ACL_INT64, {2, 3});
  const OpTensor real(ACL_FLOAT, {2, 3});
  const OpTensor wide(ACL_INT64, {2, 4});
  const OpTensor wide_out(ACL_FLOAT, {2, 4});
  const OpTensor out(ACL_FLOAT, {2, 3});
  const OpTensor half(ACL_FLOAT16, {2, 3});
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(nullptr, 0, index.get(), out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(self.get(), 0, nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(self.get(), 0, index.get(), nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(self.get(), 0, real.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(self.get(), 0, index.get(), half.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(self.get(), 2, index.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGatherGetWorkspaceSize(self.get(), 0, wide.get(), wide_out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnIndexSelectGetWorkspaceSize(self.get(), 0, index.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnEmbeddingGetWorkspaceSize(self.get(), index.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnTakeGetWorkspaceSize(self.get(), index.get(), wide_out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGatherNdGetWorkspaceSize(self.get(), index.get(), true, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnIndexGetWorkspaceSize(self.get(), nullptr, out.get(), &size, &executor), 161001);
  const OpTensor other(ACL_FLOAT, {2, 3});
  const OpList reals({&other});
  EXPECT_EQ(aclnnIndexGetWorkspaceSize(self.get(), reals.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
