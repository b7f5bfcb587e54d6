#include "aclnnop/aclnn_cummax.h"
#include "aclnnop/aclnn_cummin.h"
#include "aclnnop/aclnn_cumprod.h"
#include "aclnnop/aclnn_cumsum.h"
#include "support/reduced.hpp"

namespace aclvk::test {
namespace {

const Real kNan = std::numeric_limits<Real>::quiet_NaN();

class Scans : public OpTest {
 protected:
  /// The results along a row from its elements.
  using OfRow = std::function<std::vector<Number>(const std::vector<Number>&)>;

  static std::function<Number(std::int64_t)> by_rows(const OpTensor& self, std::int64_t dim, aclDataType type,
                                                     const OfRow& of) {
    std::vector<Number> all(static_cast<std::size_t>(self.count()));
    for (const auto& row : Reduced(self.shape(), {dim}).sources()) {
      std::vector<Number> x;
      for (const std::int64_t i : row) x.push_back(is_integer(type) ? self.before(i) : rounded(self.before(i), type));
      const auto y = of(x);
      for (std::size_t i = 0; i < row.size(); ++i) all[static_cast<std::size_t>(row[i])] = rounded(y[i], type);
    }
    return [all](std::int64_t i) { return all[static_cast<std::size_t>(i)]; };
  }

  static std::vector<Number> sums(const std::vector<Number>& x, bool exclusive, bool reverse) {
    std::vector<Number> y(x.size());
    Number sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const std::size_t at = reverse ? x.size() - 1 - i : i;
      const Number before = sum;
      sum += x[at];
      y[at] = exclusive ? before : sum;
    }
    return y;
  }

  static void check_sum(const OpTensor& self, std::int64_t dim, const OpTensor& out) {
    SCOPED_TRACE("dtypes " + std::to_string(self.type()) + " -> " + std::to_string(out.type()));
    const auto bytes = run(
        [&](auto* n, auto** e) { return aclnnCumsumGetWorkspaceSize(self.get(), dim, out.type(), out.get(), n, e); },
        aclnnCumsum, {&self}, out);
    expect_elements(out, bytes, by_rows(self, dim, out.type(), [](const auto& x) { return sums(x, false, false); }),
                    is_integer(out.type()));
  }
};

TEST_F(Scans, SumAlongAnyDim) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16,
                                 ACL_INT8, ACL_UINT8, ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor self(type, {5, 11, 13}, {{1, 70, 5}, 2});
    check_sum(self.fill_random(1), 1, OpTensor(type, {5, 11, 13}));
    OpTensor row(type, {3, 40});
    check_sum(row.fill_random(2), -1, OpTensor(type, {3, 40}, {{43, 1}, 3}));
  }
}

TEST_F(Scans, SumRowsOfVec8s) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT16}) {
    for (const std::int64_t offset : {0, 8, 5}) {
      OpTensor self(type, {5, 144}, {{160, 1}, offset});
      check_sum(self.fill_random(7), 1, OpTensor(type, {5, 144}, {{160, 1}, offset}));
      check_sum(self, 1, OpTensor(type, {5, 144}));
    }
  }
}

TEST_F(Scans, SumInAnotherDtype) {
  OpTensor truths(ACL_BOOL, {91});
  check_sum(truths.fill_random(3), 0, OpTensor(ACL_INT64, {91}));
  OpTensor bytes(ACL_INT8, {91});
  check_sum(bytes.fill_random(4), 0, OpTensor(ACL_FLOAT, {91}));
}

TEST_F(Scans, SumLongRowsInChunks) {
  OpTensor self(ACL_FLOAT, {2, 30011});
  self.fill([](std::int64_t i) { return Real(i % 5) / 4; });
  check_sum(self, 1, OpTensor(ACL_FLOAT, {2, 30011}));
  OpTensor tall(ACL_INT32, {5003, 3});
  check_sum(tall.fill_random(5), 0, OpTensor(ACL_INT32, {5003, 3}));
}

