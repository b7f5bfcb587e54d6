#pragma once

#include <cstdint>
#include <optional>

#include "base/inline_vector.hpp"
#include "ops/dtype.hpp"
#include "ops/glu/halves.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {

/// The rows of glu.def. A row's number is its place; the shaders number them the same way.
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
  std::optional<Half> activated{};  ///< that of the row
  bool interleaved = false;
  double alpha = 1;
  double limit = 0;
  double bias = 0;
};

/// The dtypes that the operands of an operator may have. (The tables count the index of groups among them.)
DTypeSet unit_dtypes(const char* name);

/// The halves of x that the unit combines; 161002 where x has no such halves.
Halves check_halves(const GluUnit& unit, const Tensor& x, const char* name);

/// The part of a kernel that does not depend on operands. `promoted` is the dtype of x.
StridedCall unit_call(const GluUnit& unit, DType promoted, std::string_view shader);

/// Which part's gradient: kGradientOf of shaders/glu/backward.comp.
enum class GradientOf : std::uint32_t { kGate = 0, kLinear = 1, kWeight = 2 };

}  // namespace aclvk::ops
