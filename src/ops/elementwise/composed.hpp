#pragma once

#include <cstdint>
#include <memory>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// Operators that need more than a row of a table: an attribute selects the row, an operand is viewed in another shape,
// or several rows run in sequence. `name` is the operator's C name.

/// Div, or DivTrunc when operands and result are integers, as on the vendor's devices.
std::shared_ptr<Executor> plan_div(const char* name, const PointwiseArguments& arguments);

/// Div, DivTrunc or DivFloor for the last attribute, mode 0, 1 or 2. Checks the mode last, as all attributes.
std::shared_ptr<Executor> plan_div_mod(const char* name, const PointwiseArguments& arguments);

/// aclnnClamp: one of the bounds may be NULL.
std::shared_ptr<Executor> plan_clamp(const char* name, const PointwiseArguments& arguments);

/// aclnnClampTensor: clamps to bounds that are tensors.
std::shared_ptr<Executor> plan_clamp_tensor(const char* name, const PointwiseArguments& arguments);

/// aclnnGeluV2: `approximate`, the last attribute, is 0 for the error function, 1 for tanh.
std::shared_ptr<Executor> plan_gelu(const char* name, const PointwiseArguments& arguments);

/// Rounds to a number of decimals; a negative number rounds to powers of ten.
std::shared_ptr<Executor> plan_round_decimals(const char* name, const PointwiseArguments& arguments);

/// aclnnPrelu. The weight has one element, or one for each channel (dim 1 of self).
std::shared_ptr<Executor> plan_prelu(const char* name, const PointwiseArguments& arguments);

}  // namespace aclvk::ops
