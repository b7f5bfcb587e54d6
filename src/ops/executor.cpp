#include "ops/executor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "ops/handles.hpp"
#include "ops/record/record_call.hpp"
#include "ops/workspace.hpp"
#include "runtime/device/device.hpp"
#include "runtime/record/recording.hpp"
#include "runtime/stream/stream.hpp"
#include "runtime/stream/stream_use.hpp"

namespace aclvk::ops {
namespace {

/// A slot without tensors takes one place, as its parameter does.
std::size_t places(const TensorSlots& slots, std::size_t slot) { return std::max<std::size_t>(slots.count(slot), 1); }

std::size_t places(const TensorSlots& slots) {
  std::size_t count = 0;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) count += places(slots, slot);
  return count;
}

/// The first place behind `workspace` that kernels can use.
std::byte* first_place(void* workspace) {
  const std::uint64_t beyond = reinterpret_cast<std::uintptr_t>(workspace) % kWorkspaceAlignment;
  return moved(workspace, static_cast<std::int64_t>((kWorkspaceAlignment - beyond) % kWorkspaceAlignment));
}

const char* kind_of_slots(bool written) { return written ? "output" : "input"; }

}  // namespace

Executor::Executor(std::string_view name, Operands operands, Build build, std::uint64_t workspace_bytes)
    : name_(name),
      build_(std::move(build)),
      workspace_bytes_(workspace_bytes > 0 ? workspace_bytes + kWorkspaceAlignment : 0),
      execution_(runtime::execution()),
      operands_(std::move(operands)),
      kernels_(build_(operands_)),
      stale_(workspace_bytes_ > 0) {}

void Executor::describe(CallArguments arguments) {
  arguments.match(operands_.inputs, operands_.outputs);
  arguments_ = std::make_unique<const CallArguments>(std::move(arguments));
}

void Executor::will_replace(const void* handle, TensorPtr tensor) {
  replaced_ = handle;
  replacement_ = std::move(tensor);
}

void Executor::take_effect() {
  if (replaced_) tensor_handles().replace(replaced_, replacement_);
}

/// Checks the address as the first phase checks that of a tensor.
void Executor::move(bool written, std::size_t slot, std::size_t index, void* address) {
  Tensor& tensor = slots_of(written).tensor(slot, index);
  Tensor there = tensor;
  there.data = address;
  check_view(there, fmt::format("{} {}", kind_of_slots(written), slot).c_str());
  tensor.data = address;
  for (const Updated& both : operands_.updated) {
    if ((written ? both.output : both.input) != slot) continue;
    operands_.inputs.tensor(both.input, index).data = address;
    operands_.outputs.tensor(both.output, index).data = address;
  }
  stale_ = true;
}

/// Counts through the slots.
void Executor::set_in(bool written, std::size_t index, void* address) {
  const TensorSlots& slots = slots_of(written);
  const char* const what = kind_of_slots(written);
  std::size_t rest = index;
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (rest < slots.count(slot)) return move(written, slot, rest, address);
    check(slots.count(slot) > 0 || rest > 0, Code::kNnInvalid, "{} {} of {} was NULL in the first phase.", what, index,
          name_);
    rest -= places(slots, slot);
  }
  fail(Code::kNnInvalid, "{} has {} tensors of kind {}; index {} does not exist.", name_, places(slots), what, index);
}

void Executor::set_in_list(bool written, std::size_t slot, std::size_t index, void* address) {
  const TensorSlots& slots = slots_of(written);
  const char* const what = kind_of_slots(written);
  check(slot < slots.size(), Code::kNnInvalid, "{} has {} parameters of kind {}; parameter {} does not exist.", name_,
        slots.size(), what, slot);
  check(index < slots.count(slot), Code::kNnInvalid, "{} {} of {} has {} tensors; index {} does not exist.", what, slot,
        name_, slots.count(slot), index);
  move(written, slot, index, address);
}

void Executor::set_input_address(std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in(false, index, address);
}

void Executor::set_output_address(std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in(true, index, address);
}

void Executor::set_address(std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  const std::size_t inputs = places(operands_.inputs);
  if (index < inputs) return set_in(false, index, address);
  set_in(true, index - inputs, address);
}

void Executor::set_list_input_address(std::size_t slot, std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in_list(false, slot, index, address);
}

void Executor::set_list_output_address(std::size_t slot, std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  set_in_list(true, slot, index, address);
}

void Executor::set_list_address(std::size_t slot, std::size_t index, void* address) {
  std::lock_guard lock(mutex_);
  const std::size_t inputs = operands_.inputs.size();
  if (slot < inputs) return set_in_list(false, slot, index, address);
  set_in_list(true, slot - inputs, index, address);
}

std::vector<runtime::Kernel> Executor::prepare(void* workspace) {
  std::lock_guard lock(mutex_);
  std::byte* const start = first_place(workspace);
  if (stale_ || (workspace_bytes_ > 0 && start != operands_.workspace)) {
    stale_ = true;  // until the kernels are those of these operands
    operands_.workspace = start;
    kernels_ = build_(operands_);
    stale_ = false;
  }
  return repeatable_ ? kernels_ : std::move(kernels_);
}

void Executor::check_stream(const runtime::Stream& stream) const {
  if (!continue_) return;
  stream.check_executes("wait for the results of an operator on");
  check(stream.executes() && runtime::waited_for(stream), Code::kNnRuntime,
        "{} waits for stream {}, which runs no tasks by itself: it serves models.", name_, stream.id);
}

void Executor::run(void* workspace, std::uint64_t workspace_bytes, runtime::Stream& stream) {
  check(workspace_bytes == 0 || workspace != nullptr, Code::kNnNullptr,
        "workspace is NULL; {} is given {} bytes of it.", name_, workspace_bytes);
  check(workspace_bytes >= workspace_bytes_, Code::kNnInvalid, "{} needs a workspace of {} bytes; {} are given.", name_,
        workspace_bytes_, workspace_bytes);
  check(execution_of(stream.device()) == execution_, Code::kNnRuntime,
        "The first phase of {} chose kernels for a device that runs threads in another way than device {}, which has "
        "the stream.",
        name_, stream.device().id);
  std::vector<runtime::Kernel> kernels = prepare(workspace);
  const auto launch = [&] {
    stream.launch(std::move(kernels));
    if (continue_) continue_(operands(), stream);
  };
  if (!runtime::recording()) return launch();
  record_call(std::string(name_), arguments_.get(), operands(), stream, launch);
}

Executor::Operands Executor::operands() {
  std::lock_guard lock(mutex_);
  return operands_;
}

}  // namespace aclvk::ops
