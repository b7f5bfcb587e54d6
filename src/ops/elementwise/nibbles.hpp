#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

/// Unpacks 4-bit elements (INT4, FLOAT4_E2M1, FLOAT4_E1M2) to bytes in the workspace: INT4 to INT8, and 4-bit floats to
/// FLOAT8_E4M3FN, which represents all of them. The packed elements start at a word, low bits first. The length of the
/// result is rounded up to a multiple of 8.
Tensor unpacked_row(const char* name, const std::byte* words, DType elements, std::int64_t count, Staging& staging,
                    Kernels& before);

}  // namespace aclvk::ops
