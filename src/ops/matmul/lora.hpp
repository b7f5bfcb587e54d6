#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// What aclnnAddLora is called with. Names are those of its parameters.
struct LoraCall {
  const void* y;
  const void* x;
  const void* weight_b;
  const void* indices;
  const void* weight_a;
  std::int64_t layer;
  double scale;
  std::int64_t y_offset;
  std::int64_t y_slice_size;
  const void* out;
};
/// out = y, and for columns y_offset to y_offset + y_slice_size of row b, plus scale * B[indices[b], layer]
/// (A[indices[b], layer] x[b]); without A x[b] is in its place. An index that names no matrix leaves the row alone.
std::shared_ptr<Executor> plan_add_lora(const LoraCall& call);

/// aclnnMatmulEmuSplitWeight: y = x (wHigh + wLow * wLowScale), in float.
std::shared_ptr<Executor> plan_split_weight_matmul(const void* x, const void* high, const void* low, const void* y,
                                                   float low_scale, std::int8_t dtype);

}  // namespace aclvk::ops
