#pragma once

#include <cstdint>
#include <type_traits>

#include "api/aclnn/phases.hpp"
#include "ops/executor/args.hpp"
#include "ops/executor/call_arguments.hpp"
#include "ops/executor/tensor_numbers.hpp"

namespace aclvk::api {

// An argument as a dump shows it.

inline void add_argument(ops::CallArguments& to, const ops::TensorArg& arg) {
  to.add_tensor(arg.name, arg.handle, !arg.is_const);
}
inline void add_argument(ops::CallArguments& to, const ops::TensorListArg& arg) {
  to.add_tensor_list(arg.name, arg.handle, !arg.is_const);
}
inline void add_argument(ops::CallArguments& to, const ops::ScalarArg& arg) { to.add_scalar(arg); }
inline void add_argument(ops::CallArguments& to, const ops::ScalarListArg& arg) { to.add_scalar_list(arg); }
inline void add_argument(ops::CallArguments& to, const ops::IntArrayArg& arg) { to.add_int_array(arg); }
inline void add_argument(ops::CallArguments& to, const ops::FloatArrayArg& arg) { to.add_float_array(arg); }
inline void add_argument(ops::CallArguments& to, const ops::BoolArrayArg& arg) { to.add_bool_array(arg); }
inline void add_argument(ops::CallArguments& to, const ops::TextArg& arg) { to.add_string(arg.name, arg.handle); }

template <typename Value>
void add_argument(ops::CallArguments& to, const ops::ValueArg<Value>& arg) {
  if constexpr (std::is_same_v<Value, bool>) {
    to.add_bool(arg.name, arg.value);
  } else if constexpr (std::is_same_v<Value, ops::DType>) {
    to.add_dtype(arg.name, static_cast<int>(arg.value));
  } else if constexpr (std::is_floating_point_v<Value>) {
    to.add_float(arg.name, arg.value);
  } else {
    to.add_int(arg.name, static_cast<std::int64_t>(arg.value));
  }
}

// Only tensors and lists of tensors are numbered.

inline void add_argument(ops::TensorNumbers& to, const ops::TensorArg& arg) {
  to.add_tensor(arg.name, arg.handle, arg.is_const);
}
inline void add_argument(ops::TensorNumbers& to, const ops::TensorListArg& arg) {
  to.add_list(arg.name, arg.handle, arg.is_const);
}
template <typename Object>
void add_argument(ops::TensorNumbers&, const ops::HandleArg<Object>&) {}
template <typename Value>
void add_argument(ops::TensorNumbers&, const ops::ValueArg<Value>&) {}

/// The first phase of an operator, whose plan() is in ops.
template <typename Args>
aclnnStatus plan_operator(const Args& args, std::uint64_t* workspace_size, aclOpExecutor** executor) noexcept {
  return plan(
      Args::kOperator, workspace_size, executor, [&] { return plan(args); },
      [&](auto& arguments) { args.for_each([&](const auto& arg) { add_argument(arguments, arg); }); });
}

}  // namespace aclvk::api
