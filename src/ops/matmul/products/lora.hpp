#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The arguments of aclnnAddLora, named after its parameters.
struct LoraCall {
  InputArg y;
  InputArg x;
  InputArg weight_b;
  InputArg indices;
  InputArg weight_a;
  std::int64_t layer;
  double scale;
  std::int64_t y_offset;
  std::int64_t y_slice_size;
  OutputArg out;
};
/// Plans aclnnAddLora, which adds low-rank adapters (LoRA, Hu et al. 2021): out = y, and in columns y_offset to
/// y_offset + y_slice_size row b gets plus scale * B[indices[b], layer] (A[indices[b], layer] x[b]). Without A, x[b]
/// takes the place of the inner product. Rows whose index is out of range are not changed.
std::shared_ptr<Executor> plan_add_lora(const LoraCall& call);

}  // namespace aclvk::ops