// Some drivers end a thread's loops after 65535 iterations (shaders/common/bounded_loop.glsl).
TEST_F(Scans, SumMoreElementsThanALoopHasIterations) {
  // So many rows that they would stay whole, and fewer whose chunks would be longer than a loop.
  for (const Shape& shape : {Shape{66003, 67}, Shape{150001, 61}}) {
    OpTensor self(ACL_INT32, shape);
    self.fill([&](std::int64_t i) { return Real(i / shape[1] % 3 + 1); });
    const OpTensor out(ACL_INT32, shape);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnCumsumGetWorkspaceSize(self.get(), 0, ACL_INT32, out.get(), n, e); },
            aclnnCumsum, {&self}, out);
    const auto sum = [&](std::int64_t i) {
      const std::int64_t count = i / shape[1] + 1;
      return Number(Real(count / 3 * 6 + (count % 3 == 2 ? 3 : count % 3)));
    };
    expect_elements(out, bytes, sum, true);
  }
}

TEST_F(Scans, SumExclusivelyAndFromTheEnd) {
  for (const std::int64_t length : {17, 8011}) {
    OpTensor self(ACL_INT32, {3, length});
    self.fill_random(6);
    const OpTensor out(ACL_INT32, {3, length});
    for (const bool exclusive : {false, true}) {
      for (const bool reverse : {false, true}) {
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnCumsumV2GetWorkspaceSize(self.get(), 1, exclusive, reverse, out.get(), n, e);
            },
            aclnnCumsumV2, {&self}, out);
        expect_elements(out, bytes,
                        by_rows(self, 1, ACL_INT32, [&](const auto& x) { return sums(x, exclusive, reverse); }), true);
      }
    }
  }
}

TEST_F(Scans, Multiply) {
  const OfRow products = [](const std::vector<Number>& x) {
    std::vector<Number> y;
    Number product = 1;
    for (const Number value : x) y.push_back(product *= value);
    return y;
  };
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT8, ACL_UINT16, ACL_UINT64}) {
    OpTensor self(type, {4, 9});
    self.fill([&](std::int64_t i) { return is_integer(type) ? Real(i % 2 + 1) : Real(i % 5 + 6) / 8; });
    const OpTensor out(type, {4, 9});
    const OpScalar dim(ACL_INT64, 1);
    const auto bytes = run(
        [&](auto* n, auto** e) { return aclnnCumprodGetWorkspaceSize(self.get(), dim.get(), type, out.get(), n, e); },
        aclnnCumprod, {&self}, out);
    expect_elements(out, bytes, by_rows(self, 1, type, products), is_integer(type));
    const OpScalar first(ACL_INT32, -2);
    const auto in_place =
        run([&](auto* n, auto** e) { return aclnnInplaceCumprodGetWorkspaceSize(self.get(), first.get(), n, e); },
            aclnnInplaceCumprod, {}, self);
    expect_elements(self, in_place, by_rows(self, 0, type, products), is_integer(type));
  }
}

