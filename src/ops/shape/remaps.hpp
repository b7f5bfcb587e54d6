#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Operators whose output takes each coordinate from one of the input.

std::shared_ptr<Executor> plan_flip(const void* self, const void* dims, const void* out);
/// Along all of the elements when there are no dims.
std::shared_ptr<Executor> plan_roll(const void* x, const void* shifts, const void* dims, const void* out);
std::shared_ptr<Executor> plan_repeat(const void* self, const void* repeats, const void* out);

/// An upsampling to the nearest pixel. `scales`: output by input size of each spatial dim; what is not positive follows
/// from the sizes. `exact`: pixels are compared by their centres.
struct Nearest {
  const char* name;
  std::size_t dims;
  bool exact;
  double scales[3];
};
std::shared_ptr<Executor> plan_upsample_nearest(const Nearest& nearest, const void* self, const void* output_size,
                                                const void* out);

}  // namespace aclvk::ops
