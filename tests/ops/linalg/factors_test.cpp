#include <utility>

#include "aclnnop/aclnn_linalg_cholesky.h"
#include "aclnnop/aclnn_linalg_qr.h"
#include "aclnnop/aclnn_qr.h"
#include "ops/linalg/host_matrix.hpp"

namespace aclvk::test {
namespace {

class Cholesky : public OpTest {
 protected:
  /// Positive definite: B B^T of a random B, and something on the diagonal.
  static void fill_definite(OpTensor& tensor) {
    OpTensor random(ACL_FLOAT, tensor.shape());
    random.fill_random(3);
    const std::int64_t size = tensor.shape().back();
    std::vector<HostMatrix> squares;
    for (std::int64_t i = 0; i < matrices_in(tensor.shape()); ++i) {
      const HostMatrix matrix = matrix_of(random, i);
      squares.push_back(product(matrix, transposed(matrix, false)));
    }
    tensor.fill([&](std::int64_t i) {
      const std::int64_t row = i / size % size;
      const Number value = squares[static_cast<std::size_t>(i / size / size)].at(row, i % size);
      return row == i % size ? value + Real(1) : value;
    });
  }
  static void check_cholesky(const OpTensor& self, bool upper, const View& view = {}) {
    const OpTensor out(self.type(), self.shape(), view);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnLinalgCholeskyGetWorkspaceSize(self.get(), upper, out.get(), n, e); },
            aclnnLinalgCholesky, {&self}, out);
    for (std::int64_t i = 0; i < matrices_in(self.shape()); ++i) {
      const HostMatrix given = matrix_of(self, i);
      const HostMatrix found = matrix_of(out, i, &bytes);
      expect_same(found, triangle_of(found, upper, false), self.type(), 0);
      const HostMatrix other = transposed(found, false);
      expect_same(upper ? product(other, found) : product(found, other), given, self.type(), 2 * given.largest());
      for (std::int64_t row = 0; row < found.rows(); ++row) EXPECT_GT(found.at(row, row).real(), 0);
    }
  }
};

TEST_F(Cholesky, TimesItsTransposeIsTheMatrix) {
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    for (const std::int64_t size : {1, 2, 13, 37}) {
      OpTensor self(type, {2, size, size}, size == 13 ? View{{260, 1, 20}, 5} : View{});
      fill_definite(self);
      check_cholesky(self, false);
      check_cholesky(self, true, size == 13 ? View{{200, 1, 15}, 2} : View{});
    }
  }
}

// Blocks of 16 columns, the last one filled up or not.
TEST_F(Cholesky, OfManyColumnsIsMadeInBlocks) {
  for (const std::int64_t size : {97, 112, 131}) {
    OpTensor self(ACL_FLOAT, {2, size, size}, size == 97 ? View{{20000, 1, 101}, 5} : View{});
    fill_definite(self);
    check_cholesky(self, false);
    check_cholesky(self, true, size == 97 ? View{{9700, 1, 99}, 2} : View{});
  }
  OpTensor half(ACL_BF16, {101, 101});
  fill_definite(half);
  check_cholesky(half, false);
}

// The other triangle is not a number; that of the second matrix is not definite from a row on.
TEST_F(Cholesky, OfManyColumnsReadsOneTriangleAndHasNaNFromWhereItIsNotDefinite) {
  constexpr std::int64_t kSize = 107;
  constexpr std::int64_t kWrong = 55;
  for (const bool upper : {false, true}) {
    OpTensor self(ACL_FLOAT, {2, kSize, kSize});
    self.fill([&](std::int64_t i) {
      const std::int64_t row = i / kSize % kSize;
      const std::int64_t column = i % kSize;
      if (row != column && (column > row) != upper) return std::numeric_limits<Real>::quiet_NaN();
      if (row != column) return Real((row + column) % 7) / 8;
      return i >= kSize * kSize && row == kWrong ? Real(-1) : Real(kSize);
    });
    const OpTensor out(ACL_FLOAT, {2, kSize, kSize});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnLinalgCholeskyGetWorkspaceSize(self.get(), upper, out.get(), n, e); },
            aclnnLinalgCholesky, {&self}, out);
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const std::int64_t first = std::min(i / kSize % kSize, i % kSize);
      const bool outside = (i % kSize > i / kSize % kSize) != upper && i % kSize != i / kSize % kSize;
      const Real value = out.in(bytes, i).real();
      ASSERT_EQ(std::isnan(value), !outside && i >= kSize * kSize && first >= kWrong) << i;
      if (outside) {
        ASSERT_EQ(value, 0) << i;
      }
    }
    HostMatrix given = matrix_of(self, 0);
    for (std::int64_t i = 0; i < kSize; ++i) {
      for (std::int64_t j = 0; j < i; ++j)
        (upper ? given.at(i, j) : given.at(j, i)) = upper ? given.at(j, i) : given.at(i, j);
    }
    const HostMatrix found = matrix_of(out, 0, &bytes);
    const HostMatrix other = transposed(found, false);
    expect_same(upper ? product(other, found) : product(found, other), given, self.type(), 2 * given.largest());
  }
}

