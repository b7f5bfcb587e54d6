#include "ops/tensor/shape.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace aclvk::ops {
namespace {

TEST(ShapeRules, BroadcastsRightAligned) {
  EXPECT_EQ(broadcast({3, 5}, {5}), Shape({3, 5}));
  EXPECT_EQ(broadcast({3, 1, 7}, {5, 1}), Shape({3, 5, 7}));
  EXPECT_EQ(broadcast({}, {2, 3}), Shape({2, 3}));
  EXPECT_EQ(broadcast({}, {}), Shape({}));
  EXPECT_EQ(broadcast({0, 3}, {1, 3}), Shape({0, 3}));
  EXPECT_EQ(broadcast({1}, {0}), Shape({0}));
  EXPECT_FALSE(broadcast({3}, {5}).has_value());
  EXPECT_FALSE(broadcast({2}, {0}).has_value());
}

TEST(ShapeRules, RepeatsWithStrideZero) {
  EXPECT_EQ(broadcast_strides({3, 1}, {7, 1}, {2, 3, 5}), Shape({0, 7, 0}));
  EXPECT_EQ(broadcast_strides({}, {}, {2, 3}), Shape({0, 0}));
  EXPECT_EQ(broadcast_strides({1, 3}, {3, 1}, {3}), Shape({1})) << "a size of 1 in front has nothing to step over";
  EXPECT_THROW(broadcast_strides({2, 3}, {3, 1}, {3}), Error);
  EXPECT_THROW(broadcast_strides({2}, {1}, {}), Error);
}

TEST(ShapeRules, CountsElements) {
  EXPECT_EQ(element_count({}), 1);
  EXPECT_EQ(element_count({3, 0, 5}), 0);
  EXPECT_THROW(element_count({3, -1}), Error);
  EXPECT_EQ(element_count({1 << 20, 1 << 20}), kMaxElements);
  EXPECT_THROW(element_count({1 << 20, (1 << 20) + 1}), Error);
  EXPECT_THROW(element_count({std::int64_t{1} << 40, std::int64_t{1} << 40}), Error);
  EXPECT_THROW(element_count({0, kMaxElements + 1}), Error) << "other tensors may have as many";
}

TEST(ShapeRules, MakesRowMajorStrides) {
  EXPECT_EQ(contiguous_strides({2, 3, 5}), Shape({15, 5, 1}));
  EXPECT_EQ(contiguous_strides({}), Shape({}));
}

TEST(ShapeRules, SpellsShapes) {
  EXPECT_EQ(text_of({2, 3}), "(2, 3)");
  EXPECT_EQ(text_of({}), "()");
}

}  // namespace
}  // namespace aclvk::ops
