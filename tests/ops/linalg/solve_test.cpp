#include <limits>

#include "aclnnop/aclnn_inverse.h"
#include "aclnnop/aclnn_triangular_solve.h"
#include "ops/linalg/host_matrix.hpp"

namespace aclvk::test {
namespace {

class TriangularSolve : public OpTest {
 protected:
  struct Flags {
    bool upper;
    bool transpose;
    bool unit;
  };

  /// A x is b again, for each matrix; `a` and `b` have the same batch.
  static void check_solution(const OpTensor& b, const OpTensor& a, Flags flags, const View& view = {}) {
    const OpTensor x(b.type(), b.shape(), view);
    const OpTensor m(a.type(), a.shape());
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnTriangularSolveGetWorkspaceSize(b.get(), a.get(), flags.upper, flags.transpose, flags.unit,
                                                      x.get(), m.get(), n, e);
        },
        aclnnTriangularSolve, {&b, &a, &m}, x);
    const auto copied = m.download();
    for (std::int64_t i = 0; i < matrices_in(b.shape()); ++i) {
      const HostMatrix triangle = triangle_of(matrix_of(a, i), flags.upper, flags.unit);
      const HostMatrix solution = matrix_of(x, i, &bytes);
      expect_same(product(flags.transpose ? transposed(triangle, false) : triangle, solution), matrix_of(b, i),
                  b.type(), triangle.largest() * solution.largest() * static_cast<Real>(triangle.rows()));
    }
    expect_elements(
        m, copied, [&](std::int64_t i) { return a.before(i); }, true);
  }
};

TEST_F(TriangularSolve, SolvesForTheOtherFactorOfSelf) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const int flags : {0, 1, 2, 3, 4, 7}) {
      OpTensor a(type, {2, 13, 13});
      OpTensor b(type, {2, 13, 5});
      fill_regular(a, 3);
      b.fill_random(4);
      if ((flags & 4) != 0) a.fill([](std::int64_t i) { return Real(i % 7) / 64; });
      check_solution(b, a, {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0});
    }
  }
}

TEST_F(TriangularSolve, ReadsAndWritesAnyStrides) {
  OpTensor a(ACL_FLOAT, {7, 7}, {{1, 9}, 2});
  OpTensor b(ACL_FLOAT, {7, 3}, {{6, 2}, 1});
  fill_regular(a, 5);
  b.fill_random(6);
  check_solution(b, a, {true, false, false}, {{1, 8}, 3});
}

TEST_F(TriangularSolve, OfLargeMatricesIsMadeInBlocks) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    for (const int flags : {0, 1, 2, 3, 4, 7}) {
      OpTensor a(type, {2, 137, 137});
      OpTensor b(type, {2, 137, flags % 2 ? 1 : 19});
      fill_regular(a, 3);
      b.fill_random(4);
      if ((flags & 4) != 0) a.fill([](std::int64_t i) { return Real(i % 7) / 512; });
      check_solution(b, a, {(flags & 1) != 0, (flags & 2) != 0, (flags & 4) != 0});
    }
  }
}

TEST_F(TriangularSolve, BroadcastsTheBatch) {
  OpTensor a(ACL_FLOAT, {1, 4, 4});
  OpTensor b(ACL_FLOAT, {3, 4, 1});
  OpTensor x(ACL_FLOAT, {3, 4, 1});
  OpTensor m(ACL_FLOAT, {3, 4, 4});
  fill_regular(a, 7);
  b.fill_random(8);
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnTriangularSolveGetWorkspaceSize(b.get(), a.get(), true, false, false, x.get(), m.get(), n, e);
      },
      aclnnTriangularSolve, {&b, &a, &m}, x);
  const auto copied = m.download();
  for (std::int64_t i = 0; i < 3; ++i) {
    expect_same(product(triangle_of(matrix_of(a, 0), true, false), matrix_of(x, i, &bytes)), matrix_of(b, i), ACL_FLOAT,
                64);
  }
  expect_elements(
      m, copied, [&](std::int64_t i) { return a.before(i % 16); }, true);
}

