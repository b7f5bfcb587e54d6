#pragma once

#include <functional>
#include <random>
#include <vector>

#include "support/op_arguments.hpp"

namespace aclvk::test {

/// What the gradients of y = (x - mean) * scale * gamma + beta come from, element by element. A row is what a mean
/// belongs to, a column what a gamma belongs to.
struct NormGradientCase {
  using Number = std::function<Real(std::int64_t)>;
  using IndexMap = std::function<std::int64_t(std::int64_t)>;

  std::int64_t count = 0;
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  IndexMap row_of{};
  IndexMap column_of{};
  Number dy{};
  Number x{};
  Number mean{};
  Number scale{};
  Number gamma{};
  bool centered = true;  ///< the mean is that of x
  bool of_batch = true;  ///< mean and scale come from x at all
};

struct Gradients {
  std::vector<Real> dx;
  std::vector<Real> dgamma;
  std::vector<Real> dbeta;
};

/// By the chain rule: an element of x moves its own y, and, through the mean and the deviation, all of its row.
inline Gradients gradients(const NormGradientCase& c) {
  const auto normal = [&](std::int64_t i) { return (c.x(i) - c.mean(c.row_of(i))) * c.scale(c.row_of(i)); };
  const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
  Gradients result{std::vector<Real>(at(c.count)), std::vector<Real>(at(c.columns)), std::vector<Real>(at(c.columns))};
  std::vector<Real> sums(at(c.rows));
  std::vector<Real> products(at(c.rows));
  std::vector<Real> lengths(at(c.rows));
  for (std::int64_t i = 0; i < c.count; ++i) {
    const Real g = c.dy(i) * c.gamma(c.column_of(i));
    sums[at(c.row_of(i))] += g;
    products[at(c.row_of(i))] += g * normal(i);
    lengths[at(c.row_of(i))] += 1;
    result.dgamma[at(c.column_of(i))] += c.dy(i) * normal(i);
    result.dbeta[at(c.column_of(i))] += c.dy(i);
  }
  for (std::int64_t i = 0; i < c.count; ++i) {
    const std::size_t row = at(c.row_of(i));
    Real through = c.centered ? sums[row] : 0;
    through += normal(i) * products[row];
    if (!c.of_batch) through = 0;
    result.dx[at(i)] = c.scale(c.row_of(i)) * (c.dy(i) * c.gamma(c.column_of(i)) - through / lengths[row]);
  }
  return result;
}

/// A device for gradients of norms.
class GradientTest : public OpTest {
 protected:
  /// Numbers as 1 / deviation has them: 0.1 to 1.
  static void fill_scales(OpTensor& tensor, unsigned seed) {
    std::mt19937 random(seed);
    tensor.fill([&](std::int64_t) { return Real(0.1L + static_cast<Real>(random() % 901) / 1000); });
  }

  /// What a result holds that was wanted; nothing has changed otherwise.
  static void expect_result(const OpTensor& out, const std::vector<std::byte>& bytes, const std::vector<Real>& expected,
                            bool wanted) {
    EXPECT_TRUE(out.only_elements_changed(bytes));
    ASSERT_EQ(static_cast<std::size_t>(out.count()), expected.size());
    expect_elements(
        out, bytes,
        [&](std::int64_t i) -> Number { return wanted ? expected[static_cast<std::size_t>(i)] : out.before(i); },
        !wanted);
  }
};

}  // namespace aclvk::test
