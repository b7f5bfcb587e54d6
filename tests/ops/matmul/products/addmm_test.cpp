#include "aclnnop/aclnn_addbmm.h"
#include "aclnnop/aclnn_addmm.h"
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_addr.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/level2/aclnn_gemm.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

const std::vector<aclDataType> kFloats = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const std::vector<aclDataType> kNumbers = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32,
                                           ACL_INT64, ACL_INT16,   ACL_INT8, ACL_UINT8};

class AddedProduct : public OpTest {
 protected:
  using Call = std::function<aclnnStatus(aclTensor* out, const aclScalar* beta, const aclScalar* alpha, uint64_t* size,
                                         aclOpExecutor** executor)>;

  /// beta * self + alpha * product(coordinates), self broadcast to `out`. The factors are powers of two: the sum is
  /// exact.
  static void check_added(const Call& call, Launch launch, const OpTensor& self,
                          const std::vector<const OpTensor*>& factors, const OpTensor& out,
                          const std::function<Number(const Shape&)>& product, Real beta = 2, Real alpha = -4) {
    SCOPED_TRACE(testing::Message() << "dtype " << out.type() << ", beta " << double(beta));
    const aclDataType type = is_integer(out.type()) ? ACL_INT64 : ACL_FLOAT;
    const OpScalar beta_scalar(type, beta);
    const OpScalar alpha_scalar(type, alpha);
    std::vector<const OpTensor*> tensors = factors;
    tensors.push_back(&self);
    const auto bytes =
        run([&](auto* n, auto** e) { return call(out.get(), beta_scalar.get(), alpha_scalar.get(), n, e); }, launch,
            tensors, out);
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const Number added = self.before(source_of(i, out.shape(), self.shape()));
          const Number scaled = alpha * product(coordinates_of(i, out.shape()));
          return held(beta == 0 ? scaled : beta * added + scaled, out.type());
        },
        true);
  }

  static void check_addmm(aclDataType type, const Shape& self_shape, std::int64_t m, std::int64_t k, std::int64_t n,
                          Real beta = 2) {
    SCOPED_TRACE(testing::Message() << m << " x " << k << " x " << n);
    OpTensor self(type, self_shape);
    OpTensor mat1(type, {m, k});
    OpTensor mat2(type, {k, n}, spaced_columns({k, n}, 8, 8));
    const OpTensor out(type, {m, n});
    fill_eighths(self, 1);
    fill_eighths(mat1, 2);
    fill_eighths(mat2, 3);
    check_added(
        [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
          return aclnnAddmmGetWorkspaceSize(self.get(), mat1.get(), mat2.get(), b, a, to, 0, size, e);
        },
        aclnnAddmm, self, {&mat1, &mat2}, out, [&](const Shape& at) { return exact_product({mat1}, {mat2}, at); },
        beta);
  }
};

TEST_F(AddedProduct, AddmmAddsABroadcastAddend) {
  for (const aclDataType type : kFloats) {
    check_addmm(type, {19, 24}, 19, 16, 24);
    check_addmm(type, {24}, 19, 16, 24);
    check_addmm(type, {19, 1}, 19, 16, 24);
    check_addmm(type, {1, 1}, 5, 7, 11);
    check_addmm(type, {}, 5, 7, 11);
    check_addmm(type, {11}, 5, 0, 11);
    check_addmm(type, {136}, 1, 64, 136);
  }
}

TEST_F(AddedProduct, AnAddendWithoutWeightDoesNotCount) {
  OpTensor self(ACL_FLOAT, {7});
  OpTensor mat1(ACL_FLOAT, {5, 3});
  OpTensor mat2(ACL_FLOAT, {3, 7});
  self.fill([](std::int64_t) -> Number { return std::numeric_limits<Real>::quiet_NaN(); });
  fill_eighths(mat1, 2);
  fill_eighths(mat2, 3);
  const OpTensor out(ACL_FLOAT, {5, 7});
  check_added(
      [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
        return aclnnAddmmGetWorkspaceSize(self.get(), mat1.get(), mat2.get(), b, a, to, 0, size, e);
      },
      aclnnAddmm, self, {&mat1, &mat2}, out, [&](const Shape& at) { return exact_product({mat1}, {mat2}, at); }, 0);
}

