#pragma once

#include <memory>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// Operators that reduce with rows of the pointwise tables: the halves of a dim are combined until one element is left
// (tree reduction). The order of additions does not depend on the device, so results are the same on all devices.

/// aclnnEqual: out, one bool, is true when self and other have the same shape and equal elements.
std::shared_ptr<Executor> plan_equal(const char* name, const PointwiseArguments& arguments);

struct PreluGradient {
  PointwiseArgument grad_output;
  PointwiseArgument self;
  PointwiseArgument weight;
  PointwiseArgument grad_input;
  PointwiseArgument grad_weight;
};
std::shared_ptr<Executor> plan_prelu_gradient(const char* name, const PreluGradient& arguments);

/// The gradients of self * (1 + scale) + shift. Handles of scale and shift may be NULL.
struct ModulateGradient {
  PointwiseArgument grad_output;
  PointwiseArgument input;
  PointwiseArgument scale;
  PointwiseArgument shift;
  PointwiseArgument grad_input;
  PointwiseArgument grad_scale;
  PointwiseArgument grad_shift;
};
std::shared_ptr<Executor> plan_modulate_gradient(const char* name, const ModulateGradient& arguments);

}  // namespace aclvk::ops
