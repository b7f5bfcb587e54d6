#include "aclnnop/aclnn_batch_matmul.h"
#include "aclnnop/aclnn_dot.h"
#include "aclnnop/aclnn_ger.h"
#include "aclnnop/aclnn_matmul.h"
#include "aclnnop/aclnn_mm.h"
#include "aclnnop/aclnn_mv.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

class Matmul : public OpTest {
 protected:
  /// How a matrix lies in memory.
  enum class Lies { kRows, kColumns, kSpacedRows, kSpacedColumns };

  static View view_of(Lies lies, const Shape& shape) {
    switch (lies) {
      case Lies::kColumns: return spaced_columns(shape, 0, 0);
      case Lies::kSpacedRows: return spaced_rows(shape, 3, 5);
      case Lies::kSpacedColumns: return spaced_columns(shape, 3, 5);
      default: return {};
    }
  }

  /// aclnnMatmul of tensors that have at least two dims.
  static void check_matmul(const OpTensor& self, const OpTensor& mat2, const OpTensor& out) {
    SCOPED_TRACE(testing::Message() << "dtypes " << self.type() << ", " << mat2.type() << " and " << out.type());
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnMatmulGetWorkspaceSize(self.get(), mat2.get(), out.get(), 0, n, e); },
            aclnnMatmul, {&self, &mat2}, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) { return held(exact_product({self}, {mat2}, coordinates_of(i, out.shape())), out.type()); },
        true);
  }

  static void check_sizes(aclDataType type, std::int64_t m, std::int64_t k, std::int64_t n, Lies first = Lies::kRows,
                          Lies second = Lies::kRows, Lies result = Lies::kRows) {
    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n);
    OpTensor self(type, {m, k}, view_of(first, {m, k}));
    OpTensor mat2(type, {k, n}, view_of(second, {k, n}));
    fill_eighths(self, 7);
    fill_eighths(mat2, 11);
    check_matmul(self, mat2, OpTensor(type, {m, n}, view_of(result, {m, n})));
  }

  static void check_batches(const Shape& first, const Shape& second, const Shape& result, const View& view = {}) {
    OpTensor self(ACL_FLOAT, first, view);
    OpTensor mat2(ACL_FLOAT, second);
    fill_eighths(self, 7);
    fill_eighths(mat2, 11);
    check_matmul(self, mat2, OpTensor(ACL_FLOAT, result));
  }
};

TEST_F(Matmul, MultipliesMatricesOfPrimeSizes) {
  for (const aclDataType type : kFloats) {
    check_sizes(type, 17, 31, 23);
    check_sizes(type, 67, 13, 5);
    check_sizes(type, 3, 101, 131);
    check_sizes(type, 1, 1, 1);
  }
}

TEST_F(Matmul, MultipliesMatricesOfWholeVec8s) {
  for (const aclDataType type : kFloats) {
    check_sizes(type, 64, 64, 64);
    check_sizes(type, 40, 24, 72);
    check_sizes(type, 19, 16, 136);
  }
}

TEST_F(Matmul, MatricesMayLieInAnyWay) {
  constexpr Lies kAll[] = {Lies::kRows, Lies::kColumns, Lies::kSpacedRows, Lies::kSpacedColumns};
  for (const aclDataType type : {ACL_FLOAT, ACL_BF16}) {
    for (const Lies first : kAll) {
      for (const Lies second : kAll) check_sizes(type, 24, 40, 16, first, second);
    }
    for (const Lies result : kAll) check_sizes(type, 21, 40, 16, Lies::kRows, Lies::kColumns, result);
  }
}

TEST_F(Matmul, MultipliesFewRowsAndFewColumns) {
  for (const aclDataType type : kFloats) {
    for (const std::int64_t few : {1, 2, 3, 5, 8, 11}) {
      check_sizes(type, few, 192, 136);
      check_sizes(type, few, 192, 136, Lies::kRows, Lies::kColumns);
      check_sizes(type, few, 131, 67, Lies::kRows, Lies::kColumns);
      check_sizes(type, 136, 192, few);
      check_sizes(type, 136, 192, few, Lies::kRows, Lies::kColumns);
    }
  }
}

TEST_F(Matmul, SumsAnyDepth) {
  const std::int64_t depth = 600011;
  OpTensor self(ACL_FLOAT, {1, depth});
  OpTensor mat2(ACL_FLOAT, {depth, 2});
  self.fill([](std::int64_t i) { return Real(i % 3); });
  mat2.fill([](std::int64_t i) { return Real(i % 2); });
  check_matmul(self, mat2, OpTensor(ACL_FLOAT, {1, 2}));
}

