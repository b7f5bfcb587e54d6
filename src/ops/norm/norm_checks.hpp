#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "ops/norm/norm_rows.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

// The checks that normalisations share.

constexpr DTypeSet kNormDtypes = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

using NamedTensors = std::initializer_list<std::pair<const TensorPtr&, const char*>>;

/// Dtypes, then views; a null tensor was left out.
void check_norm_tensors(NamedTensors tensors);

/// One value for each row: the leading dims, with or without dims of size 1 behind them.
void check_row_values(const TensorPtr& tensor, const char* name, const Shape& x, std::size_t lead);

/// Outputs may be written, and share no elements with an input at another place.
struct NamedTensor {
  const Tensor* tensor;
  const char* name;
};
void check_norm_memory(std::initializer_list<NamedTensor> inputs, std::initializer_list<NamedTensor> outputs);

}  // namespace aclvk::ops
