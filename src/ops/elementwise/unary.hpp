#pragma once

#include <cstdint>
#include <memory>

#include "base/inline_vector.hpp"
#include "ops/executor.hpp"

namespace aclvk::ops {

/// The rows of unary.def, numbered by their place there; the shaders number them the same way.
enum class UnaryOp : std::uint32_t {
#define UNARY(topic, forms, name, rule, value) k##name,
#include "ops/elementwise/unary.def"
#undef UNARY
};

/// An argument of a call, and the name of its parameter.
struct UnaryArgument {
  enum class Kind { kTensor, kScalar, kNumber };
  const char* name;
  Kind kind;
  const void* handle;  ///< of a tensor or a scalar
  double number;
};

/// The arguments as the operator's parameters are: the operand, scalars and numbers, the result. An operator in place
/// has one tensor.
using UnaryArguments = InlineVector<UnaryArgument, 5>;

/// The first phase of an operator of the table. `name` is the operator's C name.
std::shared_ptr<Executor> plan_unary(const char* name, UnaryOp op, const UnaryArguments& arguments);

/// aclnnClamp: one of the bounds may be NULL.
std::shared_ptr<Executor> plan_clamp(const char* name, const UnaryArguments& arguments);

/// aclnnGeluV2: `approximate` is 0 for the error function, 1 for tanh.
std::shared_ptr<Executor> plan_gelu(const char* name, const UnaryArguments& arguments);

/// Rounds to so many decimals behind the point, or before it if they are negative.
std::shared_ptr<Executor> plan_round_decimals(const char* name, const UnaryArguments& arguments);

/// aclnnLogSigmoidForward: buffer becomes e^-|x|, which the backward pass starts from. An empty buffer is left alone.
std::shared_ptr<Executor> plan_log_sigmoid_forward(const char* name, const void* self, const void* out,
                                                   const void* buffer);

}  // namespace aclvk::ops
