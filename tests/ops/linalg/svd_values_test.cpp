#include <algorithm>
#include <random>

#include "aclnnop/aclnn_svd.h"
#include "ops/linalg/host_matrix.hpp"

namespace aclvk::test {
namespace {

using Values = std::vector<Real>;

std::vector<Real> random_direction(std::int64_t size, std::mt19937& random) {
  std::normal_distribution<double> normal;
  std::vector<Real> direction(static_cast<std::size_t>(size));
  Real squares = 0;
  for (Real& x : direction) {
    x = normal(random);
    squares += x * x;
  }
  for (Real& x : direction) x /= std::sqrt(squares);
  return direction;
}

/// Real matrices in rows.
struct Rows {
  std::int64_t rows;
  std::int64_t columns;
  std::vector<Real> elements;

  Rows(std::int64_t r, std::int64_t c) : rows(r), columns(c), elements(static_cast<std::size_t>(r * c)) {}
  Real& at(std::int64_t row, std::int64_t column) { return elements[static_cast<std::size_t>(row * columns + column)]; }
  Real at(std::int64_t row, std::int64_t column) const {
    return elements[static_cast<std::size_t>(row * columns + column)];
  }
  /// From the left by a reflection.
  void reflect(const std::vector<Real>& direction) {
    std::vector<Real> along(static_cast<std::size_t>(columns));
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) {
        along[static_cast<std::size_t>(j)] += direction[static_cast<std::size_t>(i)] * at(i, j);
      }
    }
    for (std::int64_t i = 0; i < rows; ++i) {
      const Real twice = 2 * direction[static_cast<std::size_t>(i)];
      for (std::int64_t j = 0; j < columns; ++j) at(i, j) -= twice * along[static_cast<std::size_t>(j)];
    }
  }
  Rows transposed() const {
    Rows result(columns, rows);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t j = 0; j < columns; ++j) result.at(j, i) = at(i, j);
    }
    return result;
  }
};

/// A matrix with these singular values, between orthogonal matrices.
Rows with_values(std::int64_t rows, std::int64_t columns, const Values& values, std::mt19937& random) {
  constexpr int kReflections = 3;
  Rows matrix(rows, columns);
  for (std::size_t i = 0; i < values.size(); ++i) {
    matrix.at(static_cast<std::int64_t>(i), static_cast<std::int64_t>(i)) = values[i];
  }
  for (int i = 0; i < kReflections; ++i) matrix.reflect(random_direction(rows, random));
  matrix = matrix.transposed();
  for (int i = 0; i < kReflections; ++i) matrix.reflect(random_direction(columns, random));
  return matrix.transposed();
}

/// Makes two rows orthogonal; whether they were not.
bool rotate_rows(Rows& x, std::int64_t p, std::int64_t q) {
  Real p_square = 0;
  Real q_square = 0;
  Real along = 0;
  for (std::int64_t i = 0; i < x.columns; ++i) {
    p_square += x.at(p, i) * x.at(p, i);
    q_square += x.at(q, i) * x.at(q, i);
    along += x.at(p, i) * x.at(q, i);
  }
  if (std::abs(along) <= 1e-15L * std::sqrt(p_square * q_square)) return false;
  const Real angle = std::atan2(2 * along, p_square - q_square) / 2;
  for (std::int64_t i = 0; i < x.columns; ++i) {
    const Real one = x.at(p, i);
    const Real other = x.at(q, i);
    x.at(p, i) = std::cos(angle) * one + std::sin(angle) * other;
    x.at(q, i) = std::cos(angle) * other - std::sin(angle) * one;
  }
  return true;
}

