#pragma once

#include <memory>

#include "ops/executor.hpp"
#include "ops/glu/unit.hpp"

namespace aclvk::ops {

// The gated linear units of glu.def: a tensor has two halves along a dim, and the result is an activation of one of
// them times the other. Where rows have weights or are counted by groups: group.hpp.

/// One tensor and the result, of the same dtype.
std::shared_ptr<Executor> plan_glu(const GluUnit& unit, const NamedTensor& x, const NamedTensor& out);

/// aclnnFatreluMul: the threshold is a tensor of one element.
std::shared_ptr<Executor> plan_fatrelu_mul(const NamedTensor& x, const NamedTensor& threshold, const NamedTensor& out);

/// `out` gets the gradients of both halves of x, where these lie in x.
std::shared_ptr<Executor> plan_glu_gradient(const GluUnit& unit, const NamedTensor& gradient, const NamedTensor& x,
                                            const NamedTensor& out);

/// The row of GeGlu for `approximate`, which is 0 (none) or 1 (tanh); for "none" or "tanh", or NULL for "none". 161002
/// for others.
GluOp gelu_unit(std::int64_t approximate);
GluOp gelu_unit(const char* approximate, const char* name);

/// aclnnGeGlu and its relatives: `gelu` gets the activated part.
std::shared_ptr<Executor> plan_ge_glu(const char* name, std::int64_t dim, std::int64_t approximate, Half activated,
                                      const void* self, const void* out, const void* gelu);
/// From the activated part that was gelu.
std::shared_ptr<Executor> plan_ge_glu_gradient(const char* name, std::int64_t dim, std::int64_t approximate,
                                               Half activated, const void* gradient, const void* self, const void* gelu,
                                               const void* out);
/// aclnnGeluMul, along the last dim.
std::shared_ptr<Executor> plan_gelu_mul(const void* input, const char* approximate, const void* out);

}  // namespace aclvk::ops
