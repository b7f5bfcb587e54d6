#include "aclnnop/aclnn_add.h"
#include "aclnnop/aclnn_add_relu.h"
#include "aclnnop/aclnn_add_v3.h"
#include "aclnnop/aclnn_floor_divide.h"
#include "aclnnop/aclnn_heaviside.h"
#include "aclnnop/aclnn_masked_scale.h"
#include "aclnnop/aclnn_prelu.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// The operators on two tensors that binary_test.cpp does not know: floor division, and those with parameters of their
// own.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

class BinaryOthers : public PointwiseTest {};

TEST_F(BinaryOthers, FloorDivide) {
  for (const aclDataType type :
       {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE, ACL_INT32, ACL_INT64, ACL_INT8, ACL_UINT8}) {
    OpTensor self(type, {5, 7}, {{1, 5}, 2});
    OpTensor other(type, {7});
    self.fill_random(1);
    other.fill_random(2);
    const OpScalar scalar(type, 3);
    const OpTensor out(type, {5, 7});
    const auto floor_of = [](Real x, Real y) { return std::floor(x / y); };
    const auto by_tensor = [&](const Elements& e) { return floor_of(e[0].real(), e[1].real()); };
    const auto by_scalar = [&](const Elements& e) { return floor_of(e[0].real(), 3); };
    auto* x = self.get();
    const auto* y = other.get();
    const auto* s = scalar.get();
    expect(
        "FloorDivide", [&](auto* n, auto** e) { return aclnnFloorDivideGetWorkspaceSize(x, y, out.get(), n, e); },
        aclnnFloorDivide, {&self, &other}, out, by_tensor, false);
    expect(
        "FloorDivides", [&](auto* n, auto** e) { return aclnnFloorDividesGetWorkspaceSize(x, s, out.get(), n, e); },
        aclnnFloorDivides, {&self}, out, by_scalar, false);
    expect(
        "InplaceFloorDivide", [&](auto* n, auto** e) { return aclnnInplaceFloorDivideGetWorkspaceSize(x, y, n, e); },
        aclnnInplaceFloorDivide, {&self, &other}, self, by_tensor, false);
    expect(
        "InplaceFloorDivides", [&](auto* n, auto** e) { return aclnnInplaceFloorDividesGetWorkspaceSize(x, s, n, e); },
        aclnnInplaceFloorDivides, {&self}, self, by_scalar, false);
  }
}

TEST_F(BinaryOthers, ScalarsAreFloatsWhateverTheTensorsAre) {
  const OpScalar scalar(ACL_DOUBLE, 0.6L);
  for (const auto& [type, result] :
       {std::pair{ACL_INT32, ACL_FLOAT}, {ACL_INT64, ACL_FLOAT}, {ACL_FLOAT, ACL_DOUBLE}}) {
    OpTensor self(type, {4});
    fill_from(self, {3, 7, 21, -3});
    const OpTensor out(result, {4});
    // The quotient is a float, and a double for 64-bit integers and results in double: 3 by the float 0.6 is 5, or
    // less.
    const bool in_float = type == ACL_INT32;
    const auto floor_of = [in_float](const Elements& e) {
      const Real quotient = e[0].real() / Real{0.6F};
      return std::floor(in_float ? Real{static_cast<float>(quotient)} : quotient);
    };
    expect(
        "FloorDivides",
        [&](auto* n, auto** e) { return aclnnFloorDividesGetWorkspaceSize(self.get(), scalar.get(), out.get(), n, e); },
        aclnnFloorDivides, {&self}, out, floor_of, true);
  }
}

TEST_F(BinaryOthers, AddAndCutOff) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT64, ACL_INT8, ACL_UINT8}) {
    OpTensor self(type, {89});
    OpTensor other(type, {89});
    self.fill_random(3);
    other.fill_random(4);
    if (!is_integer(type)) self.fill([](std::int64_t i) { return i % 9 ? Real(i % 7 - 3) : kNan; });
    OpScalar alpha(type, 2);
    const OpTensor out(type, {89});
    const auto meaning = [&](const Elements& e) {
      const Real sum = (e[0] + Number(2) * e[1]).real();
      const Real wrapped = is_integer(type) ? wrap(static_cast<Wide>(sum), type) : sum;
      return std::isnan(wrapped) ? wrapped : std::max(wrapped, Real{0});
    };
    expect(
        "AddRelu",
        [&](auto* n, auto** e) {
          return aclnnAddReluGetWorkspaceSize(self.get(), other.get(), alpha.get(), out.get(), n, e);
        },
        aclnnAddRelu, {&self, &other}, out, meaning, false);
    expect(
        "InplaceAddRelu",
        [&](auto* n, auto** e) {
          return aclnnInplaceAddReluGetWorkspaceSize(self.get(), other.get(), alpha.get(), n, e);
        },
        aclnnInplaceAddRelu, {&self, &other}, self, meaning, false);
  }
}

TEST_F(BinaryOthers, AddToAScalar) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_INT32, ACL_INT8}) {
    OpTensor other(type, {5, 7}, {{1, 5}, 2});
    other.fill_random(5);
    const OpScalar self(type, 7);
    const OpScalar alpha(type, 3);
    const OpTensor out(type, {5, 7});
    const auto meaning = [&](const Elements& e) {
      const Number sum = Number(7) + Number(3) * e[0];
      return is_integer(type) ? Number(wrap(static_cast<Wide>(sum.real()), type)) : sum;
    };
    expect(
        "AddV3",
        [&](auto* n, auto** e) {
          return aclnnAddV3GetWorkspaceSize(self.get(), other.get(), alpha.get(), out.get(), n, e);
        },
        aclnnAddV3, {&other}, out, meaning, false);
    expect(
        "InplaceAddV3",
        [&](auto* n, auto** e) {
          return aclnnInplaceAddV3GetWorkspaceSize(self.get(), other.get(), alpha.get(), n, e);
        },
        aclnnInplaceAddV3, {&other}, other, meaning, false);
  }
}

