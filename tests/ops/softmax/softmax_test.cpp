#include "aclnnop/aclnn_exp.h"
#include "aclnnop/aclnn_logsoftmax.h"
#include "aclnnop/aclnn_logsoftmax_backward.h"
#include "aclnnop/aclnn_softmax.h"
#include "aclnnop/aclnn_softmax_backward.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE};
const Real kInf = std::numeric_limits<Real>::infinity();
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

class Softmax : public OpTest {
 protected:
  /// The results of a row from its elements.
  using OfRow = std::function<std::vector<Real>(const std::vector<Real>&)>;

  static std::vector<Real> softmax(const std::vector<Real>& x) {
    const Real highest = *std::max_element(x.begin(), x.end());
    Real sum = 0;
    std::vector<Real> y;
    for (const Real value : x) sum += std::exp(value - highest);
    for (const Real value : x) y.push_back(std::exp(value - highest) / sum);
    return y;
  }

  static std::vector<Real> log_softmax(const std::vector<Real>& x) {
    const Real highest = *std::max_element(x.begin(), x.end());
    Real sum = 0;
    std::vector<Real> y;
    for (const Real value : x) sum += std::exp(value - highest);
    for (const Real value : x) y.push_back(value - highest - std::log(sum));
    return y;
  }

  /// Results in the order of elements, from rows along a dim.
  static std::vector<Real> by_rows(const Shape& shape, std::int64_t dim, const OfRow& of,
                                   const std::function<Real(std::int64_t)>& element) {
    std::vector<Real> all(static_cast<std::size_t>(count_of(shape)));
    for (const auto& row : Reduced(shape, {dim}).sources()) {
      if (row.empty()) continue;
      std::vector<Real> x;
      for (const std::int64_t i : row) x.push_back(element(i));
      const auto y = of(x);
      for (std::size_t i = 0; i < row.size(); ++i) all[static_cast<std::size_t>(row[i])] = y[i];
    }
    return all;
  }

  static void check(const OpTensor& self, std::int64_t dim, const OpTensor& out) {
    SCOPED_TRACE("dtypes " + std::to_string(self.type()) + " -> " + std::to_string(out.type()) + ", dim " +
                 std::to_string(dim));
    const auto element = [&](std::int64_t i) { return self.before(i).real(); };
    const auto plain =
        run([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(self.get(), dim, out.get(), n, e); },
            aclnnSoftmax, {&self}, out);
    const auto expected = by_rows(self.shape(), dim, softmax, element);
    expect_elements(
        out, plain, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, false);
    const auto logarithm =
        run([&](auto* n, auto** e) { return aclnnLogSoftmaxGetWorkspaceSize(self.get(), dim, out.get(), n, e); },
            aclnnLogSoftmax, {&self}, out);
    const auto expected_log = by_rows(self.shape(), dim, log_softmax, element);
    expect_elements(
        out, logarithm, [&](std::int64_t i) { return expected_log[static_cast<std::size_t>(i)]; }, false);
  }
};

TEST_F(Softmax, OfRowsOfAnyLength) {
  for (const aclDataType type : kTypes) {
    for (const std::int64_t length : {1, 7, 64, 257, 5003}) {
      OpTensor self(type, {3, length});
      check(self.fill_random(1), 1, OpTensor(type, {3, length}));
    }
    OpTensor many(type, {67, 40});
    check(many.fill_random(2), -1, OpTensor(type, {67, 40}));
  }
}

// A thread holds the elements of short rows that consist of vec8s, up to a number of them.
TEST_F(Softmax, OfRowsThatConsistOfVec8s) {
  using Lengths = std::vector<std::int64_t>;
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE}) {
    const bool all = type == ACL_FLOAT;
    for (const std::int64_t length : all ? Lengths{8, 24, 64, 200, 1000, 1024, 1032, 1288} : Lengths{8, 200, 1032}) {
      OpTensor self(type, {3, length});
      check(self.fill_random(8), 1, OpTensor(type, {3, length}));
    }
    for (const std::int64_t length : all ? Lengths{8, 72} : Lengths{72}) {
      OpTensor many(type, {131, length});
      check(many.fill_random(9), 1, OpTensor(type, {131, length}));
    }
    for (const std::int64_t length : all ? Lengths{384, 512} : Lengths{384}) {
      OpTensor groups(type, {64, length}, {{length + 16, 1}, 0});
      check(groups.fill_random(10), 1, OpTensor(type, {64, length}));
    }
    OpTensor late(type, {5, 256}, {{256, 1}, 8});
    check(late.fill_random(11), 1, OpTensor(type, {5, 256}));
    check(late, 1, OpTensor(type, {5, 256}, {{256, 1}, 8}));
    check(late, 1, OpTensor(ACL_FLOAT, {5, 256}));
  }
}

