#include "ops/tensor/tensor.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

Tensor view(Shape shape, Shape strides, std::int64_t offset = 0) {
  Tensor tensor;
  tensor.shape = std::move(shape);
  tensor.strides = std::move(strides);
  tensor.offset = offset;
  tensor.data = reinterpret_cast<void*>(0x10000);
  return tensor;
}

TEST(TensorView, SpansFromFirstToLastElement) {
  const ByteSpan span = span_of(view({3, 5}, {10, 2}, 1));
  EXPECT_EQ(span.begin, 0x10004U);
  EXPECT_EQ(span.end, 0x10004U + (20 + 8 + 1) * 4);
}

TEST(TensorView, RefusesWhatKernelsCannotReach) {
  EXPECT_THROW(check_view(view({3}, {-1}), "self"), Error);
  EXPECT_THROW(check_view(view({1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1}), "self"), Error);
  Tensor odd = view({3}, {1});
  odd.data = reinterpret_cast<void*>(0x10002);
  EXPECT_THROW(check_view(odd, "self"), Error);
}

TEST(TensorView, RefusesWhatNoMemoryHolds) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  EXPECT_THROW(check_view(view({3}, {kHuge}), "self"), Error);
  EXPECT_THROW(check_view(view({2, 2, 2, 2}, {kHuge, kHuge, kHuge, kHuge}), "self"), Error);  // would wrap around to 0
  EXPECT_THROW(check_view(view({3}, {1}, kHuge), "self"), Error);
  EXPECT_THROW(check_view(view({3}, {1}, -kHuge), "self"), Error);
  // Cutting it into pieces that a shader can reach would take all of the host's memory.
  EXPECT_THROW(check_view(view({std::int64_t{1} << 41}, {1}), "self"), Error);
  EXPECT_NO_THROW(check_view(view({1, 3}, {kHuge, 1}), "self"));
  EXPECT_NO_THROW(check_view(view({0, 3}, {kHuge, 1}), "self"));
}

TEST(TensorView, RefusesOutputsThatOverlapThemselves) {
  EXPECT_THROW(check_distinct(view({3}, {0}), "out"), Error);
  EXPECT_THROW(check_distinct(view({3, 3}, {1, 1}), "out"), Error);
  EXPECT_NO_THROW(check_distinct(view({3, 5}, {1, 3}), "out"));
  EXPECT_NO_THROW(check_distinct(view({1, 5}, {0, 1}), "out"));
  EXPECT_NO_THROW(check_distinct(view({0}, {0}), "out"));
}

TEST(TensorView, RefusesPartialOverlap) {
  const Tensor out = view({8}, {1});
  EXPECT_NO_THROW(check_overlap(out, "out", out, "self"));
  EXPECT_NO_THROW(check_overlap(out, "out", view({8}, {1}, 8), "self"));
  EXPECT_THROW(check_overlap(out, "out", view({8}, {1}, 4), "self"), Error);
  EXPECT_THROW(check_overlap(view({3, 3}, {3, 1}), "out", view({3, 3}, {1, 3}), "self"), Error);
  // Interleaved columns share no element.
  EXPECT_NO_THROW(check_overlap(view({4}, {2}), "out", view({4}, {2}, 1), "self"));
}

TEST(TensorView, AViewIsTheSameWithTheSameElementsAtTheSamePlaces) {
  EXPECT_TRUE(is_same_view(view({3, 5}, {5, 1}), view({3, 5}, {5, 1})));
  EXPECT_TRUE(is_same_view(view({1, 5}, {5, 1}), view({1, 5}, {9, 1}))) << "nothing steps along a size of 1";
  EXPECT_FALSE(is_same_view(view({3, 3}, {3, 1}), view({3, 3}, {1, 3}))) << "the same start is not enough";
  EXPECT_FALSE(is_same_view(view({3, 5}, {5, 1}), view({3, 5}, {5, 1}, 5)));
  EXPECT_FALSE(is_same_view(view({3}, {1}), view({5}, {1})));
}

TEST(WithoutUnusedStrides, ClearsLongStridesOfDimsOfOneElement) {
  Tensor given;
  given.shape = {1, 3, 1};
  given.strides = {std::int64_t{1} << 40, 1, 3};
  const auto tensor = std::make_shared<const Tensor>(given);
  const TensorPtr changed = without_unused_strides(tensor);
  EXPECT_EQ(changed->strides, Shape({0, 1, 3}));
  EXPECT_EQ(tensor->strides, given.strides);
}

TEST(WithoutUnusedStrides, ClearsAllLongStridesOfAnEmptyTensor) {
  Tensor given;
  given.shape = {0, 3};
  given.strides = {1, std::int64_t{1} << 40};
  EXPECT_EQ(without_unused_strides(std::make_shared<const Tensor>(given))->strides, Shape({1, 0}));
}

TEST(WithoutUnusedStrides, ReturnsOtherTensorsThemselves) {
  Tensor given;
  given.shape = {2, 1};
  given.strides = {std::int64_t{1} << 40, kMaxUnusedStride};
  const auto tensor = std::make_shared<const Tensor>(given);
  EXPECT_EQ(without_unused_strides(tensor), tensor);
  EXPECT_EQ(without_unused_strides(nullptr), nullptr);
}

}  // namespace
}  // namespace aclvk::ops
