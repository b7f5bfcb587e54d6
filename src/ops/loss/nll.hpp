#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/loss/reduced.hpp"

namespace aclvk::ops {

// The negative log likelihood of the classes that targets name. self is (C), (N, C) or, of images, (N, C, H, W); the
// target has its shape without C. A target that names no class has no part in the loss, as one that is ignored.

struct NllHandles {
  const void* self = nullptr;
  const void* target = nullptr;
  const void* weight = nullptr;
  std::int64_t reduction = 0;
  std::int64_t ignored = 0;
  bool images = false;
};

/// `total_weight` is the sum of the weights of all samples, or 0 where nothing is reduced.
std::shared_ptr<Executor> plan_nll(const char* name, const NllHandles& handles, const void* out,
                                   const void* total_weight);

std::shared_ptr<Executor> plan_nll_gradient(const char* name, const void* gradient, const NllHandles& handles,
                                            const void* total_weight, const void* out);

// The same for operators that have it among others.

/// How classes are found.
struct NllClasses {
  std::int64_t ignored;
  std::size_t dim;  ///< of self
};

/// The loss of each sample into `losses`, in its dtype, and the weight of each into `weights`; either may be null.
Kernels nll_kernels(const char* name, const NllClasses& classes, const Tensor& self, const Tensor& target,
                    const Tensor& weight, const Tensor* losses, const Tensor* weights);

/// The sum of all elements, in float.
Kernels summed_kernels(const char* name, const Tensor& elements, const Tensor& out, Staging& staging);
/// A loss from those of all samples, `loss`, and their weights; both are scalars.
Kernels reduced_loss_kernels(const char* name, LossReduction reduction, const Tensor& loss, const Tensor& weight,
                             const Tensor& out);

/// The gradient for all classes of all samples. `total_weight` is null unless it divides. The gradient of the loss
/// broadcasts to the target.
Kernels nll_gradient_kernels(const char* name, const NllClasses& classes, const Tensor& gradient, const Tensor& target,
                             const Tensor& weight, const Tensor* total_weight, const Tensor& out);

}  // namespace aclvk::ops
