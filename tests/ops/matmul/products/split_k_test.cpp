// Products that are split along K: few rows, or few columns, and a large K. ctest runs them as on GPUs, too.
#include "aclnnop/aclnn_addmv.h"
#include "aclnnop/aclnn_baddbmm.h"
#include "aclnnop/aclnn_einsum.h"
#include "aclnnop/aclnn_matmul.h"
#include "ops/matmul/products/product_reference.hpp"

namespace aclvk::test {
namespace {

class SplitK : public OpTest {
 protected:
  struct Sizes {
    std::int64_t batch, m, k, n;
  };

  /// 2 * self - 4 * (batch1 batch2), whose sums are exact.
  static void check(aclDataType type, const Sizes& sizes, bool first_transposed = false, bool second_transposed = false,
                    const Shape& self_shape = {1}) {
    const auto& [batch, m, k, n] = sizes;
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << batch << " times " << m << " x " << k << " x " << n);
    const auto view = [](bool transposed, const Shape& shape) {
      return transposed ? spaced_columns(shape, 8, 8) : View{};
    };
    OpTensor self(type, self_shape);
    OpTensor first(type, {batch, m, k}, view(first_transposed, {batch, m, k}));
    OpTensor second(type, {batch, k, n}, view(second_transposed, {batch, k, n}));
    fill_eighths(self, 1);
    fill_eighths(first, 2);
    fill_eighths(second, 3);
    const OpTensor out(type, {batch, m, n});
    const aclDataType scalar_type = is_integer(type) ? ACL_INT64 : ACL_FLOAT;
    const OpScalar beta(scalar_type, 2);
    const OpScalar alpha(scalar_type, -4);
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnBaddbmmGetWorkspaceSize(self.get(), first.get(), second.get(), beta.get(), alpha.get(), out.get(),
                                              0, size, e);
        },
        aclnnBaddbmm, {&self, &first, &second}, out);
    const auto expected = [&](std::int64_t i) {
      const Number added = self.before(source_of(i, out.shape(), self.shape()));
      return held(Real(2) * added - Real(4) * exact_product({first}, {second}, coordinates_of(i, out.shape())), type);
    };
    expect_elements(out, bytes, expected, true);
  }
};

TEST_F(SplitK, FewRowsTimesAMatrix) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const std::int64_t few : {1, 2, 3, 4, 5}) check(type, {1, few, 144, 72});
    check(type, {1, 2, 1040, 1032}, false, false, {1032});
  }
}

TEST_F(SplitK, PartsNeedNotBeWhole) {
  check(ACL_FLOAT, {1, 1, 139, 64});
  check(ACL_FLOAT, {1, 3, 1031, 136}, false, false, {3, 136});
  check(ACL_FLOAT, {1, 1, 64, 1021});
  check(ACL_FLOAT, {1, 2, 1033, 31});
}

TEST_F(SplitK, AMatrixTimesFewColumns) {
  for (const std::int64_t few : {1, 3}) {
    check(ACL_FLOAT, {1, 136, 1040, few}, true);
    check(ACL_FLOAT, {1, 72, 144, few}, true, true);
    check(ACL_FLOAT, {1, 136, 1040, few});
  }
}

TEST_F(SplitK, EachMatrixOfABatch) {
  check(ACL_FLOAT, {3, 1, 144, 72});
  check(ACL_FLOAT, {3, 2, 523, 72}, false, false, {3, 1, 72});
}

TEST_F(SplitK, EachClassOfDtypes) {
  for (const aclDataType type : {ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    constexpr std::int64_t kDepth = 531;
    OpTensor self(type, {136});
    OpTensor mat(type, {136, kDepth}, spaced_columns({136, kDepth}, 8, 8));
    OpTensor vec(type, {kDepth});
    fill_eighths(self, 1);
    fill_eighths(mat, 2);
    fill_eighths(vec, 3);
    const OpTensor out(type, {136});
    const OpScalar one(ACL_INT64, 1);
    const auto bytes = run(
        [&](auto* size, auto** e) {
          return aclnnAddmvGetWorkspaceSize(self.get(), mat.get(), vec.get(), one.get(), one.get(), out.get(), 0, size,
                                            e);
        },
        aclnnAddmv, {&self, &mat, &vec}, out);
    const auto expected = [&](std::int64_t row) {
      Number sum = self.before(row);
      for (std::int64_t k = 0; k < kDepth; ++k) sum += mat.before(row * kDepth + k) * vec.before(k);
      return held(sum, type);
    };
    expect_elements(out, bytes, expected, true);
  }
}

/// What one kernel has summed up does not fit into a half, and loses digits in a bfloat16.
TEST_F(SplitK, SumsAreNotRoundedBetweenKernels) {
  constexpr std::int64_t kDepth = 330000;
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type);
    OpTensor self(type, {1});
    OpTensor ones(type, {1, kDepth});
    OpTensor signs(type, {kDepth});
    self.fill([](std::int64_t) -> Number { return 3; });
    ones.fill([](std::int64_t) -> Number { return 1; });
    signs.fill([](std::int64_t i) -> Number { return i < kDepth / 2 + 5 ? 1 : -1; });
    const OpTensor out(type, {1});
    const OpScalar beta(ACL_FLOAT, 2);
    const OpScalar alpha(ACL_FLOAT, -4);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnAddmvGetWorkspaceSize(self.get(), ones.get(), signs.get(), alpha.get(), beta.get(), out.get(), 0,
                                            n, e);
        },
        aclnnAddmv, {&self, &ones, &signs}, out);
    EXPECT_EQ(out.in(bytes, 0).real(), 2 * 3 - 4 * 10);
  }
  OpTensor ones(ACL_FLOAT16, {kDepth});
  OpTensor signs(ACL_FLOAT16, {kDepth});
  ones.fill([](std::int64_t) -> Number { return 1; });
  signs.fill([](std::int64_t i) -> Number { return i < kDepth / 2 + 5 ? 1 : -1; });
  const OpTensor out(ACL_FLOAT16, {});
  const OpList factors({&ones, &signs});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnEinsumGetWorkspaceSize(factors.get(), "i,i->", out.get(), n, e); },
          aclnnEinsum, {&ones, &signs}, out);
  EXPECT_EQ(out.in(bytes, 0).real(), 10);
}

TEST_F(SplitK, NanAndInfinityReachTheirRowsAndColumns) {
  OpTensor self(ACL_FLOAT, {2, 512});
  OpTensor mat2(ACL_FLOAT, {512, 64});
  self.fill([](std::int64_t i) -> Number { return i == 600 ? std::numeric_limits<Real>::quiet_NaN() : Real(1); });
  mat2.fill([](std::int64_t i) -> Number { return i == 4 ? std::numeric_limits<Real>::infinity() : Real(2); });
  const OpTensor out(ACL_FLOAT, {2, 64});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnMatmulGetWorkspaceSize(self.get(), mat2.get(), out.get(), 0, n, e); },
          aclnnMatmul, {&self, &mat2}, out);
  const auto expected = [](std::int64_t i) -> Number {
    if (i >= 64) return std::numeric_limits<Real>::quiet_NaN();
    return i == 4 ? std::numeric_limits<Real>::infinity() : Real(1024);
  };
  expect_elements(out, bytes, expected, true);
}

}  // namespace
}  // namespace aclvk::test
