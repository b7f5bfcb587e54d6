#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ops/executor/operator.hpp"
#include "ops/executor/tensor_parameters.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Results whose shape depends on data, such as those of aclnnNonzero. A program passes tensors of the maximal length.
// The second phase runs the kernels that compute the length, waits for the stream, reads the length, runs the remaining
// kernels, waits again, and then sets the view shapes of the results.

/// The largest number of elements that can be counted: running sums are INT32.
constexpr std::int64_t kMaxCounted = 0x7FFFFFFF;

/// The kernels of such an operator.
struct DynamicLengthPlan {
  Kernels kernels;  ///< compute the length
  Tensor sums;      ///< INT32 in the workspace; the last element is the length. Length 0 when it is empty
  std::function<Kernels(std::int64_t length)> rest;  ///< the remaining kernels, made when the length is known
};

/// A result's handle, and the view that its tensor becomes when the length is known.
struct DynamicLengthResult {
  const aclTensor* handle;
  std::function<Tensor(std::int64_t length)> view;
};

/// Returns the tensor with `length` elements along `dim`. A contiguous tensor stays contiguous; other strides stay.
Tensor shortened(const Tensor& tensor, std::size_t dim, std::int64_t length);

using MakeDynamicLengthPlan = std::function<DynamicLengthPlan(const TensorParameters::BoundTensors&, Staging&)>;

/// The executor of such an operator. `make_plan` is called in both phases, and must request the same tensors from the
/// Staging each time.
std::shared_ptr<Executor> dynamic_length_executor(const char* name, const TensorParameters& tensors,
                                                  MakeDynamicLengthPlan make_plan,
                                                  std::vector<DynamicLengthResult> results);

}  // namespace aclvk::ops
