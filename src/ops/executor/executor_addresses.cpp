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

/// Calls visit(operand, its index in last_addresses_).
template <typename Visit>
void Executor::for_each_operand(Visit&& visit) {
  std::size_t index = 0;
  for (TensorSlots* slots : {&operands_.inputs, &operands_.outputs}) {
    for (Tensor& operand : slots->all()) visit(operand, index++);
  }
}

std::vector<Tensor*> Executor::operands_of(const Tensor& tensor) {
  std::vector<Tensor*> found;
  for_each_operand([&](Tensor& operand, std::size_t) {
    if (is_same_tensor(operand, tensor)) found.push_back(&operand);
  });
  return found;
}

std::vector<Tensor*> Executor::operands_of(const TensorNumbers::Parameter& parameter, std::size_t index) {
  std::vector<Tensor*> found;
  const auto add = [&](TensorSlots& slots, std::int32_t number) {
    const auto slot = static_cast<std::size_t>(number);
    if (number != TensorNumbers::kNone && index < slots.count(slot)) found.push_back(&slots.tensor(slot, index));
  };
  add(operands_.inputs, parameter.input);
  add(operands_.outputs, parameter.output);
  return found;
}

std::string Executor::display_name(const Tensor& operand) const {
  for (const bool written : {false, true}) {
    const TensorSlots& slots = written ? operands_.outputs : operands_.inputs;
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      for (std::size_t i = 0; i < slots.count(slot); ++i) {
        if (&slots.tensor(slot, i) != &operand) continue;
        const char* const name = numbers().name_of_slot(written, slot);
        return slots.count(slot) > 1 ? fmt::format("tensor {} of {}", i, name) : name;
      }
    }
  }
  return "a tensor";
}

void Executor::update_missing_address() {
  missing_address_ = false;
  for_each_operand([&](const Tensor& operand, std::size_t)
                       REQUIRES(mutex_) { missing_address_ = missing_address_ || has_placeholder(operand); });
}

void Executor::remember_addresses() {
  if (!last_addresses_.empty()) return;
  for_each_operand([&](const Tensor& operand, std::size_t)
                       REQUIRES(mutex_) { last_addresses_.push_back(operand.data); });
}

/// Sets the address of the operands that are `tensor` or, when there are none, of those of the parameter. Checks the
/// alignment of the address as the first phase does.
void Executor::set_operand_addresses(const Tensor* tensor, const Member& named, void* address) {
  remember_addresses();
  std::vector<Tensor*> operands = tensor ? operands_of(*tensor) : std::vector<Tensor*>{};
  const bool by_tensor = !operands.empty();
  if (!by_tensor) operands = operands_of(*named.parameter, named.index);
  for (const Tensor* operand : operands) {
    Tensor there = *operand;
    there.data = address;
    check_view(there, display_name(*operand).c_str());
  }
  for_each_operand([&](Tensor& operand, std::size_t index) REQUIRES(mutex_) {
    if (std::find(operands.begin(), operands.end(), &operand) == operands.end()) return;
    operand.data = address;
    if (!address && operand.handle && !operand.empty()) operand.data = placeholder_of(operand);
    // An operand that another tensor gave the address keeps following its own tensor.
    if (by_tensor) last_addresses_[index] = operand.data;
    kernels_outdated_ = true;
  });
  update_missing_address();
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
  for_each_operand([&](Tensor& operand, std::size_t index) REQUIRES(mutex_) {
    const TensorPtr tensor = with_placeholder(tensor_handles().find(operand.handle));
    if (!tensor || !is_same_tensor(*tensor, operand) || tensor->data == last_addresses_[index]) return;
    Tensor there = operand;
    there.data = tensor->data;
    check_view(there, display_name(operand).c_str());
    last_addresses_[index] = operand.data = tensor->data;
    kernels_outdated_ = true;
  });
  update_missing_address();
  last_address_changes_ = changes;
}

void Executor::check_all_addresses() const {
  const auto is_used = [&](const Tensor& operand) REQUIRES(mutex_) {
    return std::any_of(kernels_.begin(), kernels_.end(), [&](const runtime::Kernel& kernel) {
      return std::any_of(kernel.operands.begin(), kernel.operands.end(), [&](const runtime::Operand& used) {
        // An operand that no kernel touches may stay NULL.
        return used.bytes > 0 && is_in_placeholder(operand, used.address);
      });
    });
  };
  for (const TensorSlots* slots : {&operands_.inputs, &operands_.outputs}) {
    for (const Tensor& operand : slots->all()) {
      if (!has_placeholder(operand) || !is_used(operand)) continue;
      fail(Code::kNnRuntime,
           "{} of {} has the address NULL; aclSetTensorAddr or aclSetRawTensorAddr gives it one before the launch.",
           display_name(operand), name_);
    }
  }
}

}  // namespace aclvk::ops
