#include <memory>

#include "aclnnop/aclnn_svd.h"
#include "ops/linalg/host_matrix.hpp"

namespace aclvk::test {
namespace {

aclDataType real_type(aclDataType type) {
  return type == ACL_COMPLEX64 ? ACL_FLOAT : type == ACL_COMPLEX128 ? ACL_DOUBLE : type;
}

HostMatrix first_columns(const HostMatrix& x, std::int64_t columns) {
  HostMatrix result(x.rows(), columns);
  for (std::int64_t i = 0; i < x.rows(); ++i) {
    for (std::int64_t j = 0; j < columns; ++j) result.at(i, j) = x.at(i, j);
  }
  return result;
}

class Svd : public OpTest {
 protected:
  static Shape with(Shape shape, std::initializer_list<std::int64_t> last) {
    shape.resize(shape.size() - 2);
    shape.insert(shape.end(), last);
    return shape;
  }

  static std::vector<std::byte> run_svd(const OpTensor& self, bool full, const OpTensor& sigma, const OpTensor& u,
                                        const OpTensor& v) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnSvdGetWorkspaceSize(self.get(), full, true, sigma.get(), u.get(), v.get(), n, e);
        },
        aclnnSvd, {&self, &u, &v}, sigma);
  }

  /// u diag(sigma) v^H is the matrix, u and v have orthonormal columns, and the values are sorted.
  static void check_svd(const OpTensor& self, bool full, const View& u_view = {}, const View& v_view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << self.type() << (full ? ", full" : ""));
    const std::int64_t rows = self.shape()[self.shape().size() - 2];
    const std::int64_t columns = self.shape().back();
    const std::int64_t shared = std::min(rows, columns);
    SCOPED_TRACE(testing::Message() << rows << " x " << columns);
    const OpTensor sigma(real_type(self.type()), with(self.shape(), {shared}));
    const OpTensor u(self.type(), with(self.shape(), {rows, full ? rows : shared}), u_view);
    const OpTensor v(self.type(), with(self.shape(), {columns, full ? columns : shared}), v_view);
    const auto bytes = run_svd(self, full, sigma, u, v);
    const auto u_bytes = u.download();
    const auto v_bytes = v.download();
    EXPECT_TRUE(u.only_elements_changed(u_bytes));
    EXPECT_TRUE(v.only_elements_changed(v_bytes));
    for (std::int64_t i = 0; i < matrices_in(self.shape()); ++i) {
      const HostMatrix given = matrix_of(self, i);
      const HostMatrix left = matrix_of(u, i, &u_bytes);
      const HostMatrix right = matrix_of(v, i, &v_bytes);
      HostMatrix scaled = first_columns(left, shared);
      for (std::int64_t j = 0; j < shared; ++j) {
        const Real value = sigma.in(bytes, i * shared + j).real();
        EXPECT_GE(value, 0);
        if (j > 0) {
          EXPECT_LE(value, sigma.in(bytes, i * shared + j - 1).real());
        }
        for (std::int64_t row = 0; row < rows; ++row) scaled.at(row, j) *= value;
      }
      const Real scale = given.largest() * std::sqrt(static_cast<Real>(rows + columns));
      expect_same(product(scaled, transposed(first_columns(right, shared), true)), given, self.type(), scale);
      expect_same(product(transposed(left, true), left), unit_matrix(left.columns()), self.type(), 4);
      expect_same(product(transposed(right, true), right), unit_matrix(right.columns()), self.type(), 4);
    }
    const OpTensor alone(real_type(self.type()), with(self.shape(), {shared}));
    const auto values = run(
        [&](auto* n, auto** e) {
          return aclnnSvdGetWorkspaceSize(self.get(), full, false, alone.get(), nullptr, nullptr, n, e);
        },
        aclnnSvd, {&self}, alone);
    for (std::int64_t i = 0; i < alone.count(); ++i) {
      const Real first = sigma.in(bytes, i - i % shared).real();
      const Real limit = rounding_of(self.type()) * first * std::sqrt(static_cast<Real>(rows + columns));
      ASSERT_LE(std::abs(alone.in(values, i).real() - sigma.in(bytes, i).real()), limit) << "value " << i;
    }
  }
};

TEST_F(Svd, IsTwoOrthogonalMatricesAndSortedValues) {
  const std::vector<Shape> shapes{{13, 5}, {5, 13},     {7, 7},       {1, 1},  {1, 4},
                                  {4, 1},  {3, 37, 11}, {2, 2, 6, 9}, {70, 67}};
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const Shape& shape : shapes) {
      OpTensor self(type, shape);
      self.fill_random(static_cast<unsigned>(shape[0]));
      check_svd(self, false);
      check_svd(self, true);
    }
  }
}