TEST_F(Matmul, SumsInFloat) {
  // In float16 a sum of 1s would stop at 2048.
  OpTensor self(ACL_FLOAT16, {2, 4096});
  OpTensor mat2(ACL_FLOAT16, {4096, 3});
  self.fill([](std::int64_t) { return 1; });
  mat2.fill([](std::int64_t) { return 1; });
  check_matmul(self, mat2, OpTensor(ACL_FLOAT16, {2, 3}));
}

TEST_F(Matmul, IsAccurateForAnyNumbers) {
  OpTensor self(ACL_FLOAT, {37, 509});
  OpTensor mat2(ACL_FLOAT, {509, 41});
  self.fill_random(3);
  mat2.fill([](std::int64_t i) { return Real(1) / (3 + i % 101); });
  const OpTensor out(ACL_FLOAT, {37, 41});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnMmGetWorkspaceSize(self.get(), mat2.get(), out.get(), 0, n, e); },
          aclnnMm, {&self, &mat2}, out);
  expect_elements(
      out, bytes, [&](std::int64_t i) { return exact_product({self}, {mat2}, coordinates_of(i, out.shape())); }, false);
}

TEST_F(Matmul, Promotes) {
  OpTensor halves(ACL_FLOAT16, {9, 16});
  OpTensor brains(ACL_BF16, {16, 8});
  OpTensor floats(ACL_FLOAT, {16, 8});
  fill_eighths(halves, 1);
  fill_eighths(brains, 2);
  fill_eighths(floats, 3);
  check_matmul(halves, brains, OpTensor(ACL_FLOAT, {9, 8}));
  check_matmul(halves, floats, OpTensor(ACL_FLOAT, {9, 8}));
  check_matmul(halves, floats, OpTensor(ACL_FLOAT16, {9, 8}));
}

TEST_F(Matmul, BatchesBroadcast) {
  check_batches({3, 5, 7}, {3, 7, 11}, {3, 5, 11});
  check_batches({3, 5, 7}, {7, 11}, {3, 5, 11});
  check_batches({5, 7}, {3, 7, 11}, {3, 5, 11});
  check_batches({2, 1, 5, 7}, {3, 7, 11}, {2, 3, 5, 11});
  check_batches({2, 3, 1, 5, 8}, {1, 3, 2, 8, 16}, {2, 3, 2, 5, 16});
  check_batches({4, 16, 8}, {8, 24}, {4, 16, 24});
  check_batches({3, 5, 7}, {3, 7, 11}, {3, 5, 11}, {{2, 6, 42}, 3});  // dims in another order
  check_batches({3, 5, 7}, {7, 11}, {3, 5, 11}, {{0, 7, 1}, 0});      // one matrix, three times
}

TEST_F(Matmul, NanAndInfinityReachTheirRowsAndColumns) {
  OpTensor self(ACL_FLOAT, {3, 5});
  OpTensor mat2(ACL_FLOAT, {5, 9});
  self.fill([](std::int64_t i) -> Number { return i == 6 ? std::numeric_limits<Real>::quiet_NaN() : Real(1); });
  mat2.fill([](std::int64_t i) -> Number { return i == 4 ? std::numeric_limits<Real>::infinity() : Real(2); });
  check_matmul(self, mat2, OpTensor(ACL_FLOAT, {3, 9}));
}

TEST_F(Matmul, NothingToSumUpGivesZero) {
  check_sizes(ACL_FLOAT, 5, 0, 3);
  check_sizes(ACL_FLOAT16, 16, 0, 8);
  check_sizes(ACL_FLOAT, 0, 4, 3);
  check_sizes(ACL_FLOAT, 5, 4, 0);
  check_batches({0, 5, 7}, {7, 11}, {0, 5, 11});
}

TEST_F(Matmul, VectorsAreRowsAndColumns) {
  OpTensor vector(ACL_FLOAT, {7}, {{3}, 2});
  OpTensor matrices(ACL_FLOAT, {2, 5, 7});
  OpTensor others(ACL_FLOAT, {2, 7, 3});
  fill_eighths(vector, 1);
  fill_eighths(matrices, 2);
  fill_eighths(others, 3);
  const auto check = [&](const OpTensor& self, const OpTensor& mat2, const Shape& shape,
                         const std::function<Number(const Shape&, std::int64_t)>& term) {
    const OpTensor out(ACL_FLOAT, shape);
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnMatmulGetWorkspaceSize(self.get(), mat2.get(), out.get(), 0, n, e); },
            aclnnMatmul, {&self, &mat2}, out);
    const auto expected = [&](std::int64_t i) {
      Number sum = 0;
      for (std::int64_t k = 0; k < 7; ++k) sum += term(coordinates_of(i, shape), k);
      return sum;
    };
    expect_elements(out, bytes, expected, true);
  };
  check(matrices, vector, {2, 5}, [&](const Shape& at, std::int64_t k) {
    return matrices.before(element_at({at[0], at[1], k}, {2, 5, 7})) * vector.before(k);
  });
  check(vector, others, {2, 3}, [&](const Shape& at, std::int64_t k) {
    return vector.before(k) * others.before(element_at({at[0], k, at[1]}, {2, 7, 3}));
  });
  check(vector, vector, {}, [&](const Shape&, std::int64_t k) { return vector.before(k) * vector.before(k); });
}

