#include "ops/executor/executor.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "ops/executor/handles.hpp"
#include "ops/executor/tensor_address.hpp"
#include "ops/kernel/workspace.hpp"
#include "ops/tensor/formats.hpp"
#include "runtime/context/stream_use.hpp"
#include "runtime/device/device.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::ops {
namespace {

/// The start of `workspace`, rounded up to kWorkspaceAlignment.
// The program's workspace may start anywhere; the constructor requests as many bytes more.
std::byte* aligned_start(void* workspace) {
  const std::uint64_t beyond = reinterpret_cast<std::uintptr_t>(workspace) % kWorkspaceAlignment;
  return at_byte_offset(workspace, static_cast<std::int64_t>((kWorkspaceAlignment - beyond) % kWorkspaceAlignment));
}

}  // namespace

Executor::Executor(std::string_view name, Operands operands, Build build, std::uint64_t workspace_bytes)
    : name_(name),
      build_(std::move(build)),
      workspace_bytes_(workspace_bytes > 0 ? workspace_bytes + kWorkspaceAlignment : 0),
      execution_(runtime::execution()),
      operands_(std::move(operands)),
      kernels_(build_(operands_)),
      // The kernels of the first phase have addresses relative to NULL.
      kernels_outdated_(workspace_bytes_ > 0),
      missing_address_(operands_.has_placeholders()),
      planned_with_missing_address_(missing_address_) {}

Executor::Executor(std::string_view name, Operands operands, Build build, std::vector<runtime::Kernel> kernels)
    : name_(name),
      build_(std::move(build)),
      workspace_bytes_(0),
      execution_(runtime::execution()),
      operands_(std::move(operands)),
      kernels_(std::move(kernels)),
      missing_address_(operands_.has_placeholders()),
      planned_with_missing_address_(missing_address_) {}

Executor::Executor(std::string_view name, Operands&& operands)
    : name_(name),
      workspace_bytes_(0),
      execution_(runtime::execution()),
      operands_(std::move(operands)),
      kernels_planned_(true),
      missing_address_(operands_.has_placeholders()),
      planned_with_missing_address_(missing_address_) {}

void Executor::describe(CallArguments arguments) {
  arguments.match(numbers(), operands_.inputs, operands_.outputs);
  arguments_ = std::make_unique<const CallArguments>(std::move(arguments));
}

// Lazy, because few programs set addresses. Called in the first phase before the executor is shared, and under the
// mutex afterwards.
const TensorNumbers& Executor::numbers() const {
  if (!std::exchange(numbers_matched_, true)) numbers_.match(operands_.inputs, operands_.outputs, operands_.updated);
  return numbers_;
}

void Executor::check_formats() const {
  const auto check_all = [&](const TensorSlots& slots, bool written) {
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      for (std::size_t i = 0; i < slots.count(slot); ++i) {
        const int format = slots.tensor(slot, i).format;
        if (is_plain_format(format) || format_ == format) continue;
        fail(Code::kNnInvalid,
             "{} of {} has format {}; a format whose elements are where the strides say (ND, NCHW, NHWC, ...) is "
             "expected.",
             numbers().name_of_slot(written, slot), name_, format_text(format));
      }
    }
  };
  check_all(operands_.inputs, false);
  check_all(operands_.outputs, true);
}

void Executor::will_replace(const aclTensor* handle, TensorPtr tensor) {
  replaced_ = handle;
  replacement_ = std::move(tensor);
}

void Executor::take_effect() {
  if (!replaced_) return;
  auto replacement = std::make_shared<Tensor>(*replacement_);
  replacement->data = program_address(*replacement);
  tensor_handles().replace(replaced_, std::move(replacement));
}

std::vector<runtime::Kernel> Executor::kernels_for(void* workspace) {
  const LockGuard lock(mutex_);
  // An executor that runs once uses the addresses of the first phase (docs/adr/0026).
  if (repeatable_ || planned_with_missing_address_) apply_tensor_moves();
  update_kernels(aligned_start(workspace));
  if (missing_address_) check_all_addresses();
  // Moves where the executor does not run again: a copy would cost an allocation for each kernel.
  return repeatable_ ? kernels_ : std::move(kernels_);
}

void Executor::update_kernels(std::byte* workspace) {
  if (kernels_outdated_ || (workspace_bytes_ > 0 && workspace != operands_.workspace)) {
    kernels_outdated_ = true;  // stays set when build_kernels() throws
    operands_.workspace = workspace;
    check_outputs();
    kernels_ = build_kernels(operands_);
  } else if (kernels_planned_) {
    kernels_ = planned_kernels(operands_);
  }
  kernels_outdated_ = kernels_planned_ = false;
}

void Executor::check_stream(const runtime::Stream& stream) const {
  if (!continue_) return;
  stream.check_executes("wait for the results of an operator on");
  check(stream.executes() && runtime::waited_for(stream), Code::kNnRuntime,
        "{} waits for stream {}, which only serves models; a stream that runs tasks is expected.", name_, stream.id);
}

std::vector<runtime::Kernel> Executor::prepare(void* workspace, std::uint64_t workspace_bytes,
                                               const runtime::Stream& stream) {
  check(workspace_bytes == 0 || workspace != nullptr, Code::kNnNullptr,
        "workspace is NULL; {} is given {} bytes of it.", name_, workspace_bytes);
  check(workspace_bytes >= workspace_bytes_, Code::kNnInvalid, "{} needs a workspace of {} bytes; {} are given.", name_,
        workspace_bytes_, workspace_bytes);
  check(stream.device().execution == execution_, Code::kNnRuntime,
        "The first phase of {} chose kernels for a device with another subgroup size, or of another kind (CPU or GPU), "
        "than device {} of the stream.",
        name_, stream.device().id);
  return kernels_for(workspace);
}

void Executor::launch(std::vector<runtime::Kernel> kernels, runtime::Stream& stream) {
  stream.launch(std::move(kernels));
  if (continue_) continue_(operands(), stream);
}

Executor::Operands Executor::operands() {
  const LockGuard lock(mutex_);
  return operands_;
}

}  // namespace aclvk::ops
