#pragma once

#include <cstdint>
#include <string_view>

#include "ops/operator.hpp"
#include "ops/shape/windows.hpp"

namespace aclvk::ops {

/// A pooling whose attributes have been checked.
struct PoolCall {
  std::string_view name;    ///< the operator's; a string literal
  std::string_view shader;  ///< a string literal
  Windows windows;          ///< for each spatial dim
  bool adaptive = false;    ///< windows share out the input: only their size is known, of the largest one
  bool counts_padding = false;
  std::int64_t divisor = 0;  ///< 0: the elements of the window
};

/// For shaders that include shaders/pooling/windows.glsl. `indices` may be null.
Kernels pool_kernels(const PoolCall& call, const Tensor& self, const Tensor& out, const Tensor* indices);

}  // namespace aclvk::ops
