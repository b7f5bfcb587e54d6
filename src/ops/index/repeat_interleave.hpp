#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// torch.repeat_interleave: repeats each element of self along a dim or, without one, of the flattened tensor.
/// `output_size` is the sum of the repeats, which the host does not know.
struct RepeatHandles {
  const char* name;
  InputArg self;
  bool has_dim;
  std::int64_t dim;
  std::int64_t output_size;
  OutputArg out;
};
/// Repeats all elements the same number of times.
std::shared_ptr<Executor> plan_repeat_interleave_int(const RepeatHandles& handles, std::int64_t repeats);
/// `repeats` is a tensor with one number per element, or a single one.
std::shared_ptr<Executor> plan_repeat_interleave(const RepeatHandles& handles, const InputArg& repeats);

}  // namespace aclvk::ops
