#pragma once

#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

/// Returns a complex tensor as a real view with a last dim of two, real and imaginary part; other tensors unchanged.
inline Tensor real_parts(Tensor tensor) {
  const bool wide = tensor.dtype == DType::kComplex128;
  if (!wide && tensor.dtype != DType::kComplex64) return tensor;
  for (std::int64_t& stride : tensor.strides) stride *= 2;
  tensor.offset *= 2;
  tensor.shape.push_back(2);
  tensor.strides.push_back(1);
  tensor.dtype = wide ? DType::kDouble : DType::kFloat;
  return tensor;
}

}  // namespace aclvk::ops
