#pragma once

#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Elements of four bits: a tensor of INT4, FLOAT4_E2M1 or FLOAT4_E1M2, or an INT32 tensor whose elements are eight of
// them, the lowest first. The dim that is packed is the last one, or the one before it where that has stride 1.

bool is_packed(const Tensor& tensor);
/// Whether the dim before the last is the one that is packed. A single row that is no INT32 lies in order either way
/// round.
bool is_packed_by_columns(const Tensor& tensor);

/// The shape in elements of four bits: of an INT32 tensor one dim has eight times as many. 161002 for one whose
/// elements have gaps, or are not whole words of eight. That of another tensor as it is.
Shape unpacked_shape(const char* name, const Tensor& tensor);

/// A FLOAT tensor, whose elements stand for eight FLOAT4_E2M1, as INT32. Another tensor as it is.
Tensor as_words(Tensor tensor);

/// The elements as INT8, or as FLOAT8_E4M3FN, which has all floats of four bits, in the workspace; a FRACTAL_NZ tensor
/// stays one. Another tensor as it is. `in_words` is what the elements of an INT32 tensor are.
Tensor unpacked(const char* name, const Tensor& tensor, Staging& staging, Kernels& before,
                DType in_words = DType::kInt4);

/// aclnnConvertWeightToINT4Pack: the low four bits of each INT32, or the FLOAT4_E2M1 of each FLOAT, packed.
std::shared_ptr<Executor> plan_pack_weight(const void* weight, const void* packed);

}  // namespace aclvk::ops
