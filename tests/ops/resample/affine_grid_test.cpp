#include "aclnnop/aclnn_affine_grid.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class AffineGrids : public OpTest {
 protected:
  /// From -1 to 1: the middles of the outer elements with `corners`, else their edges. The middle of a single element
  /// is 0.
  static Real coordinate(std::int64_t i, std::int64_t size, bool corners) {
    if (corners) return size == 1 ? 0 : -1 + 2 * Real(i) / Real(size - 1);
    return -1 + (2 * Real(i) + 1) / Real(size);
  }

  /// The sum of products of a row of the batch's matrix with the point, (W, H, 1) or (W, H, D, 1).
  static Real reference(const OpTensor& theta, const OpTensor& out, std::int64_t element, bool corners) {
    const Shape at = coordinates_of(element, out.shape());
    const auto dims = static_cast<std::int64_t>(at.size()) - 2;
    const std::int64_t row = (at.front() * dims + at.back()) * (dims + 1);
    Real sum = theta.before(row + dims).real();
    for (std::int64_t column = 0; column < dims; ++column) {
      const auto dim = static_cast<std::size_t>(dims - column);
      sum += theta.before(row + column).real() * coordinate(at[dim], out.shape()[dim], corners);
    }
    return sum;
  }

  static Shape grid_of(const Shape& size) {
    Shape shape = {size[0]};
    shape.insert(shape.end(), size.begin() + 2, size.end());
    shape.push_back(static_cast<std::int64_t>(size.size()) - 2);
    return shape;
  }
  static Shape matrices_of(const Shape& size) {
    const auto dims = static_cast<std::int64_t>(size.size()) - 2;
    return {size[0], dims, dims + 1};
  }

  static void check(const OpTensor& theta, const Shape& size, View view = {}) {
    for (const bool corners : {false, true}) {
      SCOPED_TRACE("dtype " + std::to_string(theta.type()) + ", size " + testing::PrintToString(size));
      const OpInts sizes(size);
      const OpTensor out(theta.type(), grid_of(size), view);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnAffineGridGetWorkspaceSize(theta.get(), sizes.get(), corners, out.get(), n, e);
          },
          aclnnAffineGrid, {&theta}, out);
      expect_elements(
          out, bytes, [&](std::int64_t i) { return rounded(reference(theta, out, i, corners), out.type()); }, false);
    }
  }

  static void check_random(aclDataType type, const Shape& size) {
    OpTensor theta(type, matrices_of(size));
    check(theta.fill_random(71), size);
  }
};

class AffineGridTypes : public AffineGrids, public testing::WithParamInterface<aclDataType> {};

TEST_P(AffineGridTypes, MapImages) {
  for (const Shape& size : {Shape{3, 1, 7, 11}, Shape{1, 5, 1, 13}, Shape{2, 3, 17, 1}, Shape{1, 1, 1, 1}}) {
    check_random(GetParam(), size);
  }
}

TEST_P(AffineGridTypes, MapVolumes) {
  for (const Shape& size : {Shape{2, 1, 3, 5, 7}, Shape{1, 2, 1, 1, 1}, Shape{3, 1, 5, 1, 3}}) {
    check_random(GetParam(), size);
  }
}

TEST_P(AffineGridTypes, TakeStridesAndOffsets) {
  OpTensor transposed(GetParam(), {3, 2, 3}, {{6, 1, 2}, 5});
  check(transposed.fill_random(72), {3, 1, 5, 7}, {{97, 1, 11, 5}, 3});
  OpTensor expanded(GetParam(), {3, 2, 3}, {{0, 4, 1}, 2});
  check(expanded.fill_random(73), {3, 1, 5, 7}, {{1, 3, 15, 110}, 1});
  OpTensor single(GetParam(), {2, 3, 4}, {{0, 0, 0}, 1});
  check(single.fill_random(74), {2, 1, 3, 5, 7}, {{331, 110, 22, 3, 1}});
}

INSTANTIATE_TEST_SUITE_P(Types, AffineGridTypes, testing::Values(ACL_FLOAT, ACL_FLOAT16, ACL_BF16), name_of_dtype);

TEST_F(AffineGrids, KeepInfinitiesAndNan) {
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  const Real values[] = {1, kNan, 2, kInf, 0.5L, -1, 1, 2, -kInf, -kInf, 1, kInf};
  OpTensor theta(ACL_FLOAT, {2, 2, 3});
  check(theta.fill([&](std::int64_t i) { return values[i]; }), {2, 1, 3, 5});
}

// Some drivers end a thread's loops after 65535 iterations, and a dimension of a dispatch has 65535 workgroups.
TEST_F(AffineGrids, OfManyPointsAlongEachDim) {
  for (const Shape& size : {Shape{1, 1, 1, 66003}, Shape{1, 1, 66003, 1}, Shape{66003, 1, 1, 2},
                            Shape{1, 1, 66003, 1, 1}, Shape{1, 1, 2, 3, 11003}}) {
    check_random(ACL_FLOAT, size);
  }
}

TEST_F(AffineGrids, OfNothing) {
  for (const Shape& size : {Shape{0, 1, 3, 5}, Shape{2, 1, 0, 5}, Shape{2, 1, 3, 0}, Shape{1, 1, 0, 3, 5}}) {
    check_random(ACL_FLOAT, size);
  }
  check_random(ACL_FLOAT, {2, 0, 3, 5});
}

TEST_F(AffineGrids, RefuseWhatDoesNotFit) {
  const OpTensor theta(ACL_FLOAT, {2, 2, 3});
  const OpTensor out(ACL_FLOAT, {2, 3, 5, 2});
  const OpTensor half(ACL_FLOAT16, {2, 3, 5, 2});
  const OpTensor wide(ACL_DOUBLE, {2, 2, 3});
  const OpTensor volume(ACL_FLOAT, {2, 3, 5, 7, 3});
  const OpTensor scalar(ACL_FLOAT, {});
  const OpInts size{2, 1, 3, 5};
  const OpInts other{2, 1, 5, 3};
  const OpInts batches{3, 1, 3, 5};
  const OpInts negative{2, -1, 3, 5};
  const OpInts few{2, 3, 5};
  const OpInts deep{2, 1, 3, 5, 7};
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](const aclTensor* from, const aclIntArray* sizes, aclTensor* to) {
    return aclnnAffineGridGetWorkspaceSize(from, sizes, true, to, &n, &e);
  };
  EXPECT_EQ(plan(nullptr, size.get(), half.get()), 161001);
  EXPECT_EQ(plan(theta.get(), nullptr, half.get()), 161001);
  EXPECT_EQ(plan(theta.get(), size.get(), nullptr), 161001);
  EXPECT_EQ(plan(wide.get(), size.get(), out.get()), 161002);
  EXPECT_EQ(plan(theta.get(), size.get(), half.get()), 161002);
  EXPECT_EQ(plan(theta.get(), other.get(), out.get()), 161002);
  EXPECT_EQ(plan(theta.get(), batches.get(), out.get()), 161002);
  EXPECT_EQ(plan(theta.get(), negative.get(), out.get()), 161002);
  EXPECT_EQ(plan(theta.get(), few.get(), out.get()), 161002);
  EXPECT_EQ(plan(theta.get(), deep.get(), volume.get()), 161002);
  EXPECT_EQ(plan(scalar.get(), size.get(), out.get()), 161002);
  EXPECT_EQ(plan(theta.get(), size.get(), scalar.get()), 161002);
  EXPECT_EQ(e, nullptr);
}

}  // namespace
}  // namespace aclvk::test
