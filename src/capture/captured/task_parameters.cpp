#include "capture/captured/task_parameters.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_group.hpp"
#include "capture/model/checks.hpp"
#include "runtime/device/device.hpp"
#include "runtime/event/event.hpp"
#include "runtime/kernel/custom_function.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::SchedulerLock;

const Node& node_of(const ModelTask& task) REQUIRES(runtime::scheduler_mutex) {
  return task.model->graph().node(task.node);
}

// A disabled task has no type that a program can change.
TaskType type_of(const Node& node) {
  return node.disabled ? TaskType::kDefault : runtime::row_of(node.task).public_type;
}

void* word_of(const vk::BufferRange& word) { return reinterpret_cast<void*>(word.address()); }

bool is_function_of(const void* handle, const runtime::KernelTask& kernel) {
  const auto function = runtime::function_handles().find(handle);
  return function && function->runs(kernel);
}

// Creates a function handle for a kernel whose function the program has released.
void* make_function(const runtime::KernelTask& kernel, const runtime::Device& device) {
  if (!kernel.dispatch.custom) {
    return runtime::function_handles().insert(std::make_shared<const runtime::OperatorFunction>(kernel));
  }
  const auto made = std::make_shared<runtime::CustomFunction>(kernel.dispatch.custom->kernel, device, nullptr);
  made->handle = runtime::function_handles().insert(made);
  return made->handle;
}

// Returns the program's own handle while it is live and describes the kernel; else the handle created by an earlier
// call, or a new one.
void* function_of(TaskView& view, const runtime::KernelTask& kernel, const runtime::Device& device) {
  if (is_function_of(kernel.function, kernel)) return kernel.function;
  if (is_function_of(view.function, kernel)) return view.function;
  runtime::function_handles().remove(view.function);
  return view.function = make_function(kernel, device);
}

// Task parameters have one number of blocks: the product of the three dimensions.
KernelParameters kernel_parameters(TaskView& view, const runtime::KernelTask& kernel, const runtime::Device& device) {
  KernelParameters all;
  all.function = function_of(view, kernel, device);
  const auto& groups = kernel.dispatch.groups;
  all.blocks = groups[0] * groups[1] * groups[2];
  if (kernel.dispatch.custom && kernel.dispatch.custom->device_block.buffer) {
    const vk::BufferRange& block = kernel.dispatch.custom->device_block;
    all.arguments = reinterpret_cast<const void*>(block.pointer());
    all.argument_bytes = block.size;
    all.on_host = false;
    return all;
  }
  view.arguments = runtime::Function::pack(kernel);  // owned by the model: the caller gets a pointer to it
  all.arguments = view.arguments.data();
  all.argument_bytes = view.arguments.size();
  return all;
}

KernelParameters parameters_of(const runtime::KernelTask& kernel, const ModelTask& task)
    REQUIRES(runtime::scheduler_mutex) {
  const runtime::ContextPtr context = live_context(*task.model);
  return kernel_parameters(task.model->task_views[task.node], kernel, context->device());
}

template <typename EventTask>
EventParameters event_parameters(const EventTask& task) {
  return {task.event->handle, task.event->flags, task.use == runtime::EventUse::kExternal};
}

EventParameters parameters_of(const runtime::EventRecordTask& record, const ModelTask&) {
  return event_parameters(record);
}

EventParameters parameters_of(const runtime::EventWaitTask& wait, const ModelTask&) { return event_parameters(wait); }

EventParameters parameters_of(const runtime::EventResetTask& reset, const ModelTask&) {
  return {reset.event->handle, reset.event->flags, false};
}

ValueParameters parameters_of(const runtime::ValueWriteTask& write, const ModelTask&) {
  return {word_of(write.word), write.value, 0};
}

ValueParameters parameters_of(const runtime::ValueWaitTask& wait, const ModelTask&) {
  return {word_of(wait.word), wait.value, static_cast<std::uint32_t>(wait.comparison)};
}

}  // namespace

TaskType type_of(const ModelTask& task) {
  const SchedulerLock lock;
  return type_of(node_of(task));
}

std::uint32_t sequence_id(const ModelTask& task) {
  check(task.model->captured(), Code::kFeatureNotSupported,
        "Model {} was built from streams; its tasks have no number.", task.model->id);
  return task.node;
}

void check_kernel(const ModelTask& task) {
  check(type_of(task) == TaskType::kKernel, Code::kParamInvalid, "Task {} of model {} is no kernel.", task.node,
        task.model->id);
}

runtime::LaunchAttribute launch_attribute(const ModelTask& task, int id) {
  check_kernel(task);
  const SchedulerLock lock;
  const auto* kernel = std::get_if<runtime::KernelTask>(&node_of(task).task);
  const auto* given = kernel && kernel->attributes ? kernel->attributes->find(id) : nullptr;
  return given ? *given : runtime::LaunchAttribute{id, {}};
}

TaskParameters parameters(const ModelTask& task) {
  const SchedulerLock lock;
  const Node& node = node_of(task);
  TaskParameters all;
  all.type = type_of(node);
  check(all.type != TaskType::kDefault, Code::kParamInvalid, "Task {} of model {} is {}, which has no parameters.",
        task.node, task.model->id, type_name(node));
  if (const auto* captured = dynamic_cast<const CapturedModel*>(task.model.get())) {
    if (const auto group = captured->groups().find(task.node)) all.group = group->handle;
  }
  if (node.attribution && !node.attribution->op_info.empty()) {
    all.op_info = node.attribution->op_info.data();
    all.op_info_bytes = node.attribution->op_info.size();
  }
  std::visit(
      [&](const auto& kind) REQUIRES(runtime::scheduler_mutex) {
        constexpr TaskType type = runtime::kTaskRow<decltype(kind)>.public_type;
        if constexpr (type != TaskType::kDefault) all.of_type = parameters_of(kind, task);
      },
      node.task);
  return all;
}

}  // namespace aclvk::capture