TEST_F(Cholesky, ReadsOneTriangle) {
  OpTensor self(ACL_FLOAT, {2, 2});
  const OpTensor out(ACL_FLOAT, {2, 2});
  for (const bool upper : {false, true}) {
    self.fill([&](std::int64_t i) {
      return i == 0 ? Real(4) : i == 3 ? Real(5) : (i == 1) == upper ? Real(2) : Real(77);
    });
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnLinalgCholeskyGetWorkspaceSize(self.get(), upper, out.get(), n, e); },
            aclnnLinalgCholesky, {&self}, out);
    const std::vector<Real> expected = upper ? std::vector<Real>{2, 1, 0, 2} : std::vector<Real>{2, 0, 1, 2};
    expect_elements(
        out, bytes, [&](std::int64_t i) { return Number(expected[static_cast<std::size_t>(i)]); }, true);
  }
}

TEST_F(Cholesky, OfAMatrixThatIsNotPositiveDefiniteHasNaN) {
  OpTensor self(ACL_FLOAT, {2, 2});
  const OpTensor out(ACL_FLOAT, {2, 2});
  self.fill([](std::int64_t i) { return Real(i == 3 ? -1 : 1); });
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnLinalgCholeskyGetWorkspaceSize(self.get(), false, out.get(), n, e); },
          aclnnLinalgCholesky, {&self}, out);
  EXPECT_TRUE(std::isnan(out.in(bytes, 3).real()));
}