TEST_F(TriangularSolve, RefusesOthers) {
  const OpTensor a(ACL_FLOAT, {4, 4});
  const OpTensor b(ACL_FLOAT, {4, 2});
  const OpTensor wide(ACL_FLOAT, {4, 5});
  const OpTensor vector(ACL_FLOAT, {4});
  const OpTensor other(ACL_DOUBLE, {4, 4});
  const OpTensor half(ACL_FLOAT16, {4, 4});
  const OpTensor x(ACL_FLOAT, {4, 2});
  const OpTensor m(ACL_FLOAT, {4, 4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* self, const aclTensor* matrix, aclTensor* to, aclTensor* copy) {
    return aclnnTriangularSolveGetWorkspaceSize(self, matrix, true, false, false, to, copy, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, a.get(), x.get(), m.get()), 161001);
  EXPECT_EQ(plan(b.get(), nullptr, x.get(), m.get()), 161001);
  EXPECT_EQ(plan(b.get(), a.get(), nullptr, m.get()), 161001);
  EXPECT_EQ(plan(b.get(), a.get(), x.get(), nullptr), 161001);
  EXPECT_EQ(plan(b.get(), half.get(), x.get(), m.get()), 161002);
  EXPECT_EQ(plan(b.get(), other.get(), x.get(), m.get()), 161002);
  EXPECT_EQ(plan(vector.get(), a.get(), x.get(), m.get()), 161002);
  EXPECT_EQ(plan(b.get(), wide.get(), x.get(), m.get()), 161002);
  EXPECT_EQ(plan(b.get(), a.get(), m.get(), m.get()), 161002);
  EXPECT_EQ(plan(b.get(), a.get(), x.get(), x.get()), 161002);
  // Results may not be operands, nor each other.
  const OpTensor square(ACL_FLOAT, {4, 4});
  const OpTensor solution(ACL_FLOAT, {4, 4});
  EXPECT_EQ(plan(square.get(), a.get(), a.get(), m.get()), 161002);
  EXPECT_EQ(plan(square.get(), a.get(), square.get(), m.get()), 161002);
  EXPECT_EQ(plan(square.get(), a.get(), solution.get(), a.get()), 161002);
  EXPECT_EQ(plan(square.get(), a.get(), solution.get(), square.get()), 161002);
  EXPECT_EQ(plan(square.get(), a.get(), m.get(), m.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

class Inverse : public OpTest {
 protected:
  static void check_inverse(const OpTensor& self, const View& view = {}) {
    const OpTensor out(self.type(), self.shape(), view);
    const auto bytes = run([&](auto* n, auto** e) { return aclnnInverseGetWorkspaceSize(self.get(), out.get(), n, e); },
                           aclnnInverse, {&self}, out);
    for (std::int64_t i = 0; i < matrices_in(self.shape()); ++i) {
      const HostMatrix given = matrix_of(self, i);
      const HostMatrix found = matrix_of(out, i, &bytes);
      expect_same(product(given, found), unit_matrix(given.rows()), self.type(),
                  given.largest() * found.largest() * static_cast<Real>(given.rows()));
    }
  }
};

TEST_F(Inverse, TimesTheMatrixIsTheUnitMatrix) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}) {
    for (const std::int64_t size : {1, 2, 13, 37}) {
      OpTensor self(type, {3, size, size});
      self.fill_random(static_cast<unsigned>(size));
      if (type == ACL_FLOAT16) fill_regular(self, 3);
      check_inverse(self);
    }
  }
  OpTensor column_major(ACL_FLOAT, {5, 5}, {{1, 7}, 3});
  column_major.fill_random(9);
  check_inverse(column_major, {{2, 12}, 1});
}

TEST_F(Inverse, OfALargeMatrixTakesSeveralKernels) {
  OpTensor self(ACL_FLOAT, {150, 150});
  fill_regular(self, 4);
  check_inverse(self);
}

TEST_F(Inverse, OfLargeMatricesIsMadeInBlocks) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_FLOAT16}) {
    for (const Shape& shape : {Shape{2, 97, 97}, Shape{200, 200}}) {
      OpTensor self(type, shape);
      self.fill_random(static_cast<unsigned>(shape[1]));
      if (type == ACL_FLOAT16) fill_regular(self, 3);
      check_inverse(self);
    }
  }
  OpTensor column_major(ACL_FLOAT, {397, 397}, {{1, 399}, 3});
  column_major.fill_random(9);
  check_inverse(column_major, {{2, 800}, 1});
}

