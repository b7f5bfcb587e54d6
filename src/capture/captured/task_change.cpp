// Changes of the tasks of a captured model (capture-semantics 14); declared in task_parameters.hpp.
#include <cstring>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/captured/task_parameters.hpp"
#include "capture/model/attribution.hpp"
#include "capture/model/checks.hpp"
#include "runtime/kernel/function.hpp"
#include "runtime/signal/value.hpp"
#include "runtime/stream/scheduler.hpp"
#include "vk_device/pipelines/custom_kernel.hpp"

namespace aclvk::capture {
namespace {

using runtime::SchedulerLock;

bool is_value(TaskType type) { return type == TaskType::kValueWrite || type == TaskType::kValueWait; }

// A kernel can become a value task; a value task cannot become a kernel.
void check_convertible(const ModelTask& task, TaskType from, TaskType to) {
  const bool fits = (from == TaskType::kKernel && to == TaskType::kKernel) ||
                    ((from == TaskType::kKernel || is_value(from)) && is_value(to));
  check(fits, Code::kParamInvalid,
        "Task {} of model {} has type {} and is given parameters of type {}; kernels take those of kernels and value "
        "tasks, value tasks those of value tasks.",
        task.node, task.model->id, static_cast<int>(from), static_cast<int>(to));
}

runtime::KernelArguments read_arguments(const KernelParameters& given, const runtime::Function& function,
                                        const runtime::KernelTask* same, const runtime::Device& device) {
  const auto* host = static_cast<const std::byte*>(given.arguments);
  if (given.on_host) {
    runtime::KernelArguments arguments{{host, host + given.argument_bytes}};
    // Task parameters cannot express placeholders: those of the original launch are retained if the block's size is the
    // same.
    if (same && same->dispatch.custom && same->dispatch.arguments.size() == given.argument_bytes) {
      for (const auto& [at, target] : same->dispatch.custom->links) arguments.placeholders.push_back({at, target});
    }
    return arguments;
  }
  const auto range = device.find(given.arguments, given.argument_bytes);
  check(range.has_value(), Code::kParamInvalid, "args {} with {} bytes is not inside a live device allocation.",
        given.arguments, given.argument_bytes);
  if (function.reads_device_blocks()) return {{}, {}, *range};
  std::vector<std::byte> block(given.argument_bytes);
  device.gpu().read(block.data(), *range);
  return {std::move(block)};
}

// Task parameters have one number of blocks. A kernel that was launched with three dimensions keeps its shape if the
// product is the same.
runtime::Grid grid_of(const KernelParameters& given, const runtime::KernelTask* before) {
  check(given.blocks > 0, Code::kParamInvalid, "numBlocks is 0; a kernel runs with one or more.");
  runtime::Grid grid{{given.blocks, 1, 1}, {}};
  if (!before || !before->dispatch.custom) return grid;
  const auto& groups = before->dispatch.groups;
  if (groups[0] * groups[1] * groups[2] == given.blocks) grid.blocks = groups;
  grid.threads = before->dispatch.custom->local_size;
  return grid;
}

runtime::Task kernel_task(const TaskParameters& all, const runtime::Task& before, const runtime::Device& device) {
  const auto& given = std::get<KernelParameters>(all.of_type);
  check(all.group == nullptr, Code::kParamInvalid, "taskGrp is not NULL; the tasks of a group are changed by updates.");
  check(given.function && given.arguments && given.argument_bytes > 0, Code::kParamInvalid,
        "funcHandle is {}, args is {} and argsSize {}; all are needed.", given.function, given.arguments,
        given.argument_bytes);
  const auto function = runtime::function_handles().find(given.function);
  check(function != nullptr, Code::kParamInvalid, "funcHandle {} is not one of a live model.", given.function);
  function->check_size(given.argument_bytes);  // before that many bytes are read
  const auto* kernel_before = std::get_if<runtime::KernelTask>(&before);
  const auto* same = kernel_before && function->runs(*kernel_before) ? kernel_before : nullptr;
  auto attributes = given.attributes ? given.attributes : kernel_before ? kernel_before->attributes : nullptr;
  if (given.attributes) runtime::check_attributes(*given.attributes);
  runtime::KernelTask kernel = function->launch(read_arguments(given, *function, same, device), grid_of(given, same),
                                                std::move(attributes), device);
  device.gpu().prepare(kernel.dispatch);
  return kernel;
}

// Copies the info, because it may point into the attribution that it replaces: aclmdlRITaskGetParams returns that
// pointer. Value tasks have no info.
std::vector<std::byte> read_op_info(const TaskParameters& all) {
  if (is_value(all.type) || !all.op_info) return {};
  check(all.op_info_bytes <= kMaxOpInfo, Code::kParamInvalid, "opInfoSize is {}; at most {} is expected.",
        all.op_info_bytes, kMaxOpInfo);
  const auto* info = static_cast<const std::byte*>(all.op_info);
  return {info, info + all.op_info_bytes};
}

runtime::Task value_task(const TaskParameters& all, const runtime::Device& device) {
  constexpr std::uint64_t kWordBytes = 8;
  const auto& given = std::get<ValueParameters>(all.of_type);
  check(!all.op_info && all.op_info_bytes == 0, Code::kParamInvalid,
        "opInfoPtr is {} and opInfoSize {}; value tasks have none.", all.op_info, all.op_info_bytes);
  runtime::check_word(given.word);
  const auto word = device.find(given.word, kWordBytes);
  check(word.has_value(), Code::kParamInvalid,
        "devAddr {} with {} bytes is not inside a live allocation of the device.", given.word, kWordBytes);
  if (all.type == TaskType::kValueWrite) return runtime::ValueWriteTask{*word, given.value};
  return runtime::ValueWaitTask{*word, given.value, runtime::comparison_of(given.comparison)};
}

CapturedModelPtr changeable(const ModelTask& task) REQUIRES(runtime::scheduler_mutex) {
  auto model = std::dynamic_pointer_cast<CapturedModel>(task.model);
  check(model != nullptr, Code::kFeatureNotSupported, "Model {} was built from streams; its tasks cannot be changed.",
        task.model->id);
  check(model->state() == Model::State::kReady || model->state() == Model::State::kUpdating, Code::kModelUpdateFailed,
        "The tasks of model {} cannot be changed: it is being captured, or a change has failed.", model->id);
  check(!model->running(), Code::kModelUpdateFailed, "The tasks of model {} cannot be changed while it runs.",
        model->id);
  return model;
}

// A change that fails makes the model unusable (kFault); a change that is refused by changeable() does not.
template <typename Change>
void change(const ModelTask& task, Change&& apply) {
  const runtime::ContextPtr context = check_own_context(*task.model);
  const SchedulerLock lock;
  const CapturedModelPtr model = changeable(task);
  try {
    apply(model->graph().node(task.node));
    model->invalidate_memory_info();
    model->set_state(Model::State::kUpdating);
  } catch (...) {
    model->set_state(Model::State::kFault);
    throw;
  }
}

}  // namespace

void set_parameters(const ModelTask& task, const TaskParameters& given) {
  const TaskType from = type_of(task);
  change(task, [&](Node& node) {
    check_convertible(task, from, given.type);
    const runtime::ContextPtr context = live_context(*task.model);
    const runtime::Device& device = context->device();
    const std::vector<std::byte> op_info = read_op_info(given);
    node.task = is_value(given.type) ? value_task(given, device) : kernel_task(given, node.task, device);
    if (!op_info.empty() && !node.attribution) node.attribution = std::make_shared<Attribution>();
    if (node.attribution && (is_value(given.type) || !op_info.empty())) node.attribution->op_info = op_info;
  });
}

void disable(const ModelTask& task) {
  const TaskType type = type_of(task);
  change(task, [&](Node& node) {
    check(type != TaskType::kDefault, Code::kParamInvalid,
          "Task {} of model {} is {}; only typed tasks can be disabled.", task.node, task.model->id, type_name(node));
    node.disabled = true;
  });
}

void update(const ModelPtr& model) {
  check_no_sub_model(*model, "update");
  check(model->captured(), Code::kFeatureNotSupported, "Model {} was built from streams; its tasks cannot be changed.",
        model->id);
  const runtime::ContextPtr context = check_own_context(*model);
  const SchedulerLock lock;
  if (model->state() == Model::State::kReady) return;
  check(model->state() == Model::State::kUpdating, Code::kModelUpdateFailed,
        "Model {} cannot be updated: it is being captured, or a change has failed.", model->id);
  try {
    static_cast<CapturedModel&>(*model).make_executable();
  } catch (const Error& error) {
    model->set_state(Model::State::kFault);
    fail(Code::kModelUpdateFailed, "Model {} could not be compiled with its new tasks: {}", model->id,
         error.sentence());
  }
  model->set_state(Model::State::kReady);
}

}  // namespace aclvk::capture