TEST_F(Cholesky, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {3, 3});
  const OpTensor wide(ACL_FLOAT, {3, 4});
  const OpTensor vector(ACL_FLOAT, {3});
  const OpTensor wrong(ACL_DOUBLE, {3, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, aclTensor* to) {
    return aclnnLinalgCholeskyGetWorkspaceSize(from, false, to, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, self.get()), 161001);
  EXPECT_EQ(plan(self.get(), nullptr), 161001);
  EXPECT_EQ(plan(wrong.get(), self.get()), 161002);
  EXPECT_EQ(plan(self.get(), wrong.get()), 161002);
  EXPECT_EQ(plan(wide.get(), wide.get()), 161002);
  EXPECT_EQ(plan(vector.get(), vector.get()), 161002);
  EXPECT_EQ(plan(self.get(), wide.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

class Qr : public OpTest {
 protected:
  /// Q R is the matrix, the columns of Q are orthonormal and R has nothing below its diagonal.
  static void check_qr(const OpTensor& self, bool complete, const View& q_view = {}, const View& r_view = {}) {
    const std::int64_t rows = self.shape()[self.shape().size() - 2];
    const std::int64_t columns = self.shape().back();
    const std::int64_t shared = complete ? rows : std::min(rows, columns);
    Shape q_shape(self.shape().begin(), self.shape().end() - 2);
    Shape r_shape = q_shape;
    q_shape.insert(q_shape.end(), {rows, shared});
    r_shape.insert(r_shape.end(), {shared, columns});
    const OpTensor q(self.type(), q_shape, q_view);
    const OpTensor r(self.type(), r_shape, r_view);
    const auto r_bytes =
        run([&](auto* n, auto** e) { return aclnnQrGetWorkspaceSize(self.get(), !complete, q.get(), r.get(), n, e); },
            aclnnQr, {&self, &q}, r);
    const auto q_bytes = q.download();
    EXPECT_TRUE(q.only_elements_changed(q_bytes));
    for (std::int64_t i = 0; i < matrices_in(self.shape()); ++i) {
      const HostMatrix given = matrix_of(self, i);
      const HostMatrix first = matrix_of(q, i, &q_bytes);
      const HostMatrix second = matrix_of(r, i, &r_bytes);
      const Real scale = given.largest() * std::sqrt(static_cast<Real>(rows + columns));
      expect_same(product(first, second), given, self.type(), scale);
      expect_same(product(transposed(first, true), first), unit_matrix(shared), self.type(), 4);
      expect_same(second, triangle_of(second, true, false), self.type(), 0);
      check_signs(given, second);
    }
    const OpTensor again(self.type(), q_shape);
    const OpTensor same(self.type(), r_shape);
    const auto other = run(
        [&](auto* n, auto** e) {
          return aclnnLinalgQrGetWorkspaceSize(self.get(), complete ? 1 : 0, again.get(), same.get(), n, e);
        },
        aclnnLinalgQr, {&self, &again}, same);
    expect_elements(
        same, other, [&](std::int64_t i) { return r.in(r_bytes, i); }, true);
    expect_elements(
        again, again.download(), [&](std::int64_t i) { return q.in(q_bytes, i); }, true);
  }

 private:
  /// LAPACK's: the diagonal is real, and the first number is the opposite of that of the matrix unless nothing is
  /// below.
  static void check_signs(const HostMatrix& given, const HostMatrix& r) {
    for (std::int64_t i = 0; i < std::min(given.rows() - 1, given.columns()); ++i) EXPECT_EQ(r.at(i, i).imag(), 0);
    if (given.rows() > 1 && given.columns() > 0) {
      EXPECT_LT(r.at(0, 0).real() * given.at(0, 0).real(), 0);
    }
  }
};

TEST_F(Qr, IsAnOrthogonalAndATriangularMatrix) {
  const std::vector<Shape> shapes{{13, 5}, {5, 13}, {7, 7}, {1, 1}, {1, 4}, {4, 1}, {3, 37, 11}, {2, 2, 6, 9}};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    for (const Shape& shape : shapes) {
      OpTensor self(type, shape);
      self.fill_random(static_cast<unsigned>(shape[0]));
      check_qr(self, false);
      check_qr(self, true);
    }
  }
}

TEST_F(Qr, OfALargeMatrixTakesSeveralKernels) {
  OpTensor self(ACL_COMPLEX64, {170, 150});
  self.fill_random(7);
  check_qr(self, false);
}

// Blocks of 16 columns, the last one filled up or not.
TEST_F(Qr, OfManyRowsAndColumnsIsMadeInBlocks) {
  for (const Shape& shape : {Shape{2, 97, 101}, Shape{112, 96}, Shape{96, 131}}) {
    OpTensor self(ACL_FLOAT, shape);
    self.fill_random(static_cast<unsigned>(shape.back()));
    check_qr(self, false);
  }
  OpTensor strided(ACL_FLOAT, {109, 97}, {{1, 111}, 3});
  strided.fill_random(11);
  check_qr(strided, true, {{1, 112}, 2}, {{127, 1}, 1});
  for (const aclDataType type : {ACL_FLOAT16, ACL_DOUBLE}) {
    OpTensor self(type, {97, 98});
    self.fill_random(12);
    check_qr(self, true);
  }
}

// Columns whose squares are no numbers, that are 0, and that depend on each other.
// Drivers may flush subnormal results (below 2^-126): beside the largest elements of the tiniest columns, about 2^-100,
// these are rounding errors.
TEST_F(Qr, OfManyColumnsKnowsHugeAndTinyNumbersAndDependentColumns) {
  constexpr std::int64_t kRows = 107;
  constexpr std::int64_t kColumns = 99;
  OpTensor random(ACL_FLOAT, {kRows, kColumns});
  random.fill_random(13);
  const OpTensor q(ACL_FLOAT, {kRows, kColumns});
  const OpTensor r(ACL_FLOAT, {kColumns, kColumns});
  const auto unit = [](std::int64_t column) { return std::ldexp(Real{1}, static_cast<int>(column % 5) * 50 - 100); };
  OpTensor self(ACL_FLOAT, {kRows, kColumns});
  self.fill([&](std::int64_t i) {
    const std::int64_t column = i % kColumns;
    const std::int64_t from = column % 20 == 19 ? i - 10 : i;
    return column % 20 == 18 ? Number(0) : std::as_const(random).before(from) * unit(column);
  });
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnQrGetWorkspaceSize(self.get(), true, q.get(), r.get(), n, e); }, aclnnQr,
          {&self, &q}, r);
  const auto q_bytes = q.download();
  HostMatrix given = matrix_of(self, 0);
  const HostMatrix first = matrix_of(q, 0, &q_bytes);
  HostMatrix second = matrix_of(r, 0, &bytes);
  for (std::int64_t column = 0; column < kColumns; ++column) {
    for (std::int64_t row = 0; row < kRows; ++row) given.at(row, column) /= unit(column);
    for (std::int64_t row = 0; row < kColumns; ++row) second.at(row, column) /= unit(column);
  }
  expect_same(product(first, second), given, ACL_FLOAT, given.largest() * std::sqrt(static_cast<Real>(kRows)));
  expect_same(product(transposed(first, true), first), unit_matrix(kColumns), ACL_FLOAT, 4);
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    OpTensor ones(type, {112, 112});
    ones.fill([](std::int64_t) { return 1; });
    check_qr(ones, false);
    OpTensor tiny(type, {97, 97});  // below the first row the squares of what is left have few digits
    tiny.fill([&](std::int64_t i) {
      const Real noise = (Real(i * 37 % 101) - 50) / 50;
      return i < 97 ? Real(1) : noise * (type == ACL_DOUBLE ? 0x1p-534L : 0x1p-69L);
    });
    check_qr(tiny, false);
  }
}