TEST_F(Matmul, MvMultipliesAMatrixAndAVector) {
  for (const aclDataType type : kFloats) {
    for (const auto& [m, k] : {std::pair<std::int64_t, std::int64_t>{67, 131}, {64, 256}, {5, 0}}) {
      OpTensor self(type, {m, k});
      OpTensor vec(type, {k});
      fill_eighths(self, 1);
      fill_eighths(vec, 2);
      const OpTensor out(type, {m});
      const auto bytes =
          run([&](auto* n, auto** e) { return aclnnMvGetWorkspaceSize(self.get(), vec.get(), out.get(), 0, n, e); },
              aclnnMv, {&self, &vec}, out);
      const auto expected = [&](std::int64_t row) {
        Number sum = 0;
        for (std::int64_t i = 0; i < self.shape()[1]; ++i)
          sum += self.before(row * self.shape()[1] + i) * vec.before(i);
        return held(sum, type);
      };
      expect_elements(out, bytes, expected, true);
    }
  }
}

TEST_F(Matmul, DotMultipliesTwoVectors) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT8, ACL_INT32, ACL_UINT8}) {
    for (const std::int64_t k : {0, 1, 131, 1024}) {
      OpTensor self(type, {k}, {{2}, 1});
      OpTensor tensor(type, {k});
      fill_eighths(self, 1);
      fill_eighths(tensor, 2);
      const OpTensor out(type, {});
      const auto bytes =
          run([&](auto* n, auto** e) { return aclnnDotGetWorkspaceSize(self.get(), tensor.get(), out.get(), n, e); },
              aclnnDot, {&self, &tensor}, out);
      Number sum = 0;
      for (std::int64_t i = 0; i < k; ++i) sum += self.before(i) * tensor.before(i);
      expect_elements(
          out, bytes, [&](std::int64_t) { return held(sum, type); }, true);
    }
  }
}

TEST_F(Matmul, GerMultipliesEachWithEach) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_DOUBLE, ACL_BF16, ACL_INT8, ACL_INT16, ACL_INT32,
                                 ACL_INT64, ACL_UINT8, ACL_BOOL, ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor self(type, {13}, {{2}, 1});
    OpTensor vec2(type, {17});
    self.fill_random(1);
    vec2.fill_random(2);
    const OpTensor out(type, {13, 17});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnGerGetWorkspaceSize(self.get(), vec2.get(), out.get(), n, e); },
            aclnnGer, {&self, &vec2}, out);
    const auto expected = [&](std::int64_t i) { return held(self.before(i / 17) * vec2.before(i % 17), type); };
    expect_elements(out, bytes, expected, is_integer(type));
  }
}

class MatmulRefuses : public Matmul {
 protected:
  static uint64_t size;
  static aclOpExecutor* executor;

  static aclnnStatus matmul(const OpTensor* self, const OpTensor* mat2, const OpTensor* out, int8_t type = 0) {
    return aclnnMatmulGetWorkspaceSize(self ? self->get() : nullptr, mat2 ? mat2->get() : nullptr,
                                       out ? out->get() : nullptr, type, &size, &executor);
  }
};
uint64_t MatmulRefuses::size = 0;
aclOpExecutor* MatmulRefuses::executor = nullptr;

TEST_F(MatmulRefuses, TensorsThatAreNull) {
  const OpTensor x(ACL_FLOAT, {4, 4});
  const OpTensor out(ACL_FLOAT, {4, 4});
  EXPECT_EQ(matmul(nullptr, &x, &out), 161001);
  EXPECT_EQ(matmul(&x, nullptr, &out), 161001);
  EXPECT_EQ(matmul(&x, &x, nullptr), 161001);
  EXPECT_EQ(aclnnMatmulGetWorkspaceSize(x.get(), x.get(), out.get(), 0, nullptr, &executor), 161001);
  EXPECT_EQ(aclnnMatmulGetWorkspaceSize(x.get(), x.get(), out.get(), 0, &size, nullptr), 161001);
  EXPECT_EQ(matmul(&x, &x, &out), 0);
  aclDestroyAclOpExecutor(executor);
  executor = nullptr;
}

