#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

/// Elements of four bits (INT4, FLOAT4_E2M1, FLOAT4_E1M2), one behind the other from a word on, the lowest first, as
/// INT8 or as FLOAT8_E4M3FN, which has all floats of four bits: a row in the workspace, filled up to eights.
Tensor unpacked_row(const char* name, const std::byte* words, DType elements, std::int64_t count, Staging& staging,
                    Kernels& before);

}  // namespace aclvk::ops
