#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/glu/unit.hpp"

namespace aclvk::ops {

// Gated linear units: a tensor is split in two halves along a dim, and the result is activation(one half) * other half.
// The activations are the rows of glu.def. Units with row weights or group counts are in group.hpp.

/// A unit of one tensor; `out` has the dtype of x and the shape of a half.
std::shared_ptr<Executor> plan_glu(const GluUnit& unit, const InputArg& x, const OutputArg& out);

/// Writes the gradients of both halves to the halves of `out`, which has the shape of x.
std::shared_ptr<Executor> plan_glu_gradient(const GluUnit& unit, const InputArg& gradient, const InputArg& x,
                                            const OutputArg& out);

/// Returns the row of GELU for `approximate`: 0 or "none" (NULL counts as "none") is the exact form with the normal
/// CDF, 1 or "tanh" the approximation. 161002 for other values.
GluOp gelu_unit(std::int64_t approximate);
GluOp gelu_unit(const char* approximate, const char* name);

/// The attributes of aclnnGeGlu and its later versions.
struct GeGluAttributes {
  std::int64_t dim;
  std::int64_t approximate;
  Half activated;
};
/// aclnnGeGlu and its later versions. `gelu` receives the activated half, which the gradient reads.
std::shared_ptr<Executor> plan_ge_glu(const char* name, const GeGluAttributes& attributes, const InputArg& self,
                                      const OutputArg& out, const OutputArg& gelu);
/// The gradient; `gelu` is the activated half that the forward operator stored.
std::shared_ptr<Executor> plan_ge_glu_gradient(const char* name, const GeGluAttributes& attributes,
                                               const InputArg& gradient, const InputArg& self, const InputArg& gelu,
                                               const OutputArg& out);

}  // namespace aclvk::ops
