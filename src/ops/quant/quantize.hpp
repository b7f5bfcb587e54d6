#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// The activation, kActivation of shaders/quant/quantize.comp.
enum class QuantActivation : std::uint32_t { kNone = 0, kGelu = 1, kGeluTanh = 2 };

/// One quantisation: out = activation(x) * scale + offset, rounded to nearest even and saturated where out is INT8 or
/// an 8-bit float. Scale and offset are tensors that broadcast to out, or numbers.
struct Quantize {
  const Tensor* x;
  const Tensor* out;
  const Tensor* scale = nullptr;
  const Tensor* offset = nullptr;
  double one_scale = 1;
  double one_offset = 0;
  QuantActivation activation = QuantActivation::kNone;
  bool divides = false;      ///< divides by the scale instead of multiplying
  bool keeps_zeros = false;  ///< 0 / 0 is 0, for a scale computed from all-zero elements
};
/// Returns the kernels of a quantisation.
Kernels quantize_kernels(const char* name, const Quantize& call);

}  // namespace aclvk::ops
