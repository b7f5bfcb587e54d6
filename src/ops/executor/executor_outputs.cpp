#include <algorithm>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "ops/executor/executor.hpp"
#include "ops/executor/tensor_address.hpp"

// The check that an executor's outputs share no memory: their kernels write in no order.

namespace aclvk::ops {
namespace {

struct Output {
  ByteSpan span;
  std::size_t slot;
  std::size_t number;  // in TensorSlots::all()
  const Tensor* tensor;
};

std::vector<Output> sorted_by_start(const TensorSlots& slots) {
  std::vector<Output> outputs;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    for (std::size_t i = 0; i < slots.count(slot); ++i) {
      const Tensor& tensor = slots.tensor(slot, i);
      outputs.push_back({span_of(tensor), slot, outputs.size(), &tensor});
    }
  }
  std::sort(outputs.begin(), outputs.end(),
            [](const Output& a, const Output& b) { return a.span.begin < b.span.begin; });
  return outputs;
}

bool writes_to(const runtime::Kernel& kernel, const Tensor& tensor) {
  return std::any_of(kernel.operands.begin(), kernel.operands.end(), [&](const runtime::Operand& operand) {
    return operand.bytes > 0 && operand.access != vk::Access::kRead && is_in_placeholder(tensor, operand.address);
  });
}

}  // namespace

// An output that a call does not write may be any tensor. The addresses that kernels write do not distinguish outputs
// that share memory, so kernels are built for outputs with a placeholder each, in slots from the last one downwards.
std::vector<bool> Executor::written_outputs() const {
  constexpr std::size_t kLastSlot = 0xFFFFFF;  // of a handle, see base/handle.hpp
  Operands moved = operands_;
  std::vector<Tensor>& outputs = moved.outputs.all();
  if (continue_) return std::vector<bool>(outputs.size(), true);  // the second phase may write them itself
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    outputs[i].handle = reinterpret_cast<const aclTensor*>(kLastSlot - i);
    outputs[i].data = placeholder_of(outputs[i]);
  }
  const std::vector<runtime::Kernel> kernels = build_(moved);
  std::vector<bool> written;
  for (const Tensor& output : outputs) {
    written.push_back(std::any_of(kernels.begin(), kernels.end(), [&](const auto& k) { return writes_to(k, output); }));
  }
  return written;
}

// In the order of their starts, only outputs that begin before the end of another one may share memory with it.
void Executor::check_outputs() const {
  if (operands_.outputs.size() < 2 || operands_.compares_outputs) return;
  const std::vector<Output> outputs = sorted_by_start(operands_.outputs);
  std::vector<bool> written;
  for (auto first = outputs.begin(); first != outputs.end(); ++first) {
    for (auto second = first + 1; second != outputs.end() && second->span.begin < first->span.end; ++second) {
      if (first->slot == second->slot || !share_elements(*first->tensor, *second->tensor)) continue;
      if (written.empty()) written = written_outputs();
      check(!written[first->number] || !written[second->number], Code::kNnInvalid,
            "{} ({:#x} to {:#x}) and {} ({:#x} to {:#x}) of {} share memory; each output needs its own.",
            display_name(*first->tensor), first->span.begin, first->span.end, display_name(*second->tensor),
            second->span.begin, second->span.end, name_);
    }
  }
}

}  // namespace aclvk::ops
