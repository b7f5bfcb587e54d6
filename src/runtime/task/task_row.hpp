#pragma once

#include <cstdint>
#include <type_traits>

#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// The part of the library that executes a task.
enum class TaskClass : std::uint8_t {
  kDeviceWork,   ///< an OpenBatch or a model records it into a command buffer
  kSignal,       ///< a SignalExecutor runs it on the host
  kProcedure,    ///< its own Procedure advances
  kControlFlow,  ///< a pass of a built model jumps; no stream executes it otherwise
};

/// Says of a task in a captured model whether the host processes it in each run.
enum class HostStep : std::uint8_t {
  kNever,
  kIfVisible,  ///< unless it is an edge of the graph only, which no stream outside of the model can see
  kAlways,
};

/// The submission with which a host step of a captured model is complete.
enum class StepEnd : std::uint8_t {
  kNone,           ///< it is no host step
  kAtStart,        ///< the one that it waits for
  kOwnSubmission,  ///< the one that it makes
  kNewest,         ///< unknown: the newest one, when its successors are issued
};

/// The task types of aclmdlRITaskGetType.
enum class TaskType {
  kDefault = 0,
  kKernel = 1,
  kEventRecord = 2,
  kEventWait = 3,
  kEventReset = 4,
  kValueWrite = 5,
  kValueWait = 6,
};

/// A task's role in the drawing of a model.
enum class TaskRole : std::uint8_t { kKernel, kCopy, kSignal, kWait, kHost, kDecision, kOther };

/// Properties that a kind has or has not.
enum TaskFlag : std::uint32_t {
  kRefersToMemory = 0x1,       ///< to device memory of the program, see for_each_range()
  kMayBlock = 0x2,             ///< can wait on the host after it has been started
  kHasWaitLimit = 0x4,         ///< its `limit` is that of a wait
  kHasWaiters = 0x8,           ///< threads or streams wait for its end; release_waiters_for() releases them
  kRunsFunctions = 0x10,       ///< runs functions on other threads, which continue when it is dropped
  kIgnoresEarlierWork = 0x20,  ///< as a host step it does not observe device work before it
  kOnlyInProfiles = 0x40,      ///< has no other effect, and is no task of the program
};

/// A row of task.def: what the library asks of a kind of task.
struct TaskRow {
  const char* kind;
  const char* type;  ///< the name in traces and error texts (capture-semantics 16.1); null if the task determines it
  TaskClass task_class;
  HostStep host_step;
  StepEnd step_end;
  TaskType public_type;
  TaskRole role;
  std::uint32_t flags;  ///< of TaskFlag

  constexpr bool is_device_work() const { return task_class == TaskClass::kDeviceWork; }
  constexpr bool has(TaskFlag flag) const { return (flags & flag) != 0; }
};

#define ACLVK_ROW(kind, type, task_class, step, end, public_type, role, flags)                                     \
  TaskRow {                                                                                                        \
#kind, type, TaskClass::task_class, HostStep::step, StepEnd::end, TaskType::public_type, TaskRole::role, flags \
  }

/// The rows in the order of the alternatives of Task.
inline constexpr TaskRow kTaskRows[] = {
#define TASK(...) ACLVK_ROW(__VA_ARGS__),
#include "runtime/task/task.def"
#undef TASK
};

template <typename Kind>
struct TaskRowOf;
#define TASK(kind, ...)                                           \
  template <>                                                     \
  struct TaskRowOf<kind##Task> {                                  \
    static constexpr TaskRow kRow = ACLVK_ROW(kind, __VA_ARGS__); \
  };
#include "runtime/task/task.def"
#undef TASK
#undef ACLVK_ROW

/// The row of a kind, or of a reference to a task of that kind: for `if constexpr` in a visit of Task.
template <typename Kind>
inline constexpr TaskRow kTaskRow = TaskRowOf<std::decay_t<Kind>>::kRow;

/// Returns the row of the task's kind.
inline const TaskRow& row_of(const Task& task) { return kTaskRows[task.index()]; }

}  // namespace aclvk::runtime
