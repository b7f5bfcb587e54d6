#include "aclnnop/aclnn_channel_shuffle.h"
#include "aclnnop/aclnn_confusion_transpose.h"
#include "aclnnop/aclnn_diag.h"
#include "aclnnop/aclnn_diag_flat.h"
#include "aclnnop/aclnn_expand.h"
#include "aclnnop/aclnn_flatten.h"
#include "aclnnop/aclnn_permute.h"
#include "aclnnop/aclnn_split_tensor.h"
#include "aclnnop/aclnn_split_with_size.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16,  ACL_DOUBLE, ACL_INT8,      ACL_UINT8,
                                  ACL_INT16, ACL_INT32,   ACL_INT64, ACL_BOOL,   ACL_COMPLEX64, ACL_COMPLEX128};
constexpr aclDataType kShort[] = {ACL_FLOAT, ACL_FLOAT16, ACL_INT8, ACL_INT64, ACL_BOOL};

class Views : public MoveTest {};

class ViewTypes : public Views, public testing::WithParamInterface<aclDataType> {};

TEST_P(ViewTypes, ArePermuted) {
  OpTensor self(GetParam(), {3, 5, 7});
  self.fill_random(1);
  const OpTensor out(GetParam(), {7, 3, 5});
  const OpInts dims({2, 0, -2});
  check_moved([&](auto* n, auto** e) { return aclnnPermuteGetWorkspaceSize(self.get(), dims.get(), out.get(), n, e); },
              aclnnPermute, self, out,
              [](Shape at) {
                return Shape{at[1], at[2], at[0]};
              });
}

TEST_P(ViewTypes, AreSplit) {
  OpTensor self(GetParam(), {3, 11, 2});
  self.fill_random(2);
  const OpTensor first(GetParam(), {3, 4, 2});
  const OpTensor second(GetParam(), {3, 4, 2}, {{1, 6, 3}, 1});
  const OpTensor third(GetParam(), {3, 3, 2});
  const OpList out({&first, &second, &third});
  const OpTensor* parts[] = {&first, &second, &third};
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto source = [&](Shape at) { return Shape{at[0], at[1] + 4 * i, at[2]}; };
    check_moved([&](auto* n, auto** e) { return aclnnSplitTensorGetWorkspaceSize(self.get(), 4, 1, out.get(), n, e); },
                aclnnSplitTensor, self, *parts[i], source);
    const OpInts sizes({4, 4, 3});
    check_moved(
        [&](auto* n, auto** e) {
          return aclnnSplitWithSizeGetWorkspaceSize(self.get(), sizes.get(), -2, out.get(), n, e);
        },
        aclnnSplitWithSize, self, *parts[i], source);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, ViewTypes, testing::ValuesIn(kTypes), name_of_dtype);

TEST_F(Views, PermuteStridedScalarEmptyAndEightDims) {
  struct Case {
    Shape shape;
    View view;
    std::vector<std::int64_t> dims;
  };
  const Case cases[] = {{{5, 7}, {{1, 5}, 3}, {1, 0}},
                        {{}, {}, {}},
                        {{4, 0}, {}, {1, 0}},
                        {{2, 3, 2, 1, 2, 3, 1, 2}, {}, {7, 6, 5, 4, 3, 2, 1, 0}},
                        {{6}, {{0}, 2}, {0}}};
  for (const Case& c : cases) {
    for (const aclDataType type : kShort) {
      OpTensor self(type, c.shape, c.view);
      self.fill_random(4);
      Shape shape;
      for (const std::int64_t dim : c.dims) shape.push_back(c.shape[static_cast<std::size_t>(dim)]);
      const OpTensor out(type, shape);
      const OpInts dims(c.dims);
      check_moved(
          [&](auto* n, auto** e) { return aclnnPermuteGetWorkspaceSize(self.get(), dims.get(), out.get(), n, e); },
          aclnnPermute, self, out,
          [&](Shape at) {
            Shape from(at.size());
            for (std::size_t i = 0; i < at.size(); ++i) from[static_cast<std::size_t>(c.dims[i])] = at[i];
            return from;
          });
    }
  }
}

