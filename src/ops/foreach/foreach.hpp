#pragma once

#include <cstdint>
#include <memory>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// Operators on lists of tensors. Members do not depend on each other: those whose kernels agree run as one
// (joined_kernels.hpp). `name` is the operator's C name; arguments are in the order of its parameters. Without a list
// for the output, the first list is the output.

/// An operator of foreach.def.
std::shared_ptr<Executor> plan_foreach(const char* name, const PointwiseRow& row, const PointwiseArguments& arguments,
                                       std::int64_t attribute);

/// x1 + s x2 x3 or x1 + s x2 / x3, where s is a tensor with an element a member, or one for all.
enum class Scaled { kProduct, kQuotient };
std::shared_ptr<Executor> plan_foreach_scaled(const char* name, Scaled scaled, const PointwiseArguments& arguments);

std::shared_ptr<Executor> plan_foreach_copy(const char* name, const PointwiseArguments& arguments);
std::shared_ptr<Executor> plan_foreach_zero(const char* name, const PointwiseArguments& arguments);
/// The norm of each member, of the order that the scalar says.
std::shared_ptr<Executor> plan_foreach_norm(const char* name, const PointwiseArguments& arguments);

/// Multiplies the gradients by inv_scale; found_inf becomes 1 if one of them is infinite or NaN, else it stays.
std::shared_ptr<Executor> plan_foreach_unscale(const char* name, const PointwiseArguments& arguments);

}  // namespace aclvk::ops