TEST_F(MatmulRefuses, OtherDtypes) {
  const OpTensor x(ACL_FLOAT, {4, 4});
  const OpTensor out(ACL_FLOAT, {4, 4});
  for (const aclDataType type : {ACL_INT32, ACL_DOUBLE, ACL_BOOL, ACL_COMPLEX64}) {
    const OpTensor other(type, {4, 4});
    EXPECT_EQ(matmul(&other, &x, &out), 161002);
    EXPECT_EQ(matmul(&x, &other, &out), 161002);
    EXPECT_EQ(matmul(&x, &x, &other), 161002);
  }
}

TEST_F(MatmulRefuses, ShapesThatDoNotFit) {
  const OpTensor x(ACL_FLOAT, {4, 5});
  const OpTensor y(ACL_FLOAT, {5, 3});
  const OpTensor out(ACL_FLOAT, {4, 3});
  const OpTensor scalar(ACL_FLOAT, {});
  const OpTensor two(ACL_FLOAT, {2, 4, 5});
  const OpTensor three(ACL_FLOAT, {3, 5, 3});
  const OpTensor results(ACL_FLOAT, {3, 4, 3});
  EXPECT_EQ(matmul(&y, &x, &out), 161002);
  EXPECT_EQ(matmul(&x, &y, &x), 161002);
  EXPECT_EQ(matmul(&x, &scalar, &out), 161002);
  EXPECT_EQ(matmul(&two, &three, &results), 161002);
  EXPECT_EQ(aclnnMmGetWorkspaceSize(two.get(), y.get(), results.get(), 0, &size, &executor), 161002);
  EXPECT_EQ(aclnnBatchMatMulGetWorkspaceSize(x.get(), y.get(), out.get(), 0, &size, &executor), 161002);
  EXPECT_EQ(aclnnBatchMatMulGetWorkspaceSize(two.get(), three.get(), results.get(), 0, &size, &executor), 161002);
  EXPECT_EQ(aclnnMvGetWorkspaceSize(x.get(), y.get(), out.get(), 0, &size, &executor), 161002);
  EXPECT_EQ(aclnnDotGetWorkspaceSize(x.get(), x.get(), scalar.get(), &size, &executor), 161002);
  EXPECT_EQ(aclnnGerGetWorkspaceSize(x.get(), x.get(), out.get(), &size, &executor), 161002);
  EXPECT_EQ(executor, nullptr);
}

TEST_F(MatmulRefuses, OtherKindsOfPrecision) {
  const OpTensor x(ACL_FLOAT, {4, 4});
  const OpTensor out(ACL_FLOAT, {4, 4});
  EXPECT_EQ(matmul(&x, &x, &out, -1), 161002);
  EXPECT_EQ(matmul(&x, &x, &out, 5), 161002);
  for (const int8_t type : {0, 1, 2, 3, 4}) {
    EXPECT_EQ(matmul(&x, &x, &out, type), 0);
    aclDestroyAclOpExecutor(executor);
  }
  executor = nullptr;
}

TEST_F(MatmulRefuses, AnOutputThatIsAFactor) {
  const OpTensor x(ACL_FLOAT, {4, 4});
  const OpTensor y(ACL_FLOAT, {4, 4});
  EXPECT_EQ(matmul(&x, &y, &x), 161002);
  EXPECT_EQ(matmul(&x, &y, &y), 161002);
}

TEST_F(Matmul, OneMatrixServesAWholeBatch) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16}) {
    for (const bool first_is_one : {true, false}) {
      OpTensor self(type, {first_is_one ? 1 : 5, 7, 13});
      OpTensor mat2(type, {first_is_one ? 5 : 1, 13, 11}, {{143, 1, 13}});
      fill_eighths(self, 1);
      fill_eighths(mat2, 2);
      const OpTensor out(type, {5, 7, 11});
      const auto bytes =
          run([&](auto* n,
                  auto** e) { return aclnnBatchMatMulGetWorkspaceSize(self.get(), mat2.get(), out.get(), 0, n, e); },
              aclnnBatchMatMul, {&self, &mat2}, out);
      const auto expected = [&](std::int64_t i) {
        const std::int64_t batch = i / 77;
        Real sum = 0;
        for (std::int64_t k = 0; k < 13; ++k) {
          sum += self.before(((first_is_one ? 0 : batch) * 7 + i / 11 % 7) * 13 + k).real() *
                 mat2.before(((first_is_one ? batch : 0) * 13 + k) * 11 + i % 11).real();
        }
        return rounded(sum, type);
      };
      expect_elements(out, bytes, expected, false);
    }
  }
}

}  // namespace
}  // namespace aclvk::test