// What comes before a column that is not a number is known.
TEST_F(Qr, OfManyColumnsHasNaNFromWhereTheyHave) {
  constexpr std::int64_t kSize = 101;
  constexpr std::int64_t kWrong = 37;
  OpTensor self(ACL_FLOAT, {2, kSize, kSize});
  self.fill([](std::int64_t i) {
    return i == kSize * 50 + kWrong ? std::numeric_limits<Real>::infinity() : Real(i % 13) - Real(i % 7) / 2;
  });
  const OpTensor q(ACL_FLOAT, {2, kSize, kSize});
  const OpTensor r(ACL_FLOAT, {2, kSize, kSize});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnQrGetWorkspaceSize(self.get(), true, q.get(), r.get(), n, e); }, aclnnQr,
          {&self, &q}, r);
  for (std::int64_t i = 0; i < r.count(); ++i) {
    const std::int64_t row = i / kSize % kSize;
    const std::int64_t column = i % kSize;
    const bool finite = std::isfinite(r.in(bytes, i).real());
    if (i >= kSize * kSize || column < kWrong || row > column) {
      ASSERT_TRUE(finite) << i;
    }
    if (i < kSize * kSize && column > kWrong && row >= kWrong && row <= column) {
      ASSERT_FALSE(finite) << i;
    }
  }
}

// Some drivers end a thread's loops after 65535 iterations (shaders/common/bounded_loop.glsl).
TEST_F(Qr, OfMoreRowsThanALoopHasIterations) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64}) {
    OpTensor self(type, {16411, 3});
    self.fill_random(8);
    check_qr(self, false);
  }
  OpTensor tall(ACL_FLOAT, {70001, 2});
  tall.fill_random(9);
  check_qr(tall, false);
  OpTensor wide(ACL_FLOAT, {2, 70001});
  wide.fill_random(10);
  check_qr(wide, false);
}

TEST_F(Qr, ReadsAndWritesAnyStrides) {
  OpTensor self(ACL_FLOAT, {6, 4}, {{1, 8}, 3});
  self.fill_random(5);
  check_qr(self, false, {{1, 7}, 2}, {{9, 2}, 1});
}