TEST_F(AddedProduct, AddmmWorksInPlace) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {13, 16});
    OpTensor mat1(type, {13, 8});
    OpTensor mat2(type, {8, 16});
    fill_eighths(self, 1);
    fill_eighths(mat1, 2);
    fill_eighths(mat2, 3);
    check_added(
        [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
          return aclnnInplaceAddmmGetWorkspaceSize(to, mat1.get(), mat2.get(), b, a, 0, size, e);
        },
        aclnnInplaceAddmm, self, {&mat1, &mat2}, self,
        [&](const Shape& at) { return exact_product({mat1}, {mat2}, at); });
  }
}

TEST_F(AddedProduct, BaddbmmAddsToEachMatrix) {
  for (const aclDataType type : kFloats) {
    for (const Shape& shape : {Shape{3, 9, 16}, Shape{3, 1, 16}, Shape{16}}) {
      OpTensor self(type, shape);
      OpTensor batch1(type, {3, 9, 8});
      OpTensor batch2(type, {3, 8, 16});
      const OpTensor out(type, {3, 9, 16});
      fill_eighths(self, 1);
      fill_eighths(batch1, 2);
      fill_eighths(batch2, 3);
      const auto product = [&](const Shape& at) { return exact_product({batch1}, {batch2}, at); };
      check_added(
          [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
            return aclnnBaddbmmGetWorkspaceSize(self.get(), batch1.get(), batch2.get(), b, a, to, 0, size, e);
          },
          aclnnBaddbmm, self, {&batch1, &batch2}, out, product);
      if (shape != out.shape()) continue;
      check_added(
          [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
            return aclnnInplaceBaddbmmGetWorkspaceSize(to, batch1.get(), batch2.get(), b, a, 0, size, e);
          },
          aclnnInplaceBaddbmm, self, {&batch1, &batch2}, self, product);
    }
  }
}

TEST_F(AddedProduct, AddbmmAddsTheMatricesOfABatch) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {9, 7});
    OpTensor batch1(type, {3, 9, 5});
    OpTensor batch2(type, {3, 5, 7}, spaced_rows({3, 5, 7}, 2, 1));
    fill_eighths(self, 1);
    fill_eighths(batch1, 2);
    fill_eighths(batch2, 3);
    const auto product = [&](const Shape& at) {
      Number sum = 0;
      for (std::int64_t i = 0; i < 3; ++i) sum += exact_product({batch1}, {batch2}, {i, at[0], at[1]});
      return sum;
    };
    check_added(
        [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
          return aclnnAddbmmGetWorkspaceSize(self.get(), batch1.get(), batch2.get(), b, a, to, 0, size, e);
        },
        aclnnAddbmm, self, {&batch1, &batch2}, OpTensor(type, {9, 7}), product);
    check_added(
        [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
          return aclnnInplaceAddbmmGetWorkspaceSize(to, batch1.get(), batch2.get(), b, a, 0, size, e);
        },
        aclnnInplaceAddbmm, self, {&batch1, &batch2}, self, product);
  }
}

TEST_F(AddedProduct, AddmvAddsAVector) {
  for (const aclDataType type : kNumbers) {
    for (const Shape& shape : {Shape{37}, Shape{1}, Shape{}}) {
      OpTensor self(type, shape);
      OpTensor mat(type, {37, 40});
      OpTensor vec(type, {40});
      fill_eighths(self, 1);
      fill_eighths(mat, 2);
      fill_eighths(vec, 3);
      check_added(
          [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
            return aclnnAddmvGetWorkspaceSize(self.get(), mat.get(), vec.get(), a, b, to, 0, size, e);
          },
          aclnnAddmv, self, {&mat, &vec}, OpTensor(type, {37}),
          [&](const Shape& at) {
            Number sum = 0;
            for (std::int64_t i = 0; i < 40; ++i) sum += mat.before(at[0] * 40 + i) * vec.before(i);
            return sum;
          });
    }
  }
}