TEST_F(Softmax, AlongAnyDimOfAnyView) {
  for (const aclDataType type : kTypes) {
    OpTensor self(type, {5, 11, 3}, {{1, 5, 60}, 2});
    self.fill_random(3);
    for (const std::int64_t dim : {0, 1, -1}) check(self, dim, OpTensor(type, {5, 11, 3}, {{40, 3, 1}, 1}));
    OpTensor expanded(type, {4, 6}, {{0, 1}, 0});
    check(expanded.fill_random(4), 1, OpTensor(type, {4, 6}));
  }
}

TEST_F(Softmax, IntoAnotherDtypeAndInPlace) {
  OpTensor self(ACL_FLOAT16, {5, 40});
  check(self.fill_random(5), 1, OpTensor(ACL_FLOAT, {5, 40}));
  OpTensor same(ACL_FLOAT, {3, 129});
  same.fill_random(6);
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(same.get(), 1, same.get(), n, e); },
          aclnnSoftmax, {}, same);
  const auto expected = by_rows(same.shape(), 1, softmax, [&](std::int64_t i) { return same.before(i).real(); });
  expect_elements(
      same, bytes, [&](std::int64_t i) { return expected[static_cast<std::size_t>(i)]; }, false);
}

TEST_F(Softmax, OfScalarsAndOfNothing) {
  OpTensor scalar(ACL_FLOAT, {});
  check(scalar.fill_random(7), 0, OpTensor(ACL_FLOAT, {}));
  check(OpTensor(ACL_FLOAT, {3, 0}), 1, OpTensor(ACL_FLOAT, {3, 0}));
  check(OpTensor(ACL_FLOAT, {0, 3}), 1, OpTensor(ACL_FLOAT, {0, 3}));
}

TEST_F(Softmax, OfHugeNumbersAndOfNoNumbers) {
  const Real x[] = {1e4, 1e4, 0, -1e4, -1e4, -1e4, -kInf, 1, 2, -kInf, -kInf, -kInf, kInf, 1, 2, kNan, 1, 2};
  const Real third = Real{1} / 3;
  const Real part = 1 / (1 + std::exp(Real{1}));
  const Real plain[] = {0.5L, 0.5L, 0,    third, third, third, 0,    part, 1 - part,
                        kNan, kNan, kNan, kNan,  kNan,  kNan,  kNan, kNan, kNan};
  for (const aclDataType type : kTypes) {
    OpTensor self(type, {6, 3});
    self.fill([&](std::int64_t i) { return x[i]; });
    const OpTensor out(type, {6, 3});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(self.get(), 1, out.get(), n, e); },
            aclnnSoftmax, {&self}, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return plain[i]; }, false);
  }
}

/// Less than a normal number, where the device has such numbers at all: its exponential shows it.
TEST_F(Softmax, KeepsNumbersThatAreLessThanNormalOnes) {
  for (const aclDataType type : {ACL_FLOAT, ACL_DOUBLE}) {
    const Real low = type == ACL_FLOAT ? -100 : -740;
    for (const std::int64_t columns : {2, 8, 1000}) {
      OpTensor self(type, {columns});
      self.fill([&](std::int64_t i) { return i == 0 ? Real(0) : low - Real(i % 2); });
      const OpTensor powers(type, {columns});
      const auto expected =
          run([&](auto* n, auto** e) { return aclnnExpGetWorkspaceSize(self.get(), powers.get(), n, e); }, aclnnExp,
              {&self}, powers);
      const OpTensor out(type, {columns});
      const auto bytes =
          run([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(self.get(), 0, out.get(), n, e); },
              aclnnSoftmax, {&self}, out);
      for (std::int64_t i = 1; i < columns; ++i) {
        const Real least = powers.in(expected, i).real();
        EXPECT_NEAR(out.in(bytes, i).real(), least, least / 16) << "element " << i << " of " << columns;
      }
    }
  }
}

