#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// The words in which the matrix unit gets how a result is scaled: UINT64 or INT64. Bits 0 to 31 are the scale, a float
// whose lowest 13 bits are 0; bits 37 to 45 an integer offset with a sign; bit 46 is 1.

bool is_quant_word(DType dtype);

/// A scale for the elements as FLOAT: the lower half of words; a tensor of another dtype as it is.
Tensor float_scale(const Tensor& scale);

/// The offsets of words, as FLOAT in the workspace.
Tensor word_offsets(const char* name, const Tensor& words, Staging& staging, Kernels& before);

/// aclnnTransQuantParamV2, V3: such words of a scale and, unless NULL, an offset, which broadcast to each other. The
/// bits that a scale loses are cut off (roundMode 0) or rounded to even (1).
std::shared_ptr<Executor> plan_quant_words(const char* name, const void* scale, const void* offset,
                                           std::int64_t round_mode, const void* out);

}  // namespace aclvk::ops