// Blocks of 16 columns: an odd and an even number of them, the last one filled up or not.
TEST_F(Svd, OfManyColumnsIsMadeInBlocks) {
  for (const Shape& shape : {Shape{131, 83}, Shape{2, 67, 97}, Shape{80, 80}}) {
    OpTensor self(ACL_FLOAT, shape);
    self.fill_random(static_cast<unsigned>(shape.back()));
    check_svd(self, false);
  }
  OpTensor strided(ACL_FLOAT, {79, 71}, {{1, 80}, 3});
  strided.fill_random(11);
  check_svd(strided, true, {{1, 81}, 2});
  OpTensor tall(ACL_DOUBLE, {257, 67});
  tall.fill_random(12);
  check_svd(tall, false);
  OpTensor wide(ACL_DOUBLE, {66, 83});
  wide.fill_random(13);
  check_svd(wide, true);
}

TEST_F(Svd, OfManyColumnsWithoutFullRankHasWholeVectors) {
  OpTensor zero(ACL_FLOAT, {83, 67});
  zero.fill([](std::int64_t) { return 0; });
  check_svd(zero, true);
  OpTensor ones(ACL_FLOAT, {67, 83});
  ones.fill([](std::int64_t) { return 1; });
  check_svd(ones, false);
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    OpTensor three(type, {72, 67});
    three.fill([](std::int64_t i) {
      const auto row = static_cast<Real>(i / 67);
      const auto column = static_cast<Real>(i % 67);
      return std::sin(row) * std::cos(column) + std::cos(row * 2) * column / 67 + row / 72;
    });
    check_svd(three, false);
  }
}

TEST_F(Svd, OfManyColumnsWithNanIsNan) {
  constexpr std::int64_t kRows = 70;
  constexpr std::int64_t kColumns = 67;
  for (const Real wrong : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    OpTensor self(ACL_FLOAT, {2, kRows, kColumns});
    self.fill([&](std::int64_t i) { return i == 3000 ? wrong : Real(i % 13) - Real(i % 7); });
    const OpTensor sigma(ACL_FLOAT, {2, kColumns});
    const OpTensor u(ACL_FLOAT, {2, kRows, kRows});
    const OpTensor v(ACL_FLOAT, {2, kColumns, kColumns});
    const auto bytes = run_svd(self, true, sigma, u, v);
    const auto u_bytes = u.download();
    const auto v_bytes = v.download();
    for (std::int64_t i = 0; i < sigma.count(); ++i) EXPECT_EQ(std::isnan(sigma.in(bytes, i).real()), i < kColumns);
    for (std::int64_t i = 0; i < u.count(); ++i) EXPECT_EQ(std::isnan(u.in(u_bytes, i).real()), i < kRows * kRows);
    for (std::int64_t i = 0; i < v.count(); ++i)
      EXPECT_EQ(std::isnan(v.in(v_bytes, i).real()), i < kColumns * kColumns);
  }
}

// Some drivers end a thread's loops after 65535 iterations (shaders/common/bounded_loop.glsl).
TEST_F(Svd, OfMoreRowsThanALoopHasIterations) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64}) {
    OpTensor self(type, {22003, 3});
    self.fill_random(8);
    check_svd(self, false);
  }
  OpTensor tall(ACL_FLOAT, {70001, 2});
  tall.fill_random(9);
  check_svd(tall, false);
  OpTensor wide(ACL_FLOAT, {2, 70001});
  wide.fill_random(10);
  check_svd(wide, false);
}

TEST_F(Svd, ReadsAndWritesAnyStrides) {
  OpTensor self(ACL_FLOAT, {6, 4}, {{1, 8}, 3});
  self.fill_random(5);
  check_svd(self, true, {{1, 7}, 2}, {{9, 2}, 1});
  OpTensor wide(ACL_COMPLEX64, {4, 6}, {{1, 8}, 3});
  wide.fill_random(6);
  check_svd(wide, false, {{1, 7}, 2}, {{9, 2}, 1});
}

TEST_F(Svd, OfMatricesWithoutFullRankHasWholeVectors) {
  for (const aclDataType type : {ACL_FLOAT, ACL_COMPLEX128}) {
    for (const Shape& shape : {Shape{9, 6}, Shape{6, 9}}) {
      OpTensor zero(type, shape);
      zero.fill([](std::int64_t) { return 0; });
      check_svd(zero, true);
      OpTensor ones(type, shape);
      ones.fill([](std::int64_t) { return 1; });
      check_svd(ones, true);
      OpTensor two(type, shape);  // a sum of two products
      two.fill([&](std::int64_t i) { return Real((i / shape[1] % 3 + 1) * (i % shape[1]) + i / shape[1]); });
      check_svd(two, false);
    }
  }
  for (const std::int64_t size : {8, 32}) {
    OpTensor ones(ACL_FLOAT, {size, size});
    ones.fill([](std::int64_t) { return 1; });
    check_svd(ones, true);
  }
}

