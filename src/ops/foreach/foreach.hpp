#pragma once

#include <cstdint>
#include <memory>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// Operators on lists of tensors (torch._foreach_*). Kernels of members with the same pipeline are joined
// (joined_kernels.hpp). `name` is the operator's C name; arguments are in the order of its parameters. In-place
// operators have no output list and write the first list.

/// An operator of foreach.def.
std::shared_ptr<Executor> plan_foreach(const char* name, const PointwiseRow& row, const PointwiseArguments& arguments,
                                       std::int64_t attribute);

/// x1 + s * x2 * x3 or x1 + s * x2 / x3, where s is a tensor with an element for each member, or one for all.
enum class Scaled { kProduct, kQuotient };
std::shared_ptr<Executor> plan_foreach_scaled(const char* name, Scaled scaled, const PointwiseArguments& arguments);

std::shared_ptr<Executor> plan_foreach_copy(const char* name, const PointwiseArguments& arguments);
std::shared_ptr<Executor> plan_foreach_zero(const char* name, const PointwiseArguments& arguments);
/// The norm of each member; the scalar is the order.
std::shared_ptr<Executor> plan_foreach_norm(const char* name, const PointwiseArguments& arguments);

/// Multiplies gradients by inv_scale (GradScaler). found_inf becomes 1 when an element is infinite or NaN, and is not
/// written otherwise.
std::shared_ptr<Executor> plan_foreach_unscale(const char* name, const PointwiseArguments& arguments);

}  // namespace aclvk::ops
