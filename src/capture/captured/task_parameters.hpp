#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "capture/model/task_handle.hpp"
#include "runtime/kernel/launch_attributes.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::capture {

using runtime::TaskType;

/// A kernel and its argument block. runtime/kernel/function.hpp describes the block of an operator; the block of a
/// program's own kernel is the one that the program passed at the launch.
struct KernelParameters {
  void* function = nullptr;
  const void* arguments = nullptr;
  std::size_t argument_bytes = 0;
  bool on_host = true;  ///< false: `arguments` is a device address
  std::uint32_t blocks = 0;
  std::shared_ptr<const runtime::LaunchAttributes> attributes{};  ///< for set_parameters(); null: unchanged
};

struct EventParameters {
  void* event = nullptr;
  std::uint32_t flags = 0;  ///< with which the event was created
  bool external = false;    ///< the record or wait is of the EXTERNAL kind
};

struct ValueParameters {
  void* word = nullptr;
  std::uint64_t value = 0;
  std::uint32_t comparison = 0;
};

/// The parameters of a task, as aclmdlRITaskGetParams and aclmdlRITaskSetParams exchange them.
struct TaskParameters {
  TaskType type = TaskType::kDefault;
  void* group = nullptr;
  const void* op_info = nullptr;
  std::size_t op_info_bytes = 0;
  std::variant<std::monostate, KernelParameters, EventParameters, ValueParameters> of_type;
};

TaskType type_of(const ModelTask& task);
/// Returns the task's number in capture order. Throws kFeatureNotSupported for a task of a built model.
std::uint32_t sequence_id(const ModelTask& task);
/// Returns the parameters of a task. The pointers in them are valid until the next call for the task or the end of the
/// model. Throws kParamInvalid for a task of type kDefault.
TaskParameters parameters(const ModelTask& task);
/// Throws kParamInvalid unless the task is a kernel.
void check_kernel(const ModelTask& task);
/// Returns an attribute of the kernel's launch; zeros if the launch did not set it. Throws kParamInvalid unless the
/// task is a kernel.
runtime::LaunchAttribute launch_attribute(const ModelTask& task, int id);

// Changes of a captured model that is not running; they take effect with update(). Throw kModelUpdateFailed while the
// model runs or is being captured, and after a failed change. Any other error counts as a failed change.

void set_parameters(const ModelTask& task, const TaskParameters& given);
/// Disables the task: later runs skip it.
void disable(const ModelTask& task);
/// Compiles the changed tasks (aclmdlRIUpdate).
void update(const ModelPtr& model);

}  // namespace aclvk::capture