/// By rotations of rows or columns, the shorter side, until all of them are orthogonal.
Values values_of(const HostMatrix& given) {
  Rows x(given.rows(), given.columns());
  for (std::int64_t i = 0; i < x.rows; ++i) {
    for (std::int64_t j = 0; j < x.columns; ++j) x.at(i, j) = given.at(i, j).real();
  }
  if (x.rows > x.columns) x = x.transposed();
  for (bool rotates = true; rotates;) {
    rotates = false;
    for (std::int64_t p = 0; p < x.rows; ++p) {
      for (std::int64_t q = p + 1; q < x.rows; ++q) rotates = rotate_rows(x, p, q) || rotates;
    }
  }
  Values values;
  for (std::int64_t i = 0; i < x.rows; ++i) {
    Real squares = 0;
    for (std::int64_t j = 0; j < x.columns; ++j) squares += x.at(i, j) * x.at(i, j);
    values.push_back(std::sqrt(squares));
  }
  std::sort(values.begin(), values.end(), std::greater<>());
  return values;
}

class SvdValues : public OpTest {
 protected:
  static std::vector<std::byte> run_values(const OpTensor& self, const OpTensor& sigma) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnSvdGetWorkspaceSize(self.get(), false, false, sigma.get(), nullptr, nullptr, n, e);
        },
        aclnnSvd, {&self}, sigma);
  }

  /// `expected` has those of all matrices. Within some rounding errors of the largest number of a matrix.
  static void check_values(const OpTensor& self, const Values& expected, const View& view = {}) {
    const std::int64_t rows = self.shape()[self.shape().size() - 2];
    const std::int64_t columns = self.shape().back();
    SCOPED_TRACE(testing::Message() << rows << " x " << columns << ", dtype " << self.type());
    Shape shape(self.shape().begin(), self.shape().end() - 2);
    shape.push_back(std::min(rows, columns));
    const OpTensor sigma(self.type(), shape, view);
    const auto bytes = run_values(self, sigma);
    const Real rounding = self.type() == ACL_DOUBLE ? 0x1p-52L : 0x1p-23L;
    ASSERT_EQ(sigma.count(), static_cast<std::int64_t>(expected.size()));
    for (std::int64_t i = 0; i < sigma.count(); ++i) {
      const std::int64_t first = i - i % shape.back();
      const Real largest = expected[static_cast<std::size_t>(first)];
      const Real limit = rounding * largest * static_cast<Real>(std::min(rows, columns));
      const Real got = sigma.in(bytes, i).real();
      ASSERT_LE(std::abs(got - expected[static_cast<std::size_t>(i)]), limit)
          << "value " << i << " is " << static_cast<double>(got) << " where "
          << static_cast<double>(expected[static_cast<std::size_t>(i)]) << " is expected";
      ASSERT_GE(got, 0);
      if (i > first) {
        ASSERT_LE(got, sigma.in(bytes, i - 1).real());
      }
    }
  }

  static void check_random(aclDataType type, const Shape& shape, const View& view = {}, const View& to = {}) {
    OpTensor self(type, shape, view);
    self.fill_random(static_cast<unsigned>(shape.back()));
    check_given(self, to);
  }
  static void check_given(const OpTensor& self, const View& to = {}) {
    Values expected;
    for (std::int64_t i = 0; i < matrices_in(self.shape()); ++i) {
      for (const Real value : values_of(matrix_of(self, i))) expected.push_back(value);
    }
    check_values(self, expected, to);
  }

  /// The values need not be sorted.
  static void check_known(aclDataType type, std::int64_t rows, std::int64_t columns, Values values) {
    std::mt19937 random(static_cast<unsigned>(rows + columns));
    const Rows matrix = with_values(rows, columns, values, random);
    OpTensor self(type, {rows, columns});
    self.fill([&](std::int64_t i) { return matrix.elements[static_cast<std::size_t>(i)]; });
    std::sort(values.begin(), values.end(), std::greater<>());
    check_values(self, values);
  }
  static Values made(std::int64_t count, const std::function<Real(std::int64_t)>& value) {
    Values values;
    for (std::int64_t i = 0; i < count; ++i) values.push_back(value(i));
    return values;
  }
};