TEST_F(Qr, OfAColumnThatIsZeroFromSomewhereOnReflectsNothing) {
  OpTensor self(ACL_FLOAT, {3, 2});
  constexpr int kValues[] = {2, 1, 0, 3, 0, 0};
  self.fill([&](std::int64_t i) { return Real(kValues[i]); });
  const OpTensor q(ACL_FLOAT, {3, 2});
  const OpTensor r(ACL_FLOAT, {2, 2});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnQrGetWorkspaceSize(self.get(), true, q.get(), r.get(), n, e); }, aclnnQr,
          {&self, &q}, r);
  expect_elements(
      r, bytes, [&](std::int64_t i) { return i == 2 ? Number(0) : Number(Real(kValues[i])); }, true);
  expect_elements(
      q, q.download(), [](std::int64_t i) { return Number(Real(i == 0 || i == 3 ? 1 : 0)); }, true);
}

TEST_F(Qr, OfColumnsThatDependOnEachOtherIsFinite) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64}) {
    for (const std::int64_t size : {32, 64}) {
      OpTensor ones(type, {size, size});
      ones.fill([](std::int64_t) { return 1; });
      check_qr(ones, false);
    }
    OpTensor tiny(type, {4, 2});
    const Real least = std::ldexp(Real{1}, type == ACL_DOUBLE ? -1026 : -130);
    tiny.fill([&](std::int64_t i) { return i % 2 ? Real(i) * least : Real(i + 1); });
    check_qr(tiny, true);
  }
}

TEST_F(Qr, OfMatricesWithoutColumnsHasACompleteQ) {
  const OpTensor self(ACL_FLOAT, {2, 3, 0});
  const OpTensor r(ACL_FLOAT, {2, 3, 0});
  const OpTensor q(ACL_FLOAT, {2, 3, 3});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnQrGetWorkspaceSize(self.get(), false, q.get(), r.get(), n, e); },
          aclnnQr, {&self, &r}, q);
  expect_elements(
      q, bytes, [](std::int64_t i) { return Number(Real(i % 9 % 4 == 0 ? 1 : 0)); }, true);
}

TEST_F(Qr, CanLeaveQOut) {
  OpTensor self(ACL_FLOAT, {5, 3});
  self.fill_random(6);
  const OpTensor nothing(ACL_FLOAT, {0});
  const OpTensor q(ACL_FLOAT, {5, 3});
  const OpTensor r(ACL_FLOAT, {3, 3});
  const OpTensor only(ACL_FLOAT, {3, 3});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnLinalgQrGetWorkspaceSize(self.get(), 0, q.get(), r.get(), n, e); },
          aclnnLinalgQr, {&self, &q}, r);
  const auto alone = run(
      [&](auto* n, auto** e) { return aclnnLinalgQrGetWorkspaceSize(self.get(), 2, nothing.get(), only.get(), n, e); },
      aclnnLinalgQr, {&self, &nothing}, only);
  expect_elements(
      only, alone, [&](std::int64_t i) { return r.in(bytes, i); }, true);
}

TEST_F(Qr, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {4, 3});
  const OpTensor q(ACL_FLOAT, {4, 3});
  const OpTensor r(ACL_FLOAT, {3, 3});
  const OpTensor square(ACL_FLOAT, {4, 4});
  const OpTensor vector(ACL_FLOAT, {4});
  const OpTensor whole(ACL_INT32, {4, 3});
  const OpTensor complex(ACL_COMPLEX64, {4, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, std::int64_t mode, aclTensor* first, aclTensor* second) {
    return aclnnLinalgQrGetWorkspaceSize(from, mode, first, second, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, 0, q.get(), r.get()), 161001);
  EXPECT_EQ(plan(self.get(), 0, nullptr, r.get()), 161001);
  EXPECT_EQ(plan(self.get(), 0, q.get(), nullptr), 161001);
  EXPECT_EQ(plan(whole.get(), 0, q.get(), r.get()), 161002);
  EXPECT_EQ(plan(complex.get(), 0, q.get(), r.get()), 161002);
  EXPECT_EQ(plan(vector.get(), 0, q.get(), r.get()), 161002);
  EXPECT_EQ(plan(self.get(), 3, q.get(), r.get()), 161002);
  EXPECT_EQ(plan(self.get(), -1, q.get(), r.get()), 161002);
  EXPECT_EQ(plan(self.get(), 1, q.get(), r.get()), 161002);
  EXPECT_EQ(plan(self.get(), 0, square.get(), r.get()), 161002);
  EXPECT_EQ(plan(self.get(), 0, q.get(), square.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
