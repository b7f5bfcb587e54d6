#pragma once

#include "ops/tensor/dtype.hpp"

namespace aclvk::ops {

// Sets of dtypes that the operators' tables are composed of.

constexpr DTypeSet kFloats = {DType::kFloat, DType::kFloat16, DType::kBfloat16};
constexpr DTypeSet kDoubles = {DType::kDouble};
constexpr DTypeSet kBools = {DType::kBool};
constexpr DTypeSet kIntegers = {DType::kInt8, DType::kInt16, DType::kInt32, DType::kInt64, DType::kUint8};
constexpr DTypeSet kWideUnsigned = {DType::kUint16, DType::kUint32, DType::kUint64};
constexpr DTypeSet kIndices = {DType::kInt32, DType::kInt64};
constexpr DTypeSet kComplex64 = {DType::kComplex64};
constexpr DTypeSet kComplexes = {DType::kComplex64, DType::kComplex128};
constexpr DTypeSet kFloat8s = {DType::kHifloat8, DType::kFloat8E5M2, DType::kFloat8E4M3};
constexpr DTypeSet kFloat4s = {DType::kFloat4E2M1, DType::kFloat4E1M2};
constexpr DTypeSet kScales = {DType::kFloat8E8M0};

/// The dtypes of most operators. kMovable adds those that only copying operators take.
constexpr DTypeSet kCommon = kFloats.with(kIntegers).with(kBools);
constexpr DTypeSet kMovable = kCommon.with(kDoubles).with(kComplexes);

}  // namespace aclvk::ops
