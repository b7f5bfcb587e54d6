#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// Each element of self several times in a row, along a dim or, without one, of the flattened tensor. `output_size` is
/// the sum of the repeats, which the host does not know.
struct RepeatHandles {
  const char* name;
  const void* self;
  bool has_dim;
  std::int64_t dim;
  std::int64_t output_size;
  const void* out;
};
/// The number of repeats is the same for all.
std::shared_ptr<Executor> plan_repeat_interleave_int(const RepeatHandles& handles, std::int64_t repeats);
/// A tensor has a number for each, or one for all.
std::shared_ptr<Executor> plan_repeat_interleave(const RepeatHandles& handles, const void* repeats);
/// Only the indices: n as often as repeats[n] says.
std::shared_ptr<Executor> plan_repeat_interleave_indices(const void* repeats, std::int64_t output_size,
                                                         const void* out);
/// Sums up the gradients of what was repeated.
std::shared_ptr<Executor> plan_repeat_interleave_grad(const void* grad, const void* repeats, std::int64_t axis,
                                                      const void* out);

}  // namespace aclvk::ops
