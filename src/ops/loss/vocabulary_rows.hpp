#pragma once

#include <cstdint>
#include <functional>

#include "ops/loss/vocabulary.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

// Steps of the operators in vocabulary.hpp on rows of logits, which are floats in the workspace: (samples, classes).

/// How many samples have their rows in the workspace at the same time; whole bytes of a mask.
std::int64_t samples_at_once(std::int64_t samples, std::int64_t classes);

/// Some of the samples of a tensor, the first dim.
Tensor samples_of(const Tensor& tensor, std::int64_t first, std::int64_t count);

/// logits = input weight^T.
Kernels logit_kernels(const char* name, const Tensor& input, const Tensor& weight, const Tensor& logits,
                      Staging& staging, runtime::Execution execution);
/// to = from - largest, for each row.
Kernels subtract_max_kernels(const char* name, const Tensor& from, const Tensor& largest, const Tensor& to);
/// x = e^x.
Kernels exponential_kernels(const char* name, const Tensor& x);
/// to = from / sum or from * factor, for each row.
Kernels divide_kernels(const char* name, const Tensor& from, const Tensor& sum, const Tensor& to);
Kernels multiply_kernels(const char* name, const Tensor& from, const Tensor& factor, const Tensor& to);

/// What targets have in a part of a vocabulary; all tensors are contiguous. The mask is a bit of a sample, in UINT8, or
/// a number.
struct TargetTensors {
  const Tensor* target;
  const Tensor* rows;
  const Tensor* target_offsets;
  const Tensor* mask;
  const Tensor* predicted;
};
runtime::Kernel target_kernel(const char* name, const TargetTensors& tensors, Vocabulary vocabulary);

/// Takes the gradient of each sample from the place of its target. `first` is the number of the first sample.
runtime::Kernel subtract_target_kernel(const char* name, const Tensor& rows, const Tensor& gradient,
                                       const Tensor& target_offsets, const Tensor& mask, std::int64_t first);

}  // namespace aclvk::ops
