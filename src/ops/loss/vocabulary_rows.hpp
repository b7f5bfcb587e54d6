#pragma once

#include <cstdint>
#include <functional>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/loss/vocabulary.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// The steps of vocabulary-parallel cross entropy on chunks of logits, floats in the workspace: (samples, classes).

/// Returns how many samples have their logits in the workspace at a time: up to 256 MiB, and a multiple of 8, so that
/// chunks begin at whole bytes of a bit mask.
std::int64_t samples_at_once(std::int64_t samples, std::int64_t classes);

/// Returns the view of `count` samples (first dim) from `first` on.
Tensor samples_of(const Tensor& tensor, std::int64_t first, std::int64_t count);

/// logits = input weight^T.
Kernels logit_kernels(const char* name, const Tensor& input, const Tensor& weight, const Tensor& logits,
                      Staging& staging, runtime::Execution execution);
/// to = from - largest, for each row.
Kernels subtract_max_kernels(const char* name, const Tensor& from, const Tensor& largest, const Tensor& to);
/// x = e^x.
Kernels exponential_kernels(const char* name, const Tensor& x);
/// to = from / sum, and to = from * factor, for each row.
Kernels divide_kernels(const char* name, const Tensor& from, const Tensor& sum, const Tensor& to);
Kernels multiply_kernels(const char* name, const Tensor& from, const Tensor& factor, const Tensor& to);

/// The per-sample tensors of a shard, all contiguous. `mask` is 1 for a target outside of the shard: a bit a sample in
/// UINT8, or one element a sample in other dtypes.
struct TargetTensors {
  const Tensor* target;
  const Tensor* rows;
  const Tensor* target_offsets;
  const Tensor* mask;
  const Tensor* predicted;
};
runtime::Kernel target_kernel(const char* name, const TargetTensors& tensors, Vocabulary vocabulary);

/// rows[target] -= gradient for each sample that is not masked. `first` is the first sample's index in the mask.
runtime::Kernel subtract_target_kernel(const char* name, const Tensor& rows, const Tensor& gradient,
                                       const Tensor& target_offsets, const Tensor& mask, std::int64_t first);

}  // namespace aclvk::ops
