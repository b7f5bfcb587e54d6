#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Quant words: 64-bit integers (UINT64 or INT64) in which the matrix unit takes the scale and offset of a result. Bits
// 0 to 31 are a float scale whose lowest 13 bits are 0, bits 37 to 45 a signed integer offset; bit 46 is 1.

/// Returns whether a scale of this dtype consists of quant words.
bool is_quant_word(DType dtype);

/// Returns a scale as floats: a view of the lower halves of quant words; a tensor of another dtype unchanged.
Tensor float_scale(const Tensor& scale);

/// Returns the offsets of quant words as FLOAT in the workspace.
Tensor word_offsets(const char* name, const Tensor& words, Staging& staging, Kernels& before);

/// Plans aclnnTransQuantParamV2 and V3: quant words of a scale and an optional offset, which broadcast. The excess bits
/// of a scale are truncated (roundMode 0) or rounded to nearest even (1).
std::shared_ptr<Executor> plan_quant_words(const char* name, const InputArg& scale, const InputArg& offset,
                                           std::int64_t round_mode, const OutputArg& out);

}  // namespace aclvk::ops
