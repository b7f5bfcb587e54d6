#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// The rows of complex.def, numbered by their place there; the shader numbers them the same way.
enum class ComplexOp : std::uint32_t {
#define COMPLEX(name, value) k##name,
#include "ops/elementwise/complex.def"
#undef COMPLEX
};

/// An operand or a result, and the name of its parameter.
struct ComplexArgument {
  const char* name;
  const void* handle;
};

/// The first phase of an operator of the table. `name` is the operator's C name.
std::shared_ptr<Executor> plan_complex(const char* name, ComplexOp op, const ComplexArgument& first,
                                       const ComplexArgument& second, const ComplexArgument& out);

}  // namespace aclvk::ops
