#include <limits>

#include "aclnnop/aclnn_logdet.h"
#include "aclnnop/aclnn_slogdet.h"
#include "ops/linalg/host_matrix.hpp"

namespace aclvk::test {
namespace {

/// By elimination, with the largest pivot of a column.
Number determinant_of(HostMatrix matrix) {
  Number determinant = 1;
  for (std::int64_t step = 0; step < matrix.rows(); ++step) {
    std::int64_t best = step;
    for (std::int64_t row = step; row < matrix.rows(); ++row) {
      if (std::abs(matrix.at(row, step)) > std::abs(matrix.at(best, step))) best = row;
    }
    if (matrix.at(best, step) == Number(0)) return 0;
    for (std::int64_t column = 0; column < matrix.columns(); ++column) {
      std::swap(matrix.at(step, column), matrix.at(best, column));
    }
    determinant *= matrix.at(step, step) * Real(best == step ? 1 : -1);
    for (std::int64_t row = step + 1; row < matrix.rows(); ++row) {
      const Number factor = matrix.at(row, step) / matrix.at(step, step);
      for (std::int64_t column = step; column < matrix.columns(); ++column) {
        matrix.at(row, column) -= factor * matrix.at(step, column);
      }
    }
  }
  return determinant;
}

class Determinant : public OpTest {
 protected:
  /// Sign and logarithm of each matrix against those of the host.
  static void check_slogdet(const OpTensor& self, aclDataType log_type) {
    const Shape batch(self.shape().begin(), self.shape().end() - 2);
    const OpTensor sign(self.type(), batch);
    const OpTensor log(log_type, batch);
    const auto logs =
        run([&](auto* n, auto** e) { return aclnnSlogdetGetWorkspaceSize(self.get(), sign.get(), log.get(), n, e); },
            aclnnSlogdet, {&self, &sign}, log);
    const auto signs = sign.download();
    const auto value = [&](std::int64_t i) { return determinant_of(matrix_of(self, i)); };
    expect_elements(
        log, logs, [&](std::int64_t i) { return Number(std::log(std::abs(value(i)))); }, false);
    expect_elements(
        sign, signs, [&](std::int64_t i) { return value(i) == Number(0) ? Number(0) : value(i) / std::abs(value(i)); },
        false);
  }
};

TEST_F(Determinant, HasASignAndALogarithm) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    const aclDataType real = type == ACL_COMPLEX64 ? ACL_FLOAT : type == ACL_COMPLEX128 ? ACL_DOUBLE : type;
    for (const std::int64_t size : {1, 2, 7, 41}) {
      OpTensor self(type, {5, size, size}, size == 7 ? View{{60, 1, 8}, 3} : View{});
      self.fill_random(static_cast<unsigned>(size));
      check_slogdet(self, real);
      check_slogdet(self, type);
    }
  }
}

TEST_F(Determinant, OfASingularMatrixIsZero) {
  OpTensor self(ACL_FLOAT, {3, 3});
  self.fill([](std::int64_t i) { return Real(i % 3); });
  check_slogdet(self, ACL_FLOAT);
}

TEST_F(Determinant, OfLargeMatricesIsMadeInBlocks) {
  for (const Shape& shape : {Shape{3, 96, 96}, Shape{2, 113, 113}, Shape{1, 200, 200}}) {
    OpTensor self(ACL_FLOAT, shape);
    self.fill_random(static_cast<unsigned>(shape[1]));
    check_slogdet(self, ACL_FLOAT);
  }
  OpTensor wide(ACL_DOUBLE, {1, 397, 397}, {{160000, 1, 401}, 3});
  wide.fill_random(8);
  check_slogdet(wide, ACL_DOUBLE);
}

TEST_F(Determinant, OfALargeSingularMatrixIsZero) {
  OpTensor self(ACL_FLOAT, {2, 131, 131});
  // Rank 2, in integers, so that eliminating leaves zeros; the second matrix has one column of zeros.
  self.fill([](std::int64_t i) {
    const std::int64_t row = i / 131 % 131;
    const std::int64_t column = i % 131;
    if (i < 131 * 131) return Real(column % 3 + (row % 2 ? 0 : 1));
    return Real(column == 77 ? 0 : row == column ? 2 : 0);
  });
  check_slogdet(self, ACL_FLOAT);
}

