#include "capture/task_parameters.hpp"

#include <cstring>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "capture/captured_model.hpp"
#include "capture/task_group.hpp"
#include "runtime/device_work.hpp"
#include "runtime/event.hpp"
#include "runtime/function.hpp"
#include "runtime/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::Overloaded;
using runtime::SchedulerLock;

const Node& node_of(const ModelTask& task) { return task.model->graph().node(task.node); }

TaskType type_of(const Node& node) {
  if (node.disabled) return TaskType::kDefault;
  return std::visit(Overloaded{
                        [](const runtime::KernelTask&) { return TaskType::kKernel; },
                        [](const runtime::EventRecordTask&) { return TaskType::kEventRecord; },
                        [](const runtime::EventWaitTask&) { return TaskType::kEventWait; },
                        [](const runtime::EventResetTask&) { return TaskType::kEventReset; },
                        [](const runtime::ValueWriteTask&) { return TaskType::kValueWrite; },
                        [](const runtime::ValueWaitTask&) { return TaskType::kValueWait; },
                        [](const auto&) { return TaskType::kDefault; },
                    },
                    node.task);
}

template <typename EventTask>
EventParameters event_parameters(const EventTask& task) {
  return {task.event->handle, task.event->flags, task.use == runtime::EventUse::kExternal};
}

void* word_of(const vk::BufferRange& word) { return reinterpret_cast<void*>(word.address()); }

KernelParameters kernel_parameters(TaskView& view, const runtime::KernelTask& kernel) {
  const auto known = runtime::function_handles().find(view.function);
  if (!known || !known->runs(kernel)) {
    runtime::function_handles().remove(view.function);
    view.function = runtime::function_handles().insert(std::make_shared<const runtime::Function>(kernel));
  }
  view.arguments = runtime::Function::pack(kernel);
  const auto& groups = kernel.dispatch.groups;
  return {view.function, view.arguments.data(), view.arguments.size(), true, groups[0] * groups[1] * groups[2]};
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

TaskParameters parameters(const ModelTask& task) {
  const SchedulerLock lock;
  const Node& node = node_of(task);
  TaskParameters all;
  all.type = type_of(node);
  check(all.type != TaskType::kDefault, Code::kParamInvalid, "Task {} of model {} is {}, which has no parameters.",
        task.node, task.model->id, type_name(node));
  if (const auto* captured = dynamic_cast<const CapturedModel*>(task.model.get())) {
    if (const auto group = captured->group_of(task.node)) all.group = group->handle;
  }
  if (node.attribution && !node.attribution->op_info.empty()) {
    all.op_info = node.attribution->op_info.data();
    all.op_info_bytes = node.attribution->op_info.size();
  }
  std::visit(
      Overloaded{
          [&](const runtime::KernelTask& kernel) {
            all.of_type = kernel_parameters(task.model->task_views[task.node], kernel);
          },
          [&](const runtime::EventRecordTask& record) { all.of_type = event_parameters(record); },
          [&](const runtime::EventWaitTask& wait) { all.of_type = event_parameters(wait); },
          [&](const runtime::EventResetTask& reset) {
            all.of_type = EventParameters{reset.event->handle, reset.event->flags, false};
          },
          [&](const runtime::ValueWriteTask& write) {
            all.of_type = ValueParameters{word_of(write.word), write.value, 0};
          },
          [&](const runtime::ValueWaitTask& wait) {
            all.of_type = ValueParameters{word_of(wait.word), wait.value, static_cast<std::uint32_t>(wait.comparison)};
          },
          [](const auto&) {},
      },
      node.task);
  return all;
}

}  // namespace aclvk::capture
