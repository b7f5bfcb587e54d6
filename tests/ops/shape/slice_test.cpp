#include "aclnnop/aclnn_slice.h"
#include "aclnnop/aclnn_slice_v2.h"
#include "aclnnop/aclnn_strided_slice.h"
#include "aclnnop/aclnn_strided_slice_assign_v2.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_INT32,
                                  ACL_INT64, ACL_INT8,    ACL_UINT8, ACL_BOOL};

class Slices : public MoveTest {};
class SliceTypes : public Slices, public testing::WithParamInterface<aclDataType> {};

TEST_P(SliceTypes, TakePartOfADim) {
  struct Case {
    std::int64_t dim, start, end, step, first, count;
  };
  for (const Case& c : {Case{0, 1, 3, 1, 1, 2}, Case{1, -4, -1, 1, 3, 3}, Case{1, 0, 100, 3, 0, 3},
                        Case{-1, 5, 2, 1, 5, 0}, Case{1, -100, 100, 1, 0, 7}, Case{1, 1, 6, 2, 1, 3}}) {
    for (const View& view : {View{}, View{{1, 6}, 3}}) {
      OpTensor self(GetParam(), {5, 7}, view);
      self.fill_random(1);
      const auto dim = static_cast<std::size_t>(c.dim < 0 ? c.dim + 2 : c.dim);
      Shape shape = {5, 7};
      shape[dim] = c.count;
      const OpTensor out(GetParam(), shape);
      const auto source = [&](Shape at) {
        at[dim] = c.first + c.step * at[dim];
        return at;
      };
      check_moved(
          [&](auto* n, auto** e) {
            return aclnnSliceGetWorkspaceSize(self.get(), c.dim, c.start, c.end, c.step, out.get(), n, e);
          },
          aclnnSlice, self, out, source);
      const OpInts starts({c.start});
      const OpInts ends({c.end});
      const OpInts axes({c.dim});
      const OpInts steps({c.step});
      check_moved(
          [&](auto* n, auto** e) {
            return aclnnSliceV2GetWorkspaceSize(self.get(), starts.get(), ends.get(), axes.get(), steps.get(),
                                                out.get(), n, e);
          },
          aclnnSliceV2, self, out, source);
    }
  }
}

TEST_P(SliceTypes, GoBackwardsAndFollowMasks) {
  struct Case {
    std::vector<std::int64_t> begin, end, strides;
    std::int64_t begin_mask, end_mask, ellipsis, new_axis, shrink;
    Shape out;
    SourceOf source;
  };
  const Case cases[] = {// x[4:0:-2, 1:3]
                        {{4, 1},
                         {0, 3},
                         {-2, 1},
                         0,
                         0,
                         0,
                         0,
                         0,
                         {2, 2, 3},
                         [](Shape at) {
                           return Shape{4 - 2 * at[0], 1 + at[1], at[2]};
                         }},
                        // x[::-1]
                        {{0},
                         {0},
                         {-1},
                         1,
                         1,
                         0,
                         0,
                         0,
                         {5, 4, 3},
                         [](Shape at) {
                           return Shape{4 - at[0], at[1], at[2]};
                         }},
                        // x[..., 2, None]
                        {{0, 2, 0},
                         {0, 3, 0},
                         {1, 1, 1},
                         0,
                         0,
                         1,
                         4,
                         2,
                         {5, 4, 1},
                         [](Shape at) {
                           return Shape{at[0], at[1], 2};
                         }},
                        // x[-1, :, ::-2]
                        {{-1, 0, 0},
                         {0, 0, 0},
                         {1, 1, -2},
                         6,
                         6,
                         0,
                         0,
                         1,
                         {4, 2},
                         [](Shape at) {
                           return Shape{4, at[0], 2 - 2 * at[1]};
                         }},
                        // x[None, 1:1]
                        {{0, 1}, {0, 1}, {1, 1}, 0, 0, 0, 1, 0, {1, 0, 4, 3}, [](Shape at) { return at; }}};
  for (const Case& c : cases) {
    OpTensor self(GetParam(), {5, 4, 3});
    self.fill_random(2);
    const OpTensor out(GetParam(), c.out);
    const OpInts begin(c.begin);
    const OpInts end(c.end);
    const OpInts strides(c.strides);
    check_moved(
        [&](auto* n, auto** e) {
          return aclnnStridedSliceGetWorkspaceSize(self.get(), begin.get(), end.get(), strides.get(), c.begin_mask,
                                                   c.end_mask, c.ellipsis, c.new_axis, c.shrink, out.get(), n, e);
        },
        aclnnStridedSlice, self, out, c.source);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, SliceTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Slices, AreAssigned) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_FLOAT, ACL_BF16, ACL_INT32, ACL_INT64, ACL_DOUBLE, ACL_INT8}) {
    OpTensor var(type, {5, 7});
    var.fill_random(3);
    OpTensor value(type, {5, 3});
    value.fill_random(4);
    const OpInts begin({1});
    const OpInts end({7});
    const OpInts strides({2});
    const OpInts axes({1});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnStridedSliceAssignV2GetWorkspaceSize(var.get(), value.get(), begin.get(), end.get(),
                                                           strides.get(), axes.get(), n, e);
        },
        aclnnStridedSliceAssignV2, {&value}, var);
    expect_elements(
        var, bytes,
        [&](std::int64_t i) {
          const std::int64_t column = i % 7;
          return column % 2 == 1 ? value.before(i / 7 * 3 + column / 2) : var.before(i);
        },
        true);
  }
}

TEST_F(Slices, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {5, 7});
  const OpTensor out(ACL_FLOAT, {2, 7});
  const OpTensor wide(ACL_DOUBLE, {5, 7});
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(nullptr, 0, 0, 2, 1, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(self.get(), 0, 0, 2, 1, nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(wide.get(), 0, 0, 2, 1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(self.get(), 0, 0, 3, 1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(self.get(), 2, 0, 2, 1, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(self.get(), 0, 0, 2, 0, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnSliceGetWorkspaceSize(self.get(), 0, 0, 2, -1, out.get(), &size, &executor), 161002);
  const OpInts one({0});
  const OpInts two({0, 2});
  EXPECT_EQ(
      aclnnSliceV2GetWorkspaceSize(self.get(), one.get(), two.get(), one.get(), one.get(), out.get(), &size, &executor),
      161002);
  EXPECT_EQ(
      aclnnSliceV2GetWorkspaceSize(self.get(), nullptr, two.get(), one.get(), one.get(), out.get(), &size, &executor),
      161001);
  EXPECT_EQ(aclnnStridedSliceGetWorkspaceSize(self.get(), one.get(), one.get(), one.get(), 0, 0, 0, 0, 0, out.get(),
                                              &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
