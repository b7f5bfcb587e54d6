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

/// aclnnLogSigmoidForward. Also writes e^-|x| to buffer, for the backward pass, unless buffer is empty.
std::shared_ptr<Executor> plan_log_sigmoid_forward(const char* name, const PointwiseArgument& self,
                                                   const PointwiseArgument& out, const PointwiseArgument& buffer);

/// aclnnPrelu. The weight has one element, or one for each channel (dim 1 of self).
std::shared_ptr<Executor> plan_prelu(const char* name, const PointwiseArguments& arguments);

/// aclnnLogSigmoidBackward. Ignores `buffer`, which may be NULL.
std::shared_ptr<Executor> plan_log_sigmoid_gradient(const char* name, const void* buffer,
                                                    const PointwiseArguments& arguments);

/// Computes the gradient from the forward result when `from_result`, which needs a slope that is not negative:
/// otherwise the result does not determine the input's sign.
std::shared_ptr<Executor> plan_leaky_relu_gradient(const char* name, bool from_result,
                                                   const PointwiseArguments& arguments);

/// Computes the gradient from the forward result when `from_result`, which needs an alpha that is not negative.
std::shared_ptr<Executor> plan_elu_gradient(const char* name, bool from_result, const PointwiseArguments& arguments);

/// `approximate` is "none" or "tanh".
std::shared_ptr<Executor> plan_gelu_gradient(const char* name, const char* approximate,
                                             const PointwiseArguments& arguments);

/// self * (1 + scale) + shift for self (B, L, D); scale and shift are (B, D) or (B, 1, D), or NULL.
std::shared_ptr<Executor> plan_modulate(const char* name, const PointwiseArgument& self, const PointwiseArgument& scale,
                                        const PointwiseArgument& shift, const PointwiseArgument& out);

/// The dims of x that scale covers: `count` dims from `axis` on (-1: all, 0: none) when from_blob is set, else as many
/// as scale has.
struct ScaleDims {
  std::int64_t axis;
  std::int64_t count;
  bool from_blob;
};

/// x * scale + bias; bias may be NULL.
std::shared_ptr<Executor> plan_scale(const char* name, const PointwiseArgument& x, const PointwiseArgument& scale,
                                     const PointwiseArgument& bias, const ScaleDims& dims, const PointwiseArgument& y);

/// How the tensors of an aclTensorList combine: same dtype and shape; same dtype with broadcasting; promotion with
/// broadcasting. The list is reduced from left to right, 16-bit floats in float.
enum class ListMembers { kSame, kBroadcast, kPromote };
std::shared_ptr<Executor> plan_over_list(const char* name, BinaryOp op, ListMembers differ, const void* tensors,
                                         const PointwiseArgument& out);

}  // namespace aclvk::ops
