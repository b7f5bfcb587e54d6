#pragma once

#include "ops/tensor.hpp"

namespace aclvk::ops {

/// A complex tensor as one of real numbers with a dim more, the last: real and imaginary part. Others as they are.
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