TEST_F(AddedProduct, IntegersMayBecomeDoubles) {
  OpTensor self(ACL_INT32, {5});
  OpTensor mat(ACL_INT32, {5, 8});
  OpTensor vec(ACL_INT32, {8});
  fill_eighths(self, 1);
  fill_eighths(mat, 2);
  fill_eighths(vec, 3);
  const OpScalar one(ACL_INT64, 1);
  const OpTensor out(ACL_DOUBLE, {5});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnAddmvGetWorkspaceSize(self.get(), mat.get(), vec.get(), one.get(), one.get(), out.get(), 0, n, e);
      },
      aclnnAddmv, {&self, &mat, &vec}, out);
  const auto expected = [&](std::int64_t row) {
    Number sum = self.before(row);
    for (std::int64_t i = 0; i < 8; ++i) sum += mat.before(row * 8 + i) * vec.before(i);
    return sum;
  };
  expect_elements(out, bytes, expected, true);
}

TEST_F(AddedProduct, AddrAddsAColumnTimesARow) {
  std::vector<aclDataType> types = kNumbers;
  types.push_back(ACL_BOOL);
  for (const aclDataType type : types) {
    OpTensor self(type, {11, 13});
    OpTensor vec1(type, {11});
    OpTensor vec2(type, {13}, {{2}, 1});
    fill_eighths(self, 1);
    fill_eighths(vec1, 2);
    fill_eighths(vec2, 3);
    const auto product = [&](const Shape& at) { return vec1.before(at[0]) * vec2.before(at[1]); };
    if (type != ACL_BOOL) {
      check_added(
          [&](auto* to, auto* b, auto* a, auto* size, auto** e) {
            return aclnnAddrGetWorkspaceSize(self.get(), vec1.get(), vec2.get(), b, a, to, size, e);
          },
          aclnnAddr, self, {&vec1, &vec2}, OpTensor(type, {11, 13}), product);
    }
    // Scalars that are left out are 1.
    check_added(
        [&](auto* to, auto*, auto*, auto* size, auto** e) {
          return aclnnInplaceAddrGetWorkspaceSize(to, vec1.get(), vec2.get(), nullptr, nullptr, size, e);
        },
        aclnnInplaceAddr, self, {&vec1, &vec2}, self, product, 1, 1);
  }
}

// Weights of truths are truths whatever they are.
TEST_F(AddedProduct, AddrOfTruthsTakesAnyWholeWeights) {
  OpTensor self(ACL_BOOL, {11, 13});
  OpTensor vec1(ACL_BOOL, {11});
  OpTensor vec2(ACL_BOOL, {13});
  unsigned seed = 1;
  for (OpTensor* tensor : {&self, &vec1, &vec2}) tensor->fill_random(seed++);
  const OpTensor out(ACL_BOOL, {11, 13});
  for (const auto& [beta, alpha] :
       std::vector<std::pair<Real, Real>>{{2, 3}, {4, -4}, {256, 1}, {1, 256}, {0, 5}, {7, 0}}) {
    SCOPED_TRACE(testing::Message() << "beta " << double(beta) << ", alpha " << double(alpha));
    const OpScalar beta_scalar(ACL_INT64, beta);
    const OpScalar alpha_scalar(ACL_INT64, alpha);
    const auto expected = [&, b = beta, a = alpha](std::int64_t i) -> Number {
      const bool product = vec1.before(i / 13).real() != 0 && vec2.before(i % 13).real() != 0;
      return Real((b != 0 && self.before(i).real() != 0) || (a != 0 && product));
    };
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAddrGetWorkspaceSize(self.get(), vec1.get(), vec2.get(), beta_scalar.get(), alpha_scalar.get(),
                                           out.get(), n, e);
        },
        aclnnAddr, {&self, &vec1, &vec2}, out);
    expect_elements(out, bytes, expected, true);
    const auto in_place = run(
        [&](auto* n, auto** e) {
          return aclnnInplaceAddrGetWorkspaceSize(self.get(), vec1.get(), vec2.get(), beta_scalar.get(),
                                                  alpha_scalar.get(), n, e);
        },
        aclnnInplaceAddr, {&vec1, &vec2}, self);
    expect_elements(self, in_place, expected, true);
  }
}