TEST_F(Scans, FindExtremesSoFar) {
  const auto check = [](const OpTensor& self, std::int64_t dim, bool highest, aclDataType index_type) {
    SCOPED_TRACE("dtype " + std::to_string(self.type()));
    const auto places = [&](const std::vector<Number>& x) {
      std::vector<Number> y;
      std::size_t best = 0;
      for (std::size_t i = 0; i < x.size(); ++i) {
        const Real value = x[i].real();
        const Real old = x[best].real();
        if (std::isnan(value) || (!std::isnan(old) && (highest ? value >= old : value <= old))) best = i;
        y.push_back(static_cast<Real>(best));
      }
      return y;
    };
    const auto values = [&](const std::vector<Number>& x) {
      std::vector<Number> y;
      for (const Number place : places(x)) y.push_back(x[static_cast<std::size_t>(place.real())]);
      return y;
    };
    const OpTensor out(self.type(), self.shape());
    const OpTensor indices(index_type, self.shape());
    const auto bytes = run(
        [&](auto* n, auto** e) {
          const auto plan = highest ? aclnnCummaxGetWorkspaceSize : aclnnCumminGetWorkspaceSize;
          return plan(self.get(), dim, out.get(), indices.get(), n, e);
        },
        highest ? aclnnCummax : aclnnCummin, {&self, &indices}, out);
    expect_elements(out, bytes, by_rows(self, dim, self.type(), values), true);
    const auto where = indices.download();
    EXPECT_TRUE(indices.only_elements_changed(where));
    std::vector<Number> all(static_cast<std::size_t>(self.count()));
    for (const auto& row : Reduced(self.shape(), {dim}).sources()) {
      std::vector<Number> x;
      for (const std::int64_t i : row) x.push_back(self.before(i));
      const auto y = places(x);
      for (std::size_t i = 0; i < row.size(); ++i) all[static_cast<std::size_t>(row[i])] = y[i];
    }
    expect_elements(
        indices, where, [&](std::int64_t i) { return all[static_cast<std::size_t>(i)]; }, true);
  };
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT16, ACL_INT8, ACL_UINT8, ACL_BOOL}) {
    OpTensor self(type, {7, 31});
    self.fill_random(7);
    check(self, 1, true, ACL_INT64);
    check(self, 0, false, ACL_INT32);
  }
  const Real x[] = {1, 3, 3, kNan, 2, kNan, 5, 1};
  OpTensor self(ACL_FLOAT, {8});
  self.fill([&](std::int64_t i) { return x[i]; });
  check(self, 0, true, ACL_INT64);
  check(self, 0, false, ACL_INT64);
  OpTensor longer(ACL_FLOAT, {5003});
  longer.fill([](std::int64_t i) { return Real(i * 37 % 4001); });
  check(longer, 0, true, ACL_INT64);
}

TEST_F(Scans, OfScalarsAndOfNothing) {
  OpTensor scalar(ACL_FLOAT, {});
  check_sum(scalar.fill_random(8), 0, OpTensor(ACL_FLOAT, {}));
  check_sum(OpTensor(ACL_FLOAT, {3, 0}), 1, OpTensor(ACL_FLOAT, {3, 0}));
}

TEST_F(Scans, RefuseWhatDoesNotFit) {
  const OpTensor self(ACL_FLOAT, {3, 7});
  const OpTensor half(ACL_COMPLEX32, {3, 7});
  const OpTensor other(ACL_FLOAT, {7, 3});
  const OpTensor places(ACL_INT64, {3, 7});
  const OpScalar real(ACL_FLOAT, 1);
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  EXPECT_EQ(aclnnCumsumGetWorkspaceSize(nullptr, 0, ACL_FLOAT, self.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnCumsumGetWorkspaceSize(self.get(), 0, ACL_FLOAT, nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnCumsumGetWorkspaceSize(half.get(), 0, ACL_FLOAT, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnCumsumGetWorkspaceSize(self.get(), 0, ACL_INT32, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnCumsumGetWorkspaceSize(self.get(), 2, ACL_FLOAT, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnCumsumGetWorkspaceSize(self.get(), 0, ACL_FLOAT, other.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnCumprodGetWorkspaceSize(self.get(), nullptr, ACL_FLOAT, self.get(), &n, &e), 161001);
  EXPECT_EQ(aclnnCumprodGetWorkspaceSize(self.get(), real.get(), ACL_FLOAT, self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnCummaxGetWorkspaceSize(self.get(), 0, self.get(), nullptr, &n, &e), 161001);
  EXPECT_EQ(aclnnCummaxGetWorkspaceSize(self.get(), 0, self.get(), self.get(), &n, &e), 161002);
  EXPECT_EQ(aclnnCummaxGetWorkspaceSize(self.get(), -3, self.get(), places.get(), &n, &e), 161002);
}

}  // namespace
}  // namespace aclvk::test
