#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

// Results whose length only the device finds out. A program gives tensors of the greatest length; the second phase runs
// what finds the length, waits, runs the rest, waits again, and then sets the view shapes.

/// Elements that can be counted: sums of them are INT32.
constexpr std::int64_t kMaxCounted = 0x7FFFFFFF;

/// The work of such an operator.
struct DynamicLengthPlan {
  Kernels kernels;  ///< these find the length
  Tensor sums;      ///< INT32 in the workspace; its last element becomes the length, which is 0 where there is none
  std::function<Kernels(std::int64_t length)> rest;  ///< what remains to be done once it is known
};

/// A result, and what its tensor becomes when the length is known.
struct DynamicLengthResult {
  const void* handle;
  std::function<Tensor(std::int64_t length)> view;
};

/// The result with so many elements along `dim`. One without gaps stays without gaps; strides of others stay.
Tensor shortened(const Tensor& tensor, std::size_t dim, std::int64_t length);

/// For each number n of the elements of `places`, a vector of UINT32: the element where the sums become n + 1; behind
/// the last one, how many elements there are.
Kernels selected_indices_kernels(const char* name, const Tensor& places, const Tensor& sums);

using MakeDynamicLengthPlan = std::function<DynamicLengthPlan(const TensorParameters::BoundTensors&, Staging&)>;

/// The executor of such an operator. `find` is asked for the same work again when the length is known, so it has to ask
/// the Staging for the same tensors each time.
std::shared_ptr<Executor> dynamic_length_executor(const char* name, const TensorParameters& tensors,
                                                  MakeDynamicLengthPlan make_plan,
                                                  std::vector<DynamicLengthResult> results);

}  // namespace aclvk::ops
