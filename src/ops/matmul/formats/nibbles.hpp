#pragma once

#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// 4-bit elements (nibbles): a tensor of INT4, FLOAT4_E2M1 or FLOAT4_E1M2, or an INT32 tensor whose words hold eight,
// the lowest bits first. They are packed along the last dim, or along the last but one if that has stride 1.

/// Returns whether the tensor holds 4-bit elements.
bool is_packed(const Tensor& tensor);
/// Returns whether elements are packed along the last dim but one. A single row of a 4-bit dtype counts as packed along
/// the row.
bool is_packed_by_columns(const Tensor& tensor);

/// Returns the shape in 4-bit elements: the packed dim of an INT32 tensor is eight times as long. 161002 for a tensor
/// with gaps, or whose rows are no whole words. Returns the shape of any other tensor unchanged.
Shape unpacked_shape(const char* name, const Tensor& tensor);

/// Returns a view of a FLOAT tensor, whose elements hold eight FLOAT4_E2M1, as INT32; any other tensor unchanged.
Tensor as_words(Tensor tensor);

/// Returns a copy in the workspace as INT8, or as FLOAT8_E4M3FN, which represents all 4-bit floats exactly. A
/// FRACTAL_NZ tensor keeps its format. Returns any other tensor unchanged. `in_words` is the 4-bit dtype in an INT32
/// tensor.
Tensor unpacked(const char* name, const Tensor& tensor, Staging& staging, Kernels& before,
                DType in_words = DType::kInt4);

}  // namespace aclvk::ops
