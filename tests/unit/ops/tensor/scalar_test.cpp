#include "ops/tensor/scalar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "ops/executor/operator.hpp"

namespace aclvk::ops {
namespace {

template <typename T>
Scalar scalar(T value, DType dtype) {
  return Scalar(&value, dtype);
}

TEST(ScalarValue, ReadsEveryDtype) {
  EXPECT_EQ(scalar(1.5F, DType::kFloat).to_double(), 1.5);
  EXPECT_EQ(scalar(std::uint16_t{0x3E00}, DType::kFloat16).to_double(), 1.5);
  EXPECT_EQ(scalar(std::uint16_t{0x3FC0}, DType::kBfloat16).to_double(), 1.5);
  EXPECT_EQ(scalar(std::uint16_t{0x0001}, DType::kFloat16).to_double(), 0x1p-24);
  EXPECT_EQ(scalar(std::int8_t{-3}, DType::kInt8).to_int64(), -3);
  EXPECT_EQ(scalar(std::uint8_t{253}, DType::kUint8).to_int64(), 253);
  EXPECT_EQ(scalar(std::uint8_t{7}, DType::kBool).to_int64(), 1);
  EXPECT_EQ(scalar(~std::uint64_t{0}, DType::kUint64).to_double(), 0x1p64);
  EXPECT_EQ(scalar(std::complex<float>(2, -3), DType::kComplex64).to_complex(), std::complex<double>(2, -3));
}

TEST(ScalarValue, SaturatesWhenItBecomesAnInteger) {
  EXPECT_EQ(scalar(-2.9, DType::kDouble).to_int64(), -2);
  EXPECT_EQ(scalar(1e30, DType::kDouble).to_int64(), INT64_MAX);
  EXPECT_EQ(scalar(-1e30F, DType::kFloat).to_int64(), INT64_MIN);
  EXPECT_EQ(scalar(std::nan(""), DType::kDouble).to_int64(), 0);
}

TEST(ScalarValue, RoundsToADtype) {
  EXPECT_EQ(scalar(std::int64_t{-1}, DType::kInt64).rounded_to(DType::kUint8).to_int64(), 255);
  EXPECT_EQ(scalar(std::int64_t{200}, DType::kInt64).rounded_to(DType::kInt8).to_int64(), -56);
  EXPECT_EQ(scalar(~std::uint64_t{0}, DType::kUint64).rounded_to(DType::kUint64).to_int64(), -1);
  EXPECT_EQ(scalar(std::int32_t{7}, DType::kInt32).rounded_to(DType::kBool).to_int64(), 1);
  EXPECT_EQ(scalar(0.1, DType::kDouble).rounded_to(DType::kFloat16).to_double(), 0.0999755859375);
  EXPECT_EQ(scalar(0.1, DType::kDouble).rounded_to(DType::kBfloat16).to_double(), 0.10009765625);
  EXPECT_EQ(scalar(0.1, DType::kDouble).rounded_to(DType::kFloat).to_double(), 0.1F);
  EXPECT_EQ(scalar(0.1, DType::kDouble).rounded_to(DType::kDouble).to_double(), 0.1);
  EXPECT_EQ(scalar(70000.0, DType::kDouble).rounded_to(DType::kFloat16).to_double(), INFINITY);
  EXPECT_EQ(scalar(0x1p-25, DType::kDouble).rounded_to(DType::kFloat16).to_double(), 0);
  const std::complex<float> value(1e-9F, -3);
  EXPECT_EQ(scalar(value, DType::kComplex64).rounded_to(DType::kComplex32).to_complex(), std::complex<double>(0, -3));
}

TEST(ScalarValue, SaturatesToADtype) {
  EXPECT_EQ(scalar(std::int64_t{5'000'000'000}, DType::kInt64).saturated_to(DType::kInt32).to_int64(), INT32_MAX);
  EXPECT_EQ(scalar(1e20, DType::kDouble).saturated_to(DType::kInt8).to_int64(), 127);
  EXPECT_EQ(scalar(-HUGE_VAL, DType::kDouble).saturated_to(DType::kInt16).to_int64(), -32768);
  EXPECT_EQ(scalar(-3.5F, DType::kFloat).saturated_to(DType::kUint8).to_int64(), 0);
  EXPECT_EQ(scalar(~std::uint64_t{0}, DType::kUint64).saturated_to(DType::kUint32).to_int64(), UINT32_MAX);
  EXPECT_EQ(scalar(2.5, DType::kDouble).saturated_to(DType::kFloat16).to_double(), 2.5);
}

TEST(ComputeClasses, AreAsNarrowAsTheOperandsAllow) {
  using D = DType;
  EXPECT_EQ(class_for(D::kFloat16, {D::kInt32, D::kFloat}), ComputeClass::kF32);
  EXPECT_EQ(class_for(D::kFloat, {D::kInt64, D::kFloat}), ComputeClass::kF64);
  EXPECT_EQ(class_for(D::kInt8, {D::kInt8, D::kFloat}), ComputeClass::kI32);
  EXPECT_EQ(class_for(D::kInt32, {D::kInt64}), ComputeClass::kI64);
  EXPECT_EQ(class_for(D::kInt32, {D::kDouble}), ComputeClass::kI64f);
  EXPECT_EQ(class_for(D::kBool, {D::kComplex128}), ComputeClass::kI64f);
  EXPECT_EQ(class_for(D::kComplex64, {D::kFloat}), ComputeClass::kC64);
  EXPECT_EQ(class_for(D::kComplex64, {D::kInt64}), ComputeClass::kC128);
}

}  // namespace
}  // namespace aclvk::ops
