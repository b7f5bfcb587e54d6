#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/optimizer/adam.hpp"

namespace aclvk::ops {

/// aclnnApplyAdamWQuant: a step of AdamW with 8-bit moments (T. Dettmers et al., 8-bit Optimizers via Block-wise
/// Quantization, 2022). A moment is map[code] * absmax: a table of 256 ascending numbers, indexed by the code, times
/// the largest absolute moment of its block. `step` counts from 1.
struct QuantAdamHandles {
  const void* variable;
  const void* gradient;
  const void* first;
  const void* second;
  const void* first_map;
  const void* second_map;
  const void* first_absmax;
  const void* second_absmax;
  const void* step;
  const char* mode;  ///< "BLOCKWISE", or NULL
};
struct QuantAdamAttributes {
  AdamAttributes adam;
  double scale;        ///< multiplies the gradients
  std::int64_t block;  ///< elements of a block
};
std::shared_ptr<Executor> plan_quant_adam(const QuantAdamHandles& handles, const QuantAdamAttributes& attributes);

}  // namespace aclvk::ops