TEST_F(Svd, KnowsTheValuesOfAnOrthogonalMatrixTimesADiagonal) {
  OpTensor self(ACL_FLOAT, {3, 3});
  constexpr int kElements[] = {0, -2, 0, 5, 0, 0, 0, 0, 1};
  self.fill([&](std::int64_t i) { return Real(kElements[i]); });
  const OpTensor sigma(ACL_FLOAT, {3});
  const OpTensor u(ACL_FLOAT, {3, 3});
  const OpTensor v(ACL_FLOAT, {3, 3});
  const auto bytes = run_svd(self, false, sigma, u, v);
  expect_elements(
      sigma, bytes, [](std::int64_t i) { return Number(Real(i == 0   ? 5
                                                            : i == 1 ? 2
                                                                     : 1)); }, true);
}

TEST_F(Svd, KnowsHugeAndTinyNumbers) {
  for (const Real unit : {0x1p100L, 0x1p-100L}) {
    OpTensor self(ACL_FLOAT, {2, 2});
    self.fill([&](std::int64_t i) { return unit * Real(i == 0 ? 3 : i == 3 ? 4 : 0); });
    const OpTensor sigma(ACL_FLOAT, {2});
    const OpTensor u(ACL_FLOAT, {2, 2});
    const OpTensor v(ACL_FLOAT, {2, 2});
    const auto bytes = run_svd(self, false, sigma, u, v);
    expect_elements(
        sigma, bytes, [&](std::int64_t i) { return Number(unit * Real(4 - i)); }, true);
  }
}

TEST_F(Svd, OfMatricesWithoutElementsHasUnitMatrices) {
  const OpTensor self(ACL_FLOAT, {2, 3, 0});
  const OpTensor sigma(ACL_FLOAT, {2, 0});
  const OpTensor u(ACL_FLOAT, {2, 3, 3});
  const OpTensor v(ACL_FLOAT, {2, 0, 0});
  run_svd(self, true, sigma, u, v);
  expect_elements(
      u, u.download(), [](std::int64_t i) { return Number(Real(i % 9 % 4 == 0 ? 1 : 0)); }, true);
  const OpTensor none(ACL_FLOAT, {0, 4, 3});
  check_svd(none, true);
}

TEST_F(Svd, OfNanIsNan) {
  for (const Real wrong : {std::numeric_limits<Real>::quiet_NaN(), std::numeric_limits<Real>::infinity()}) {
    OpTensor self(ACL_FLOAT, {2, 3, 2});
    self.fill([&](std::int64_t i) { return i == 3 ? wrong : Real(i % 5); });
    const OpTensor sigma(ACL_FLOAT, {2, 2});
    const OpTensor u(ACL_FLOAT, {2, 3, 2});
    const OpTensor v(ACL_FLOAT, {2, 2, 2});
    const auto bytes = run_svd(self, false, sigma, u, v);
    const auto u_bytes = u.download();
    const auto v_bytes = v.download();
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(std::isnan(sigma.in(bytes, i).real()), i < 2);
    for (std::int64_t i = 0; i < 12; ++i) EXPECT_EQ(std::isnan(u.in(u_bytes, i).real()), i < 6);
    for (std::int64_t i = 0; i < 8; ++i) EXPECT_EQ(std::isnan(v.in(v_bytes, i).real()), i < 4);
  }
}

TEST_F(Svd, RefusesOthers) {
  const OpTensor self(ACL_COMPLEX64, {4, 3});
  const OpTensor sigma(ACL_FLOAT, {3});
  const OpTensor u(ACL_COMPLEX64, {4, 3});
  const OpTensor v(ACL_COMPLEX64, {3, 3});
  const OpTensor square(ACL_COMPLEX64, {4, 4});
  const OpTensor real(ACL_FLOAT, {4, 3});
  const OpTensor half(ACL_FLOAT16, {4, 3});
  const OpTensor vector(ACL_COMPLEX64, {4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, bool full, bool vectors, aclTensor* values, aclTensor* left,
                        aclTensor* right) {
    return aclnnSvdGetWorkspaceSize(from, full, vectors, values, left, right, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, false, true, sigma.get(), u.get(), v.get()), 161001);
  EXPECT_EQ(plan(self.get(), false, true, nullptr, u.get(), v.get()), 161001);
  EXPECT_EQ(plan(self.get(), false, true, sigma.get(), nullptr, v.get()), 161001);
  EXPECT_EQ(plan(self.get(), false, true, sigma.get(), u.get(), nullptr), 161001);
  EXPECT_EQ(plan(half.get(), false, true, sigma.get(), u.get(), v.get()), 161002);
  EXPECT_EQ(plan(self.get(), false, true, sigma.get(), real.get(), v.get()), 161002);
  EXPECT_EQ(plan(vector.get(), false, true, sigma.get(), u.get(), v.get()), 161002);
  EXPECT_EQ(plan(self.get(), true, true, sigma.get(), u.get(), v.get()), 161002);
  EXPECT_EQ(plan(self.get(), false, true, sigma.get(), square.get(), v.get()), 161002);
  EXPECT_EQ(plan(self.get(), false, true, u.get(), u.get(), v.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
