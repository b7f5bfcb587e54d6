#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/loss/loss_reduction.hpp"

namespace aclvk::ops {

// The negative log-likelihood loss, -weight[c] * self[c] for the target class c. self is (C), (N, C) or, for images,
// (N, C, H, W); the target has that shape without C. A target that is not a class counts as ignored.

struct NllHandles {
  InputArg self{};
  InputArg target{};
  InputArg weight{};
  std::int64_t reduction = 0;
  std::int64_t ignored = 0;
  bool images = false;
};

/// `total_weight` receives the sum of the samples' weights, 0 without a reduction.
std::shared_ptr<Executor> plan_nll(const char* name, const NllHandles& handles, const OutputArg& out,
                                   const OutputArg& total_weight);

std::shared_ptr<Executor> plan_nll_gradient(const char* name, const InputArg& gradient, const NllHandles& handles,
                                            const InputArg& total_weight, const OutputArg& out);

// The steps, for other operators (cross entropy).

/// The dim of the classes, and the class that is ignored.
struct NllClasses {
  std::int64_t ignored;
  std::size_t dim;  ///< of self
};

/// The samples of a loss: their classes, and the weight of each class.
struct NllCall {
  const char* name;
  NllClasses classes;
  const Tensor* target;
  const Tensor* weight;
};

/// Writes the loss of each sample to `losses`, in its dtype, and its weight to `weights`; either may be null.
Kernels nll_kernels(const NllCall& nll, const Tensor& self, const Tensor* losses, const Tensor* weights);

/// Sums all elements in float.
Kernels summed_kernels(const char* name, const Tensor& elements, const Tensor& out, Staging& staging);
/// Writes the reduced loss from the summed loss and the summed weight, both scalars: for a mean it divides.
Kernels reduced_loss_kernels(const char* name, LossReduction reduction, const Tensor& loss, const Tensor& weight,
                             const Tensor& out);

/// Writes the gradient of all classes of all samples; `gradient` broadcasts to the target. A non-null `total_weight`
/// divides it (mean).
Kernels nll_gradient_kernels(const NllCall& nll, const Tensor& gradient, const Tensor* total_weight, const Tensor& out);

}  // namespace aclvk::ops
