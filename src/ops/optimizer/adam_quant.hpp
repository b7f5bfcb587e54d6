#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/optimizer/adam.hpp"

namespace aclvk::ops {

/// aclnnApplyAdamWQuant: a step of AdamW with 8-bit moments (T. Dettmers et al., 8-bit Optimizers via Block-wise
/// Quantization, 2022). A moment is map[code] * absmax: a table of 256 ascending numbers, indexed by the code, times
/// the largest absolute moment of its block. `step` counts from 1.
struct QuantAdamHandles {
  UpdatedArg variable;
  InputArg gradient;
  UpdatedArg first;
  UpdatedArg second;
  InputArg first_map;
  InputArg second_map;
  UpdatedArg first_absmax;
  UpdatedArg second_absmax;
  InputArg step;
  const char* mode;  ///< "BLOCKWISE", or NULL
};
struct QuantAdamAttributes {
  AdamAttributes adam;
  double scale;        ///< multiplies the gradients
  std::int64_t block;  ///< elements of a block
};
std::shared_ptr<Executor> plan_quant_adam(const QuantAdamHandles& handles, const QuantAdamAttributes& attributes);

}  // namespace aclvk::ops
