#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Operators in which each output coordinate maps to an input coordinate.

std::shared_ptr<Executor> plan_flip(const void* self, const void* dims, const void* out);
/// torch.roll. Rolls the flattened tensor when `dims` is empty.
std::shared_ptr<Executor> plan_roll(const void* x, const void* shifts, const void* dims, const void* out);
std::shared_ptr<Executor> plan_repeat(const void* self, const void* repeats, const void* out);

/// Nearest-neighbour upsampling. `scales` are output size / input size of each spatial dim; computed from the sizes
/// when not positive. `exact`: uses pixel centres (nearest-exact).
struct Nearest {
  const char* name;
  std::size_t dims;
  bool exact;
  double scales[3];
};
std::shared_ptr<Executor> plan_upsample_nearest(const Nearest& nearest, const void* self, const void* output_size,
                                                const void* out);

}  // namespace aclvk::ops