TEST_F(AddedProduct, GemmTransposes) {
  for (const aclDataType type : kFloats) {
    for (const int transposed : {0, 1, 2, 3}) {
      const bool first = (transposed & 1) != 0;
      const bool second = (transposed & 2) != 0;
      OpTensor a(type, first ? Shape{24, 17} : Shape{17, 24});
      OpTensor b(type, second ? Shape{40, 24} : Shape{24, 40});
      OpTensor c(type, {40});
      fill_eighths(a, 1);
      fill_eighths(b, 2);
      fill_eighths(c, 3);
      check_added(
          [&](auto* to, auto*, auto*, auto* size, auto** e) {
            return aclnnGemmGetWorkspaceSize(a.get(), b.get(), c.get(), -4, 2, first, second, to, 0, size, e);
          },
          aclnnGemm, c, {&a, &b}, OpTensor(type, {17, 40}),
          [&](const Shape& at) {
            return exact_product({a, first}, {b, second}, at);
          });
    }
  }
}

TEST_F(AddedProduct, GemmHasItsInputsInTheOrderOfItsParameters) {
  OpTensor a(ACL_FLOAT, {4, 8});
  OpTensor b(ACL_FLOAT, {8, 4});
  OpTensor c(ACL_FLOAT, {4, 4});
  OpTensor other(ACL_FLOAT, {4, 8});
  unsigned seed = 1;
  for (OpTensor* tensor : {&a, &b, &c, &other}) fill_eighths(*tensor, seed++).upload();
  const OpTensor out(ACL_FLOAT, {4, 4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnGemmGetWorkspaceSize(a.get(), b.get(), c.get(), 1, 1, 0, 0, out.get(), 0, &size, &executor), 0);
  const OpTensor workspace(ACL_UINT8, {static_cast<std::int64_t>(size) + 1});
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  ASSERT_EQ(aclSetInputTensorAddr(executor, 0, a.get(), other.memory()), 0);
  EXPECT_EQ(aclnnGemm(workspace.memory(), size, executor, stream()), 0);
  EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  const auto expected = [&](std::int64_t i) {
    return c.before(i) + exact_product({other}, {b}, coordinates_of(i, {4, 4}));
  };
  expect_elements(out, out.download(), expected, true);
}

TEST_F(AddedProduct, RefusesOthers) {
  const OpTensor self(ACL_FLOAT, {4, 3});
  const OpTensor first(ACL_FLOAT, {4, 5});
  const OpTensor second(ACL_FLOAT, {5, 3});
  const OpTensor out(ACL_FLOAT, {4, 3});
  const OpTensor wide(ACL_FLOAT, {4, 4, 3});
  const OpTensor whole(ACL_INT32, {4, 3});
  const OpScalar one(ACL_FLOAT, 1);
  const OpScalar imaginary(ACL_COMPLEX64, 1);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto addmm = [&](const OpTensor& added, const aclTensor* mat1, const aclScalar* beta, const aclScalar* alpha,
                         const OpTensor& to, int8_t type) {
    return aclnnAddmmGetWorkspaceSize(added.get(), mat1, second.get(), beta, alpha, to.get(), type, &size, &executor);
  };
  EXPECT_EQ(addmm(self, nullptr, one.get(), one.get(), out, 0), 161001);
  EXPECT_EQ(addmm(self, first.get(), nullptr, one.get(), out, 0), 161001);
  EXPECT_EQ(addmm(self, first.get(), one.get(), nullptr, out, 0), 161001);
  EXPECT_EQ(addmm(whole, first.get(), one.get(), one.get(), out, 0), 161002);
  EXPECT_EQ(addmm(self, first.get(), imaginary.get(), one.get(), out, 0), 161002);
  EXPECT_EQ(addmm(self, first.get(), one.get(), imaginary.get(), out, 0), 161002);
  EXPECT_EQ(addmm(self, second.get(), one.get(), one.get(), out, 0), 161002);
  EXPECT_EQ(addmm(wide, first.get(), one.get(), one.get(), out, 0), 161002);
  EXPECT_EQ(addmm(first, first.get(), one.get(), one.get(), out, 0), 161002);
  EXPECT_EQ(addmm(self, first.get(), one.get(), one.get(), first, 0), 161002);
  EXPECT_EQ(addmm(self, first.get(), one.get(), one.get(), out, 5), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
