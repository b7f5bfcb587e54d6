#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The rows of complex.def, numbered by position, as in the shader.
enum class ComplexOp : std::uint32_t {
#define COMPLEX(name, value) k##name,
#include "ops/elementwise/complex.def"
#undef COMPLEX
};

/// The handle of an operand or a result, and the name of its parameter.
struct ComplexArgument {
  const char* name;
  const void* handle;
};

/// Plans an operator of the table. `name` is its C name.
std::shared_ptr<Executor> plan_complex(const char* name, ComplexOp op, const ComplexArgument& first,
                                       const ComplexArgument& second, const ComplexArgument& out);

}  // namespace aclvk::ops
