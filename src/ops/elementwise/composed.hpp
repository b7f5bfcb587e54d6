#pragma once

#include <cstdint>
#include <memory>

#include "ops/elementwise/tables.hpp"

namespace aclvk::ops {

// Operators that are a row of a table, or several, and something more: an attribute that picks the row, an operand that
// is read in another shape. `name` is the operator's C name.

/// Div; DivTrunc where operands and result are integers, as programs find it on boards.
std::shared_ptr<Executor> plan_div(const char* name, const PointwiseArguments& arguments);

/// Div, DivTrunc or DivFloor for mode 0, 1, 2, the last attribute. A wrong mode is refused, as attributes are, after
/// all other checks.
std::shared_ptr<Executor> plan_div_mod(const char* name, const PointwiseArguments& arguments);

/// aclnnClamp: one of the bounds may be NULL.
std::shared_ptr<Executor> plan_clamp(const char* name, const PointwiseArguments& arguments);

/// aclnnClampTensor: the same with bounds that are tensors.
std::shared_ptr<Executor> plan_clamp_tensor(const char* name, const PointwiseArguments& arguments);

/// aclnnGeluV2: `approximate`, the last attribute, is 0 for the error function, 1 for tanh.
std::shared_ptr<Executor> plan_gelu(const char* name, const PointwiseArguments& arguments);

/// Rounds to so many decimals behind the point, or before it if they are negative.
std::shared_ptr<Executor> plan_round_decimals(const char* name, const PointwiseArguments& arguments);

/// aclnnLogSigmoidForward: buffer becomes e^-|x|, which the backward pass starts from. An empty buffer is left alone.
std::shared_ptr<Executor> plan_log_sigmoid_forward(const char* name, const PointwiseArgument& self,
                                                   const PointwiseArgument& out, const PointwiseArgument& buffer);

/// The weight has one element, or one for each channel (dim 1 of self).
std::shared_ptr<Executor> plan_prelu(const char* name, const PointwiseArguments& arguments);

/// `buffer`, which others keep for this gradient, may be NULL: it is not looked at.
std::shared_ptr<Executor> plan_log_sigmoid_gradient(const char* name, const void* buffer,
                                                    const PointwiseArguments& arguments);

/// The result tells the sign of the input only where the slope is not negative.
std::shared_ptr<Executor> plan_leaky_relu_gradient(const char* name, bool from_result,
                                                   const PointwiseArguments& arguments);

/// From the activation's result where `from_result`, which tells the sign of the input only where alpha is not
/// negative.
std::shared_ptr<Executor> plan_elu_gradient(const char* name, bool from_result, const PointwiseArguments& arguments);

/// `approximate` is "none" or "tanh".
std::shared_ptr<Executor> plan_gelu_gradient(const char* name, const char* approximate,
                                             const PointwiseArguments& arguments);

/// self * (1 + scale) + shift for self (B, L, D); scale and shift are (B, D) or (B, 1, D), or NULL.
std::shared_ptr<Executor> plan_modulate(const char* name, const PointwiseArgument& self, const PointwiseArgument& scale,
                                        const PointwiseArgument& shift, const PointwiseArgument& out);

/// Which dims of x those of scale stand for: from `axis` on `count` (-1: all that follow, 0: none) if from_blob, else
/// as many as scale has.
struct ScaleDims {
  std::int64_t axis;
  std::int64_t count;
  bool from_blob;
};

/// x * scale + bias; bias may be NULL.
std::shared_ptr<Executor> plan_scale(const char* name, const PointwiseArgument& x, const PointwiseArgument& scale,
                                     const PointwiseArgument& bias, const ScaleDims& dims, const PointwiseArgument& y);

/// A row over all tensors of an aclTensorList, from left to right; halves are combined in float. The tensors have one
/// dtype and shape, or one dtype and broadcast, or promote and broadcast.
enum class ListMembers { kSame, kBroadcast, kPromote };
std::shared_ptr<Executor> plan_over_list(const char* name, BinaryOp op, ListMembers differ, const void* tensors,
                                         const PointwiseArgument& out);

}  // namespace aclvk::ops