TEST_F(Determinant, OfALargeMatrixWithoutANumberIsNone) {
  OpTensor self(ACL_FLOAT, {127, 127});
  self.fill([](std::int64_t i) {
    return i == 64 * 127 + 70 ? std::numeric_limits<Real>::quiet_NaN() : Real((31 * i * i + 7 * i) % 251) / 64 - 2;
  });
  const OpTensor out(ACL_FLOAT, {});
  const auto bytes = run([&](auto* n, auto** e) { return aclnnLogdetGetWorkspaceSize(self.get(), out.get(), n, e); },
                         aclnnLogdet, {&self}, out);
  EXPECT_TRUE(std::isnan(out.in(bytes, 0).real()));
}

TEST_F(Determinant, OfMatricesWithoutRowsIsOne) {
  const OpTensor self(ACL_FLOAT, {2, 0, 0});
  const OpTensor sign(ACL_FLOAT, {2});
  const OpTensor log(ACL_FLOAT, {2});
  const auto logs =
      run([&](auto* n, auto** e) { return aclnnSlogdetGetWorkspaceSize(self.get(), sign.get(), log.get(), n, e); },
          aclnnSlogdet, {&self, &sign}, log);
  expect_elements(
      log, logs, [](std::int64_t) { return Number(0); }, true);
  expect_elements(
      sign, sign.download(), [](std::int64_t) { return Number(1); }, true);
}

TEST_F(Determinant, OfOneBelowZeroHasNoRealLogarithm) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE, ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor self(type, {8, 5, 5});
    self.fill_random(3);
    const OpTensor out(type, {8});
    const auto bytes = run([&](auto* n, auto** e) { return aclnnLogdetGetWorkspaceSize(self.get(), out.get(), n, e); },
                           aclnnLogdet, {&self}, out);
    const auto expected = [&](std::int64_t i) {
      const Number value = determinant_of(matrix_of(self, i));
      if (is_complex(type)) return std::log(value);
      return value.real() < 0 ? Number(std::nanl("")) : Number(std::log(value.real()));
    };
    expect_elements(out, bytes, expected, false);
  }
}

TEST_F(Determinant, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {2, 3, 3});
  const OpTensor wide(ACL_FLOAT, {2, 3, 4});
  const OpTensor half(ACL_FLOAT16, {2, 3, 3});
  const OpTensor complex(ACL_COMPLEX64, {2, 3, 3});
  const OpTensor out(ACL_FLOAT, {2});
  const OpTensor other(ACL_FLOAT, {3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto logdet = [&](const aclTensor* from, aclTensor* to) {
    return aclnnLogdetGetWorkspaceSize(from, to, &size, &executor);
  };
  EXPECT_EQ(logdet(nullptr, out.get()), 161001);
  EXPECT_EQ(logdet(self.get(), nullptr), 161001);
  EXPECT_EQ(logdet(half.get(), out.get()), 161002);
  EXPECT_EQ(logdet(complex.get(), out.get()), 161002);
  EXPECT_EQ(logdet(wide.get(), out.get()), 161002);
  EXPECT_EQ(logdet(self.get(), other.get()), 161002);
  const auto slogdet = [&](const aclTensor* from, aclTensor* sign, aclTensor* log) {
    return aclnnSlogdetGetWorkspaceSize(from, sign, log, &size, &executor);
  };
  EXPECT_EQ(slogdet(nullptr, out.get(), out.get()), 161001);
  EXPECT_EQ(slogdet(self.get(), nullptr, out.get()), 161001);
  EXPECT_EQ(slogdet(self.get(), out.get(), nullptr), 161001);
  EXPECT_EQ(slogdet(complex.get(), out.get(), out.get()), 161002);
  EXPECT_EQ(slogdet(self.get(), other.get(), out.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