TEST_F(Views, Expand) {
  for (const aclDataType type : kShort) {
    OpTensor self(type, {3, 1});
    self.fill_random(5);
    const OpTensor out(type, {2, 3, 4});
    const OpInts size({2, -1, 4});
    check_moved([&](auto* n, auto** e) { return aclnnExpandGetWorkspaceSize(self.get(), size.get(), out.get(), n, e); },
                aclnnExpand, self, out,
                [](Shape at) {
                  return Shape{at[1], 0};
                });
  }
}

TEST_F(Views, Flatten) {
  struct Case {
    std::int64_t axis;
    Shape out;
  };
  for (const Case& c : {Case{0, {1, 105}}, Case{1, {3, 35}}, Case{-1, {15, 7}}, Case{2, {15, 7}}}) {
    for (const View& view : {View{}, View{{1, 3, 15}, 2}}) {
      for (const View& out_view : {View{}, View{{1, c.out[0]}, 1}}) {
        OpTensor self(ACL_FLOAT, {3, 5, 7}, view);
        self.fill_random(6);
        const OpTensor out(ACL_FLOAT, c.out, out_view);
        check_moved(
            [&](auto* n, auto** e) { return aclnnFlattenGetWorkspaceSize(self.get(), c.axis, out.get(), n, e); },
            aclnnFlatten, self, out, [&](Shape at) { return coordinates_of(element_at(at, c.out), self.shape()); });
      }
    }
  }
}

TEST_F(Views, ShuffleChannels) {
  for (const aclDataType type : {ACL_FLOAT, ACL_INT8, ACL_COMPLEX128, ACL_BF16}) {
    OpTensor self(type, {2, 6, 5});
    self.fill_random(7);
    const OpTensor out(type, {2, 6, 5}, {{60, 10, 2}, 1});
    check_moved([&](auto* n, auto** e) { return aclnnChannelShuffleGetWorkspaceSize(self.get(), 3, out.get(), n, e); },
                aclnnChannelShuffle, self, out,
                [](Shape at) {
                  return Shape{at[0], at[1] % 3 * 2 + at[1] / 3, at[2]};
                });
  }
}

TEST_F(Views, TransposeAndReshape) {
  for (const View& view : {View{}, View{{1, 4, 12}, 5}}) {
    OpTensor self(ACL_FLOAT16, {4, 3, 5}, view);
    self.fill_random(8);
    const OpInts perm({2, 0, 1});
    const OpInts shape({10, 6});
    const OpTensor first(ACL_FLOAT16, {10, 6});
    check_moved(
        [&](auto* n, auto** e) {
          return aclnnConfusionTransposeGetWorkspaceSize(self.get(), perm.get(), shape.get(), true, first.get(), n, e);
        },
        aclnnConfusionTranspose, self, first,
        [](Shape at) {
          const Shape moved = coordinates_of(element_at(at, {10, 6}), {5, 4, 3});
          return Shape{moved[1], moved[2], moved[0]};
        });
    const OpInts wide({6, 5, 2});
    const OpTensor second(ACL_FLOAT16, {2, 6, 5});
    check_moved(
        [&](auto* n, auto** e) {
          return aclnnConfusionTransposeGetWorkspaceSize(self.get(), perm.get(), wide.get(), false, second.get(), n, e);
        },
        aclnnConfusionTranspose, self, second,
        [](Shape at) {
          return coordinates_of(element_at({at[1], at[2], at[0]}, {6, 5, 2}), {4, 3, 5});
        });
  }
}

