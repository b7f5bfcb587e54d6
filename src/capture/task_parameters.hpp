#pragma once

#include <cstddef>
#include <cstdint>
#include <variant>

#include "capture/task_handle.hpp"
#include "runtime/kernel/launch_attributes.hpp"

namespace aclvk::capture {

/// What aclmdlRITaskGetType tells apart.
enum class TaskType {
  kDefault = 0,
  kKernel = 1,
  kEventRecord = 2,
  kEventWait = 3,
  kEventReset = 4,
  kValueWrite = 5,
  kValueWait = 6,
};

/// A kernel and its arguments. The block of an operator is what runtime/kernel/function.hpp describes; that of a
/// program's own kernel is what the program gave.
struct KernelParameters {
  void* function = nullptr;
  const void* arguments = nullptr;
  std::size_t argument_bytes = 0;
  bool on_host = true;  ///< where the block is
  std::uint32_t blocks = 0;
  std::shared_ptr<const runtime::LaunchAttributes> attributes{};  ///< null: those that it has; never asked for
};

struct EventParameters {
  void* event = nullptr;
  std::uint32_t flags = 0;  ///< that it was created with
  bool external = false;    ///< the record or wait is of the EXTERNAL kind
};

struct ValueParameters {
  void* word = nullptr;
  std::uint64_t value = 0;
  std::uint32_t comparison = 0;
};

struct TaskParameters {
  TaskType type = TaskType::kDefault;
  void* group = nullptr;
  const void* op_info = nullptr;
  std::size_t op_info_bytes = 0;
  std::variant<std::monostate, KernelParameters, EventParameters, ValueParameters> of_type;
};

TaskType type_of(const ModelTask& task);
/// kFeatureNotSupported for a task of a built model.
std::uint32_t sequence_id(const ModelTask& task);
/// Pointers in it are valid until the task is asked again or the model ends. kParamInvalid for kDefault.
TaskParameters parameters(const ModelTask& task);
/// Throws kParamInvalid for a task that is no kernel.
void check_kernel(const ModelTask& task);
/// An attribute that the kernel was launched with; all zeros for one that it was not. Throws kParamInvalid for a task
/// that is no kernel.
runtime::LaunchAttribute launch_attribute(const ModelTask& task, int id);

// Changes of a captured model that does not run; update() puts them into force. kModelUpdateFailed for one that runs,
// is being captured or has had a change fail; any other failure is such a one.

void set_parameters(const ModelTask& task, const TaskParameters& given);
void disable(const ModelTask& task);
void update(const ModelPtr& model);

}  // namespace aclvk::capture
