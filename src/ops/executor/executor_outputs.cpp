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
  std::size_t number;  // among all outputs
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

/// Returns the outputs with a placeholder each.
TensorSlots with_own_placeholders(const TensorSlots& slots) {
  TensorSlots moved;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    std::vector<Tensor> tensors;
    for (std::size_t i = 0; i < slots.count(slot); ++i) {
      tensors.push_back(in_own_placeholder(slots.tensor(slot, i), slots.number_of(slot, i)));
    }
    moved.add(tensors.data(), tensors.data() + tensors.size());
  }
  return moved;
}

bool writes_to(const runtime::Kernel& kernel, const Tensor& tensor) {
  return std::any_of(kernel.operands.begin(), kernel.operands.end(), [&](const runtime::Operand& operand) {
    return operand.bytes > 0 && operand.access != vk::Access::kRead && is_in_placeholder(tensor, operand.address);
  });
}

}  // namespace

// An output that a call does not write may be any tensor. The addresses that kernels write do not distinguish outputs
// that share memory, so kernels are built for outputs that do not.
std::vector<bool> Executor::written_outputs() const {
  const std::size_t outputs = operands_.outputs.tensors();
  if (continue_) return std::vector<bool>(outputs, true);  // the second phase may write them itself
  Operands moved = operands_;
  moved.outputs = with_own_placeholders(operands_.outputs);
  const std::vector<runtime::Kernel> kernels = build_kernels(moved);
  std::vector<bool> written;
  for (std::size_t i = 0; i < outputs; ++i) {
    const Tensor& output = moved.outputs.tensor(i);
    written.push_back(std::any_of(kernels.begin(), kernels.end(), [&](const auto& k) { return writes_to(k, output); }));
  }
  return written;
}

// In the order of their starts, only outputs that begin before the end of another one may share memory with it.
void Executor::check_outputs() const {
  if (operands_.outputs.size() < 2 || operands_.compares_outputs) return;
  const std::size_t inputs = operands_.inputs.tensors();  // operands are numbered inputs first
  const std::vector<Output> outputs = sorted_by_start(operands_.outputs);
  std::vector<bool> written;
  for (auto first = outputs.begin(); first != outputs.end(); ++first) {
    for (auto second = first + 1; second != outputs.end() && second->span.begin < first->span.end; ++second) {
      if (first->slot == second->slot || !share_elements(*first->tensor, *second->tensor)) continue;
      if (written.empty()) written = written_outputs();
      check(!written[first->number] || !written[second->number], Code::kNnInvalid,
            "{} ({:#x} to {:#x}) and {} ({:#x} to {:#x}) of {} share memory; each output needs its own.",
            display_name(inputs + first->number), first->span.begin, first->span.end,
            display_name(inputs + second->number), second->span.begin, second->span.end, name_);
    }
  }
}

}  // namespace aclvk::ops
