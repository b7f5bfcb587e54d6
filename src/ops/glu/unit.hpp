#pragma once

#include <cstdint>
#include <optional>

#include "base/inline_vector.hpp"
#include "ops/glu/halves.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype.hpp"

namespace aclvk::ops {

/// The rows of glu.def. The enumerator is the row's index in the table, and the shaders' specialization constant.
enum class GluOp : std::uint32_t {
#define GLU(name, half, activation, derivative, linear, linear_derivative) k##name,
#include "ops/glu/glu.def"
#undef GLU
};

/// A gated linear unit with its attributes.
struct GluUnit {
  const char* name;  ///< the operator's C name
  GluOp op;
  std::int64_t dim = -1;
  std::optional<Half> activated{};  ///< unset: the half that glu.def names
  bool interleaved = false;
  double alpha = 1;
  double limit = 0;
  double bias = 0;
};

/// Returns the dtypes of the operator's data operands. The operator table lists INT64 for the group sizes, too.
DTypeSet unit_dtypes(const char* name);

/// Returns the halves that the unit combines; 161002 where x cannot be split.
Halves check_halves(const GluUnit& unit, const Tensor& x, const char* name);

/// Returns a call without operands: name, shader, constants and arguments. `promoted` is the dtype of x.
StridedCall unit_call(const GluUnit& unit, DType promoted, std::string_view shader);

/// The gradient that a kernel writes: kGradientOf of shaders/glu/backward.comp.
enum class GradientOf : std::uint32_t { kGate = 0, kLinear = 1, kWeight = 2 };
/// Adds that constant to a unit_call() of glu/backward_single.
void set_gradient(StridedCall& call, GradientOf of);

}  // namespace aclvk::ops
