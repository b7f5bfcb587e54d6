#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/optimizer/adam.hpp"

namespace aclvk::ops {

/// aclnnApplyAdamWQuant: a step of AdamW with moments of eight bits: each is the code of one of 256 coefficients, in
/// ascending order, times the largest moment of its block (Dettmers et al., 8-bit optimizers via block-wise
/// quantization). `step` counts from 1.
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
  double scale;        ///< of gradients
  std::int64_t block;  ///< elements
};
std::shared_ptr<Executor> plan_quant_adam(const QuantAdamHandles& handles, const QuantAdamAttributes& attributes);

}  // namespace aclvk::ops
