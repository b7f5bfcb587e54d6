#pragma once

#include <cstdint>
#include <type_traits>

#include "aclnn/aclnn_base.h"
#include "ops/executor/call_arguments.hpp"
#include "ops/executor/tensor_numbers.hpp"

// The parameters of an operator, written once: a sequence of (type, name) pairs, for example
//
//     (const aclTensor*, self)(const aclScalar*, alpha)(aclTensor*, out)
//
// becomes the parameters of a function, and the arguments of a call in a dump. Each expansion alternates between two
// macros, A and B, because a macro is not expanded inside itself; so the sequence may have any length.

/// "const aclTensor* self, const aclScalar* alpha, aclTensor* out," with the last comma.
#define ACLVK_DECLARE(sequence) ACLVK_END(ACLVK_DECLARE_A sequence)
#define ACLVK_DECLARE_A(type, name) type name, ACLVK_DECLARE_B
#define ACLVK_DECLARE_B(type, name) type name, ACLVK_DECLARE_A
#define ACLVK_DECLARE_A_END
#define ACLVK_DECLARE_B_END

/// Statements that add each argument to `arguments`.
#define ACLVK_DESCRIBE(sequence) ACLVK_END(ACLVK_DESCRIBE_A sequence)
#define ACLVK_DESCRIBE_A(type, name)                \
  aclvk::api::add_argument(arguments, #name, name); \
  ACLVK_DESCRIBE_B
#define ACLVK_DESCRIBE_B(type, name)                \
  aclvk::api::add_argument(arguments, #name, name); \
  ACLVK_DESCRIBE_A
#define ACLVK_DESCRIBE_A_END
#define ACLVK_DESCRIBE_B_END

/// "argument("self", self), argument("alpha", alpha)," with the last comma. `argument` is a function that the user of
/// the macro has in scope.
#define ACLVK_LIST(sequence) ACLVK_END(ACLVK_LIST_A sequence)
#define ACLVK_LIST_A(type, name) argument(#name, name), ACLVK_LIST_B
#define ACLVK_LIST_B(type, name) argument(#name, name), ACLVK_LIST_A
#define ACLVK_LIST_A_END
#define ACLVK_LIST_B_END

#define ACLVK_END(...) ACLVK_END_(__VA_ARGS__)
#define ACLVK_END_(...) __VA_ARGS__##_END

namespace aclvk::api {

using ops::CallArguments;

inline void add_argument(CallArguments& to, const char* name, const aclTensor* value) {
  to.add_tensor(name, value, false);
}
inline void add_argument(CallArguments& to, const char* name, aclTensor* value) { to.add_tensor(name, value, true); }
inline void add_argument(CallArguments& to, const char* name, const aclTensorList* value) {
  to.add_tensor_list(name, value, false);
}
inline void add_argument(CallArguments& to, const char* name, aclTensorList* value) {
  to.add_tensor_list(name, value, true);
}
inline void add_argument(CallArguments& to, const char* name, const aclScalar* value) { to.add_scalar(name, value); }
inline void add_argument(CallArguments& to, const char* name, const aclScalarList* value) {
  to.add_scalar_list(name, value);
}
inline void add_argument(CallArguments& to, const char* name, const aclIntArray* value) {
  to.add_int_array(name, value);
}
inline void add_argument(CallArguments& to, const char* name, const aclFloatArray* value) {
  to.add_float_array(name, value);
}
inline void add_argument(CallArguments& to, const char* name, const aclBoolArray* value) {
  to.add_bool_array(name, value);
}
inline void add_argument(CallArguments& to, const char* name, const char* value) { to.add_string(name, value); }
inline void add_argument(CallArguments& to, const char* name, aclDataType value) { to.add_dtype(name, value); }

template <typename Number, typename = std::enable_if_t<std::is_arithmetic_v<Number>>>
void add_argument(CallArguments& to, const char* name, Number value) {
  if constexpr (std::is_same_v<Number, bool>) {
    to.add_bool(name, value);
  } else if constexpr (std::is_floating_point_v<Number>) {
    to.add_float(name, value);
  } else {
    to.add_int(name, static_cast<std::int64_t>(value));
  }
}

// Only tensors and lists of tensors are numbered; other arguments are skipped.

inline void add_argument(ops::TensorNumbers& to, const char* name, const aclTensor* value) {
  to.add_tensor(name, value, true);
}
inline void add_argument(ops::TensorNumbers& to, const char* name, aclTensor* value) {
  to.add_tensor(name, value, false);
}
inline void add_argument(ops::TensorNumbers& to, const char* name, const aclTensorList* value) {
  to.add_list(name, value, true);
}
inline void add_argument(ops::TensorNumbers& to, const char* name, aclTensorList* value) {
  to.add_list(name, value, false);
}
template <typename Other>
void add_argument(ops::TensorNumbers&, const char*, Other) {}

}  // namespace aclvk::api
