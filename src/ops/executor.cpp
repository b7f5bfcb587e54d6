#include "ops/executor.hpp"

#include <utility>

#include "base/error.hpp"
#include "runtime/stream.hpp"

namespace aclvk::ops {
namespace {

std::size_t flat_size(const TensorSlots& slots) {
  std::size_t count = 0;
  for (const TensorSlot& slot : slots) count += std::max<std::size_t>(slot.tensors.size(), 1);
  return count;
}

}  // namespace

Executor::Executor(std::string name, Operands operands, Build build, std::uint64_t workspace_bytes)
    : name_(std::move(name)),
      build_(std::move(build)),
      workspace_bytes_(workspace_bytes),
      operands_(std::move(operands)),
      kernels_(build_(operands_)),
      stale_(workspace_bytes_ > 0) {}

bool Executor::repeatable() const {
  std::lock_guard lock(mutex_);
  return repeatable_;
}

void Executor::set_repeatable() {
  std::lock_guard lock(mutex_);
  repeatable_ = true;
}

/// Counts through the slots; a slot without tensors takes one place, as its parameter does.
void Executor::set_in(TensorSlots& slots, std::size_t index, void* address, const char* what) {
  std::size_t rest = index;
  for (TensorSlot& slot : slots) {
    if (rest < slot.tensors.size()) {
      slot.tensors[rest].data = address;
      stale_ = true;
      return;
    }
    check(!slot.tensors.empty() || rest > 0, Code::kNnInvalid, "{} {} of {} was NULL in the first phase.", what, index,
          name_);
    rest -= std::max<std::size_t>(slot.tensors.size(), 1);
  }
  fail(Code::kNnInvalid, "{} has {} tensors of kind {}; index {} does not exist.", name_, flat_size(slots), what,
       index);
}

void Executor::set_in_list(TensorSlots& slots, std::size_t slot, std::size_t index, void* address, const char* what) {
  check(slot < slots.size(), Code::kNnInvalid, "{} has {} parameters of kind {}; parameter {} does not exist.", name_,
        slots.size(), what, slot);
  auto& tensors = slots[slot].tensors;
  check(index < tensors.size(), Code::kNnInvalid, "{} {} of {} has {} tensors; index {} does not exist.", what, slot,
        name_, tensors.size(), index);
  tensors[index].data = address;
  stale_ = true;
}

void Executor::set_input_address(std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in(operands_.inputs, index, address, "input");
}

void Executor::set_output_address(std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in(operands_.outputs, index, address, "output");
}

void Executor::set_address(std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  const std::size_t inputs = flat_size(operands_.inputs);
  if (index < inputs) return set_in(operands_.inputs, index, address, "input");
  set_in(operands_.outputs, index - inputs, address, "output");
}

void Executor::set_list_input_address(std::size_t slot, std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in_list(operands_.inputs, slot, index, address, "input");
}

void Executor::set_list_output_address(std::size_t slot, std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in_list(operands_.outputs, slot, index, address, "output");
}

void Executor::set_list_address(std::size_t slot, std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  const std::size_t inputs = operands_.inputs.size();
  if (slot < inputs) return set_in_list(operands_.inputs, slot, index, address, "input");
  set_in_list(operands_.outputs, slot - inputs, index, address, "output");
}

std::vector<runtime::Kernel> Executor::prepare(void* workspace) {
  std::lock_guard lock(mutex_);
  auto* const start = static_cast<std::byte*>(workspace);
  if (stale_ || (workspace_bytes_ > 0 && start != operands_.workspace)) {
    operands_.workspace = start;
    kernels_ = build_(operands_);
    stale_ = false;
  }
  return repeatable_ ? kernels_ : std::move(kernels_);
}

void Executor::run(void* workspace, std::uint64_t workspace_bytes, runtime::Stream& stream) {
  check(workspace_bytes == 0 || workspace != nullptr, Code::kNnNullptr,
        "workspace is NULL; {} is given {} bytes of it.", name_, workspace_bytes);
  check(workspace_bytes >= workspace_bytes_, Code::kNnInvalid, "{} needs a workspace of {} bytes; {} are given.", name_,
        workspace_bytes_, workspace_bytes);
  for (runtime::Kernel& kernel : prepare(workspace)) stream.launch(std::move(kernel));
}

}  // namespace aclvk::ops