TEST_F(Softmax, OfHugeNumbersAndOfNoNumbersAmongVec8s) {
  const Real x[] = {1e4, 1e4, 0, -1e4, -1e4, -1e4, -kInf, 1, 2, -kInf, -kInf, -kInf, kInf, 1, 2, kNan, 1, 2};
  const auto element = [&](std::int64_t i) { return i % 8 < 3 ? x[i / 8 * 3 + i % 8] : -kInf; };
  for (const aclDataType type : kTypes) {
    OpTensor self(type, {6, 8});
    self.fill(element);
    const OpTensor out(type, {6, 8});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnSoftmaxGetWorkspaceSize(self.get(), 1, out.get(), n, e); },
            aclnnSoftmax, {&self}, out);
    const auto expected = by_rows({6, 8}, 1, softmax, element);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return i < 24 ? expected[static_cast<std::size_t>(i)] : kNan; }, false);
  }
}

TEST_F(Softmax, HasGradients) {
  for (const aclDataType type : kTypes) {
    for (const std::int64_t dim : {0, 1}) {
      OpTensor gradient(type, {19, 23});
      OpTensor result(type, {19, 23});
      gradient.fill_random(8);
      const auto fill = [&](Real offset) {
        result.fill([&](std::int64_t i) { return Real(i % 17 + 1) / 64 + offset; });
      };
      const OpTensor out(type, {19, 23});
      const auto expected = [&](bool log) {
        std::vector<Real> all(19 * 23);
        for (const auto& row : Reduced({19, 23}, {dim}).sources()) {
          Real sum = 0;
          for (const auto i : row) sum += gradient.before(i).real() * (log ? 1 : result.before(i).real());
          for (const auto i : row) {
            const Real g = gradient.before(i).real();
            const Real y = result.before(i).real();
            all[static_cast<std::size_t>(i)] = log ? g - std::exp(y) * sum : (g - sum) * y;
          }
        }
        return [all](std::int64_t i) -> Number { return all[static_cast<std::size_t>(i)]; };
      };
      fill(0);
      const auto plain = run(
          [&](auto* n, auto** e) {
            return aclnnSoftmaxBackwardGetWorkspaceSize(gradient.get(), result.get(), dim, out.get(), n, e);
          },
          aclnnSoftmaxBackward, {&gradient, &result}, out);
      expect_elements(out, plain, expected(false), false);
      fill(-3);
      const auto logarithm = run(
          [&](auto* n, auto** e) {
            return aclnnLogSoftmaxBackwardGetWorkspaceSize(gradient.get(), result.get(), dim, out.get(), n, e);
          },
          aclnnLogSoftmaxBackward, {&gradient, &result}, out);
      expect_elements(out, logarithm, expected(true), false);
    }
  }
}

TEST_F(Softmax, RefusesWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {3, 7});
  const OpTensor whole(ACL_INT32, {3, 7});
  const OpTensor out(ACL_FLOAT, {7, 3});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(aclnnSoftmaxGetWorkspaceSize(nullptr, 1, self.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnSoftmaxGetWorkspaceSize(self.get(), 1, nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnSoftmaxGetWorkspaceSize(whole.get(), 1, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnSoftmaxGetWorkspaceSize(self.get(), 1, whole.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnSoftmaxGetWorkspaceSize(self.get(), 1, out.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnSoftmaxGetWorkspaceSize(self.get(), 2, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnLogSoftmaxGetWorkspaceSize(self.get(), -3, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnSoftmaxBackwardGetWorkspaceSize(self.get(), out.get(), 1, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnSoftmaxBackwardGetWorkspaceSize(self.get(), nullptr, 1, self.get(), &n, &e), 161001);
}

}  // namespace
}  // namespace aclvk::test
