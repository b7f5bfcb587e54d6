#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/kernel/kernels.hpp"
#include "ops/tensor/dtype.hpp"
#include "ops/tensor/scalar.hpp"
#include "ops/tensor/tensor.hpp"

namespace aclvk::ops {

// The checks that operators share. All operators make them in this order: NULL (161001), then dtypes, promotion, shapes
// and attributes (161002). The first failing check determines the code.

using ScalarPtr = std::shared_ptr<const Scalar>;

/// Returns the tensor, with a placeholder for an address that is still NULL (ops/executor/tensor_address.hpp), and
/// without_unused_strides().
TensorPtr required_tensor(const TensorArg& arg);
/// Null for a NULL handle.
TensorPtr optional_tensor(const TensorArg& arg);
ScalarPtr required_scalar(const ScalarArg& arg);
std::vector<std::int64_t> required_ints(const IntArrayArg& arg);
/// The tensors of a list. Throws 161001 for a NULL member, and 161002 for an empty list.
std::vector<Tensor> required_tensors(const TensorListArg& arg);
/// The tensors of a list, which may be empty and have NULL members.
std::vector<TensorPtr> optional_tensors(const TensorListArg& arg);

/// The tensor of a parameter, or null when the caller passed none.
inline const Tensor* tensor_in(const TensorSlots& slots, std::size_t slot) {
  return slots.count(slot) > 0 ? &slots.tensor(slot, 0) : nullptr;
}

/// Returns whether an input and an output are one parameter. An in-place operator uses one name for both.
inline bool is_one_parameter(const char* input_name, const char* out_name) {
  return input_name == out_name || std::strcmp(input_name, out_name) == 0;
}

/// The operands of an operator with one input and one output.
inline Executor::Operands operands_between(const Tensor& self, const char* self_name, const Tensor& out,
                                           const char* out_name) {
  Executor::Operands operands{{&self}, {&out}};
  if (is_one_parameter(self_name, out_name)) operands.updated = {{0, 0}};
  return operands;
}

void check_dtype(const Tensor& tensor, const char* name, const DTypeSet& supported);
void check_castable(DType from, DType to, const char* what, const char* target);
/// Returns the shape to which both broadcast.
Shape check_broadcast(const Tensor& first, const char* first_name, const Tensor& second, const char* second_name);
void check_shape(const Tensor& tensor, const char* name, const Shape& expected, const char* reason);
/// Throws 161002 unless the tensor has one element.
void check_one(const Tensor& tensor, const char* name);

/// check_dtype() and check_view() in one, for operators that check each tensor separately.
void check_operand(const Tensor& tensor, const char* name, const DTypeSet& supported);
/// Throws 161002 when two dtypes differ.
void check_same_dtype(const Tensor& tensor, const char* name, const Tensor& other, const char* other_name);
/// Checks dtypes and views for operators that move elements: `out` has the dtype of self.
void check_pair(const Tensor& self, const char* self_name, const Tensor& out, const DTypeSet& dtypes);
/// Throws 161002 when the tensors overlap in memory. For operators that cannot run in place, because an element of the
/// output depends on elements of the input at other positions.
void check_disjoint(const Tensor& out, const char* out_name, const Tensor& input, const char* input_name);

/// Throws 207000 when one of these parameters, which the operator `name` does not support, is not NULL.
void check_unsupported(const char* name, const std::vector<InputArg>& parameters);

}  // namespace aclvk::ops