TEST_F(SvdValues, AreThoseOfRandomMatrices) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    check_random(type, {65, 65});
    check_random(type, {80, 73});   // nearly a square
    check_random(type, {131, 67});  // tall: R of it
    check_random(type, {66, 150});  // wide
    check_random(type, {3, 71, 67});
    check_random(type, {2, 1, 68, 89});
  }
}

TEST_F(SvdValues, AreReadAndWrittenWithStrides) {
  check_random(ACL_FLOAT, {79, 71}, {{1, 80}, 3}, {{3}, 2, 5});
  check_random(ACL_DOUBLE, {2, 67, 70}, {{5000, 71, 1}, 1}, {{1, 2}, 1, 3});
}

TEST_F(SvdValues, OfProductsOfOrthogonalMatricesAreKnown) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    check_known(type, 97, 97, made(97, [](std::int64_t i) { return Real(i + 1) / 8; }));
    check_known(type, 67, 160, made(67, [](std::int64_t i) { return 1 + std::sin(Real(i)) / 2; }));
  }
  check_known(ACL_FLOAT, 311, 307, made(307, [](std::int64_t i) { return Real(i % 100) / 10 + 1; }));
}

TEST_F(SvdValues, MayBeEqualOrZero) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    check_known(type, 70, 66, Values(66, 3));
    check_known(type, 83, 83, made(83, [](std::int64_t i) { return Real(i % 3); }));
    check_known(type, 67, 101, made(67, [](std::int64_t i) { return Real(i < 5 ? i + 1 : 0); }));
    check_known(type, 66, 66, Values(66, 0));
  }
  OpTensor ones(ACL_FLOAT, {69, 77}, {{0, 0}});
  ones.fill([](std::int64_t) { return 1; });
  Values expected(69, 0);
  expected[0] = std::sqrt(Real(69 * 77));
  check_values(ones, expected);
  OpTensor unit(ACL_FLOAT, {80, 80});
  unit.fill([](std::int64_t i) { return i % 81 == 0 ? -2 : 0; });
  check_values(unit, Values(80, 2));
}

TEST_F(SvdValues, MayBeHugeTinyOrBoth) {
  for (const Real unit : {1e30L, 1e-30L, 1e-37L}) {
    check_known(ACL_FLOAT, 67, 67, made(67, [&](std::int64_t i) { return unit * Real(i + 1); }));
  }
  for (const Real unit : {1e290L, 1e-290L}) {
    check_known(ACL_DOUBLE, 66, 80, made(66, [&](std::int64_t i) { return unit * Real(i + 1); }));
  }
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    check_known(type, 71, 71, made(71, [](std::int64_t i) { return std::exp2(-Real(i)); }));
    for (const bool by_row : {false, true}) {
      OpTensor graded(type, {75, 67});
      graded.fill_random(5);
      std::vector<Number> given;
      for (std::int64_t i = 0; i < graded.count(); ++i) given.push_back(graded.before(i));
      graded.fill([&](std::int64_t i) {
        return given[static_cast<std::size_t>(i)] * std::pow(Real(10), -Real(by_row ? i / 67 : i % 67) / 2);
      });
      check_given(graded);
    }
  }
}

TEST_F(SvdValues, OfNanAreNan) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    for (const Shape& shape : {Shape{2, 67, 70}, Shape{2, 140, 66}}) {
      for (const Real wrong : {std::numeric_limits<Real>::quiet_NaN(), -std::numeric_limits<Real>::infinity()}) {
        OpTensor self(type, shape);
        self.fill([&](std::int64_t i) { return i == 3000 ? wrong : Real(i % 13) - Real(i % 7); });
        const OpTensor sigma(type, {2, std::min(shape[1], shape[2])});
        const auto bytes = run_values(self, sigma);
        for (std::int64_t i = 0; i < sigma.count(); ++i) {
          EXPECT_EQ(std::isnan(sigma.in(bytes, i).real()), i < sigma.shape()[1]);
        }
      }
    }
  }
}

}  // namespace
}  // namespace aclvk::test