TEST_F(BinaryOthers, StepAtZero) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {7});
    OpTensor values(type, {1});
    fill_from(self, {0, -0.0L, 1, -1, kNan, 1e-3L, -3});
    values.fill_random(6);
    expect(
        "Heaviside",
        [&](auto* n, auto** e) { return aclnnHeavisideGetWorkspaceSize(self.get(), values.get(), self.get(), n, e); },
        aclnnHeaviside, {&self, &values}, self,
        [](const Elements& e) { return e[0] == Number(0) ? e[1] : Number(e[0].real() > 0); }, true);
  }
}

TEST_F(BinaryOthers, ScaleByAMask) {
  for (const aclDataType type : kFloats) {
    for (const aclDataType kind : {ACL_UINT8, ACL_INT8, ACL_FLOAT, ACL_FLOAT16}) {
      OpTensor self(type, {3, 29});
      OpTensor mask(kind, {3, 29});
      self.fill_random(7);
      mask.fill([](std::int64_t i) { return Real(i % 3 == 0); });
      const OpTensor out(type, {3, 29});
      expect(
          "MaskedScale",
          [&](auto* n, auto** e) {
            return aclnnMaskedScaleGetWorkspaceSize(self.get(), mask.get(), 1.25F, out.get(), n, e);
          },
          aclnnMaskedScale, {&self, &mask}, out, [](const Elements& e) { return e[0] * e[1] * Number(1.25L); }, false);
    }
  }
}

TEST_F(BinaryOthers, WeighNegativeNumbersByChannel) {
  for (const aclDataType type : kFloats) {
    for (const std::int64_t weights : {1, 5}) {
      OpTensor self(type, {3, 5, 7});
      OpTensor weight(type, {weights});
      self.fill_random(8);
      weight.fill_random(9);
      const OpTensor out(type, {3, 5, 7});
      const auto bytes =
          run([&](auto* n, auto** e) { return aclnnPreluGetWorkspaceSize(self.get(), weight.get(), out.get(), n, e); },
              aclnnPrelu, {&self, &weight}, out);
      const auto expected = [&](std::int64_t i) {
        const Number x = self.before(i);
        return rounded(x.real() > 0 ? x : x * weight.before(weights == 1 ? 0 : i / 7 % 5), type);
      };
      expect_elements(out, bytes, expected, false);
    }
  }
}

TEST_F(BinaryOthers, WeightsOfChannelsMayHaveDimsOfOne) {
  OpTensor self(ACL_FLOAT, {3, 5, 7});
  OpTensor weight(ACL_FLOAT, {1, 5, 1, 1}, {{11, 2, 3, 1}, 1});
  self.fill_random(8);
  weight.fill_random(9);
  const OpTensor out(ACL_FLOAT, {3, 5, 7});
  const auto bytes =
      run([&](auto* n, auto** e) { return aclnnPreluGetWorkspaceSize(self.get(), weight.get(), out.get(), n, e); },
          aclnnPrelu, {&self, &weight}, out);
  const auto expected = [&](std::int64_t i) {
    const Number x = self.before(i);
    return rounded(x.real() > 0 ? x : x * weight.before(i / 7 % 5), ACL_FLOAT);
  };
  expect_elements(out, bytes, expected, false);
}

TEST_F(BinaryOthers, TruthsTakeAnyWholeAlpha) {
  OpTensor self(ACL_BOOL, {5, 7});
  OpTensor other(ACL_BOOL, {7});
  self.fill_random(21);
  other.fill_random(22);
  const OpTensor out(ACL_BOOL, {5, 7});
  for (const aclDataType type : {ACL_INT32, ACL_INT64, ACL_INT8, ACL_BOOL}) {
    for (const int value : {2, 1, 0, -1}) {
      const OpScalar alpha(type, type == ACL_BOOL ? value & 1 : value);
      const auto bytes =
          run([&](auto* n,
                  auto** e) { return aclnnAddGetWorkspaceSize(self.get(), other.get(), alpha.get(), out.get(), n, e); },
              aclnnAdd, {&self, &other}, out);
      const auto either = [&](std::int64_t i) {
        const bool second = other.before(i % 7).real() != 0 && alpha.value().real() != 0;
        return Number(self.before(i).real() != 0 || second);
      };
      expect_elements(out, bytes, either, true);
    }
  }
  const OpScalar half(ACL_FLOAT, 0.5L);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnAddGetWorkspaceSize(self.get(), other.get(), half.get(), out.get(), &size, &executor), 161002);
}

TEST_F(BinaryOthers, RefuseWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const OpTensor t(ACL_FLOAT, {2, 3});
  const OpTensor whole(ACL_INT32, {2, 3});
  const OpTensor complex(ACL_COMPLEX64, {2, 3});
  const OpTensor weight(ACL_FLOAT, {4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnPreluGetWorkspaceSize(t.get(), weight.get(), t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnPreluGetWorkspaceSize(t.get(), nullptr, t.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnHeavisideGetWorkspaceSize(whole.get(), whole.get(), whole.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnMaskedScaleGetWorkspaceSize(t.get(), whole.get(), 1, t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnFloorDivideGetWorkspaceSize(complex.get(), complex.get(), complex.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnAddV3GetWorkspaceSize(nullptr, t.get(), nullptr, t.get(), &size, &executor), 161001);
}

}  // namespace
}  // namespace aclvk::test
