#pragma once

#include <memory>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// Operators whose results take many elements together: a row of a table over the halves of a dim, again and again.
// The order does not depend on the device, so results are the same everywhere.

/// out, one bool, tells whether self and other have the same shape and equal elements.
std::shared_ptr<Executor> plan_equal(const char* name, const PointwiseArguments& arguments);

struct PreluGradient {
  PointwiseArgument grad_output;
  PointwiseArgument self;
  PointwiseArgument weight;
  PointwiseArgument grad_input;
  PointwiseArgument grad_weight;
};
std::shared_ptr<Executor> plan_prelu_gradient(const char* name, const PreluGradient& arguments);

/// Of self * (1 + scale) + shift. What belongs to scale or shift may be NULL.
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