TEST_F(Inverse, ExchangesRowsOfLargeMatrices) {
  for (const std::int64_t size : {96, 127}) {
    OpTensor self(ACL_FLOAT, {size, size});  // a permutation, so that no pivot is on the diagonal
    self.fill([&](std::int64_t i) { return Real((i / size * 5 + 3) % size == i % size ? i % 3 + 1 : 0); });
    check_inverse(self);
  }
}

TEST_F(Inverse, OfALargeMatrixWithoutANumberHasNone) {
  OpTensor self(ACL_FLOAT, {113, 113});
  self.fill([](std::int64_t i) {
    return i == 0 ? std::numeric_limits<Real>::quiet_NaN() : Real((31 * i * i + 7 * i) % 251) / 64 - 2;
  });
  const OpTensor out(ACL_FLOAT, {113, 113});
  const auto bytes = run([&](auto* n, auto** e) { return aclnnInverseGetWorkspaceSize(self.get(), out.get(), n, e); },
                         aclnnInverse, {&self}, out);
  for (const std::int64_t i : {0, 112, 6000, 113 * 113 - 1}) EXPECT_TRUE(std::isnan(out.in(bytes, i).real()));
}

TEST_F(Inverse, ExchangesRowsWhereAPivotIsZero) {
  OpTensor self(ACL_FLOAT, {3, 3});
  constexpr int kValues[] = {0, 2, 1, 1, 0, 3, 4, 1, 0};
  self.fill([&](std::int64_t i) { return Real(kValues[i]); });
  check_inverse(self);
}

TEST_F(Inverse, OfASingularMatrixIsNotFinite) {
  OpTensor self(ACL_FLOAT, {2, 2});
  self.fill([](std::int64_t i) { return Real(i % 2 + 1); });
  const OpTensor out(ACL_FLOAT, {2, 2});
  const auto bytes = run([&](auto* n, auto** e) { return aclnnInverseGetWorkspaceSize(self.get(), out.get(), n, e); },
                         aclnnInverse, {&self}, out);
  for (std::int64_t i = 0; i < 4; ++i) EXPECT_FALSE(std::isfinite(out.in(bytes, i).real()));
}

TEST_F(Inverse, OfNothingIsNothing) {
  for (const Shape& shape : {Shape{0, 0}, Shape{0, 3, 3}, Shape{4, 0, 0}}) {
    const OpTensor self(ACL_FLOAT, shape);
    const OpTensor out(ACL_FLOAT, shape);
    run([&](auto* n, auto** e) { return aclnnInverseGetWorkspaceSize(self.get(), out.get(), n, e); }, aclnnInverse,
        {&self}, out);
  }
}

TEST_F(Inverse, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {3, 3});
  const OpTensor wide(ACL_FLOAT, {3, 4});
  const OpTensor vector(ACL_FLOAT, {3});
  const OpTensor whole(ACL_INT32, {3, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, aclTensor* to) {
    return aclnnInverseGetWorkspaceSize(from, to, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, self.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr), 161001);
  EXPECT_EQ(plan(whole.get(), self.get()), 161002);
  EXPECT_EQ(plan(self.get(), whole.get()), 161002);
  EXPECT_EQ(plan(wide.get(), wide.get()), 161002);
  EXPECT_EQ(plan(vector.get(), vector.get()), 161002);
  EXPECT_EQ(plan(self.get(), wide.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
