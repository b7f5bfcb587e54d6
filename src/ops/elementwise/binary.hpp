#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// The rows of binary.def, numbered by their place there; the shader numbers them the same way.
enum class BinaryOp : std::uint32_t {
#define BINARY(name, rule, value) k##name,
#include "ops/elementwise/binary_rows.def"
#undef BINARY
};

/// The public handles of a call. `other` is an aclTensor or an aclScalar; `out` is self for an in-place operator.
struct BinaryHandles {
  const void* self = nullptr;
  const void* other = nullptr;
  const void* alpha = nullptr;
  const void* out = nullptr;
  bool other_is_scalar = false;
  bool has_alpha = false;
  bool in_place = false;
};

/// The first phase of an operator of the table. `name` is the operator's C name.
std::shared_ptr<Executor> plan_binary(const char* name, BinaryOp op, const BinaryHandles& handles);

/// Div, DivTrunc or DivFloor for mode 0, 1, 2. A wrong mode is refused, as attributes are, after all other checks.
std::shared_ptr<Executor> plan_div_mod(const char* name, int mode, const BinaryHandles& handles);

}  // namespace aclvk::ops