TEST_F(Views, Diagonals) {
  for (const std::int64_t offset : {0, 2, -3, 9, -9}) {
    for (const aclDataType type : {ACL_FLOAT, ACL_BOOL, ACL_INT64, ACL_COMPLEX64}) {
      OpTensor matrix(type, {5, 7});
      matrix.fill_random(9);
      const std::int64_t length = std::max<std::int64_t>(
          offset >= 0 ? std::min<std::int64_t>(5, 7 - offset) : std::min<std::int64_t>(5 + offset, 7), 0);
      const OpTensor line(type, {length});
      check_moved([&](auto* n, auto** e) { return aclnnDiagGetWorkspaceSize(matrix.get(), offset, line.get(), n, e); },
                  aclnnDiag, matrix, line,
                  [&](Shape at) {
                    return offset >= 0 ? Shape{at[0], at[0] + offset} : Shape{at[0] - offset, at[0]};
                  });
      OpTensor vector(type, {6}, {{2}, 1});
      vector.fill_random(10);
      const std::int64_t size = 6 + std::abs(offset);
      const OpTensor square(type, {size, size});
      const auto source = [&](Shape at) {
        return at[1] - at[0] == offset ? Shape{offset >= 0 ? at[0] : at[1]} : kFiller;
      };
      check_moved(
          [&](auto* n, auto** e) { return aclnnDiagGetWorkspaceSize(vector.get(), offset, square.get(), n, e); },
          aclnnDiag, vector, square, source);
      OpTensor block(type, {2, 3}, {{1, 2}, 1});
      block.fill_random(11);
      check_moved(
          [&](auto* n, auto** e) { return aclnnDiagFlatGetWorkspaceSize(block.get(), offset, square.get(), n, e); },
          aclnnDiagFlat, block, square,
          [&](Shape at) {
            const Shape from = source(at);
            return from == kFiller ? from : coordinates_of(from[0], {2, 3});
          });
    }
  }
}

TEST_F(Views, RefuseWhatDoesNotFit) {
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const OpTensor self(ACL_FLOAT, {3, 5});
  const OpTensor out(ACL_FLOAT, {5, 3});
  const OpTensor whole(ACL_INT32, {5, 3});
  const OpInts swap({1, 0});
  const OpInts twice({1, 1});
  const OpInts beyond({2, 0});
  const OpInts one({0});
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(nullptr, swap.get(), out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), nullptr, out.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), swap.get(), nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), swap.get(), whole.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), twice.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), beyond.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), one.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnPermuteGetWorkspaceSize(self.get(), swap.get(), self.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnExpandGetWorkspaceSize(self.get(), one.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnFlattenGetWorkspaceSize(self.get(), 2, out.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnChannelShuffleGetWorkspaceSize(self.get(), 1, self.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnDiagGetWorkspaceSize(self.get(), 0, out.get(), &size, &executor), 161002);
  const OpTensor part(ACL_FLOAT, {3, 5});
  const OpList list({&part});
  EXPECT_EQ(aclnnSplitTensorGetWorkspaceSize(self.get(), 0, 1, list.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnSplitTensorGetWorkspaceSize(self.get(), 2, 1, list.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnSplitTensorGetWorkspaceSize(self.get(), 5, 2, list.get(), &size, &executor), 161002);
  const std::int64_t many = std::int64_t{1} << 40;
  const std::int64_t one_stride = 1;
  aclTensor* huge = aclCreateTensor(&many, 1, ACL_FLOAT, &one_stride, 0, ACL_FORMAT_ND, &many, 1, nullptr);
  EXPECT_EQ(aclnnSplitTensorGetWorkspaceSize(huge, 1, 0, list.get(), &size, &executor), 161002);
  EXPECT_EQ(aclDestroyTensor(huge), 0);
  EXPECT_EQ(aclnnSplitTensorGetWorkspaceSize(self.get(), 5, 1, nullptr, &size, &executor), 161001);
  EXPECT_EQ(aclnnSplitWithSizeGetWorkspaceSize(self.get(), nullptr, 1, list.get(), &size, &executor), 161001);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
