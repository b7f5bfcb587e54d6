#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "ops/executor/executor.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_address.hpp"

// The addresses of an executor's operands: those that the program sets on the executor, and changes of the program's
// tensors up to the run.

namespace aclvk::ops {
namespace {

using Count = TensorNumbers::Count;
using Member = TensorNumbers::Member;

const char* kind_of(Count count) {
  switch (count) {
    case Count::kInputs: return "input";
    case Count::kOutputs: return "output";
    default: return "tensor";
  }
}

/// Throws 161002 unless the parameter exists and was not NULL.
void check_given(const TensorNumbers::Parameter* parameter, Count count, std::size_t number, std::string_view op) {
  check(parameter != nullptr, Code::kNnInvalid,
        "{} has no {} {}; parameters are numbered in the order of the signature.", op, kind_of(count), number);
  check(parameter->members > 0, Code::kNnInvalid, "{} {} of {}, {}, was NULL in the first phase.", kind_of(count),
        number, op, parameter->name);
}

}  // namespace

const Tensor& Executor::Operands::tensor(std::size_t number) const {
  const std::size_t before = inputs.tensors();
  return number < before ? inputs.tensor(number) : outputs.tensor(number - before);
}

void Executor::Operands::set_address(std::size_t number, void* address) {
  const std::size_t before = inputs.tensors();
  number < before ? inputs.set_address(number, address) : outputs.set_address(number - before, address);
}

// Such tensors have a placeholder, so that planning sees distinct, aligned memory.
bool Executor::Operands::has_placeholders() const {
  for (std::size_t number = 0; number < tensors(); ++number) {
    if (has_placeholder(tensor(number))) return true;
  }
  return false;
}

Executor::OperandNumbers Executor::numbers_of(const Tensor& tensor) const {
  OperandNumbers found;
  for (std::size_t number = 0; number < operands_.tensors(); ++number) {
    if (is_same_tensor(operands_.tensor(number), tensor)) found.push_back(number);
  }
  return found;
}

Executor::OperandNumbers Executor::numbers_of(const TensorNumbers::Parameter& parameter, std::size_t index) const {
  OperandNumbers found;
  const auto add = [&](const TensorSlots& slots, std::int32_t slot_number, std::size_t before) {
    const auto slot = static_cast<std::size_t>(slot_number);
    const bool has_member = slot_number != TensorNumbers::kNone && index < slots.count(slot);
    if (has_member) found.push_back(before + slots.number_of(slot, index));
  };
  add(operands_.inputs, parameter.input, 0);
  add(operands_.outputs, parameter.output, operands_.inputs.tensors());
  return found;
}

std::string Executor::display_name(std::size_t number) const {
  const bool written = number >= operands_.inputs.tensors();
  const TensorSlots& slots = written ? operands_.outputs : operands_.inputs;
  const std::size_t wanted = number - (written ? operands_.inputs.tensors() : 0);
  std::size_t slot = 0;
  while (slots.number_of(slot, slots.count(slot)) <= wanted) ++slot;
  const char* const name = numbers().name_of_slot(written, slot);
  return slots.count(slot) > 1 ? fmt::format("tensor {} of {}", wanted - slots.number_of(slot, 0), name) : name;
}

void Executor::remember_addresses() {
  if (!last_addresses_.empty()) return;
  for (std::size_t number = 0; number < operands_.tensors(); ++number)
    last_addresses_.push_back(operands_.tensor(number).data);
}

/// Checks the alignment of an operand's new address as the first phase does.
void Executor::check_address(std::size_t number, void* address) const {
  Tensor there = operands_.tensor(number);
  there.data = address;
  check_view(there, display_name(number).c_str());
}

/// Sets the address of the operands that are `tensor` or, when there are none, of those of the parameter.
void Executor::set_operand_addresses(const Tensor* tensor, const Member& named, void* address) {
  remember_addresses();
  OperandNumbers operands = tensor ? numbers_of(*tensor) : OperandNumbers{};
  const bool by_tensor = !operands.empty();
  if (!by_tensor) operands = numbers_of(*named.parameter, named.index);
  for (const std::size_t number : operands) check_address(number, address);
  // Set first: memory may run out between two operands.
  missing_address_ = true;
  for (const std::size_t number : operands) {
    const Tensor& old = operands_.tensor(number);
    const bool missing = !address && old.handle && !old.empty();
    kernels_outdated_ = true;
    operands_.set_address(number, missing ? placeholder_of(old) : address);
    // An operand that another tensor gave the address keeps following its own tensor.
    if (by_tensor) last_addresses_[number] = operands_.tensor(number).data;
  }
  missing_address_ = operands_.has_placeholders();
}

void Executor::set_address(Count count, std::size_t number, const Tensor& tensor, void* address) {
  const LockGuard lock(mutex_);
  const Member named = numbers().member(count, number);
  check_given(named.parameter, count, number, name_);
  set_operand_addresses(&tensor, named, address);
}

void Executor::set_address_in_list(Count count, std::size_t number, std::size_t index, const Tensor* tensor,
                                   void* address) {
  const LockGuard lock(mutex_);
  const TensorNumbers::Parameter* const parameter = numbers().parameter(count, number);
  check_given(parameter, count, number, name_);
  check(index < parameter->members, Code::kNnInvalid, "{} of {} has {} tensors; index {} does not exist.",
        parameter->name, name_, parameter->members, index);
  set_operand_addresses(tensor, {parameter, index}, address);
}

/// Updates operands whose tensor has a new address. An operand keeps its address when its tensor was destroyed or
/// described anew.
void Executor::apply_tensor_moves() {
  // One counter for all tensors makes the usual case, in which nothing moved, a comparison.
  const std::uint64_t changes = address_changes();
  if (last_address_changes_ == changes) return;
  remember_addresses();
  for (std::size_t number = 0; number < operands_.tensors(); ++number) {
    const TensorPtr tensor = with_placeholder(tensor_handles().find(operands_.tensor(number).handle));
    if (!tensor || !is_same_tensor(*tensor, operands_.tensor(number)) || tensor->data == last_addresses_[number])
      continue;
    check_address(number, tensor->data);
    kernels_outdated_ = true;
    operands_.set_address(number, tensor->data);
    last_addresses_[number] = tensor->data;
  }
  missing_address_ = operands_.has_placeholders();
  last_address_changes_ = changes;
}

void Executor::check_all_addresses() const {
  const auto is_used = [&](const Tensor& tensor) REQUIRES(mutex_) {
    return std::any_of(kernels_.begin(), kernels_.end(), [&](const runtime::Kernel& kernel) {
      return std::any_of(kernel.operands.begin(), kernel.operands.end(), [&](const runtime::Operand& used) {
        // An operand that no kernel touches may stay NULL.
        return used.bytes > 0 && is_in_placeholder(tensor, used.address);
      });
    });
  };
  for (std::size_t number = 0; number < operands_.tensors(); ++number) {
    if (!has_placeholder(operands_.tensor(number)) || !is_used(operands_.tensor(number))) continue;
    fail(Code::kNnRuntime,
         "{} of {} has the address NULL; aclSetTensorAddr or aclSetRawTensorAddr gives it one before the launch.",
         display_name(number), name_);
  }
}

}  // namespace aclvk::ops
