#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Operators in which each output coordinate maps to an input coordinate.

/// Nearest-neighbour upsampling. `scales` are output size / input size of each spatial dim; computed from the sizes
/// when not positive. `exact`: uses pixel centres (nearest-exact).
struct Nearest {
  const char* name;
  std::size_t dims;
  bool exact;
  double scales[3];
};
std::shared_ptr<Executor> plan_upsample_nearest(const Nearest& nearest, const InputArg& self,
                                                const IntArrayArg& output_size, const OutputArg& out);

}  // namespace aclvk::ops
