#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/stream/task.hpp"

namespace aclvk::runtime {

/// What is known about a task that has failed: an aclrtExceptionInfo.
struct FailedTask {
  std::uint32_t task_id = 0;  ///< its number among the tasks of the stream
  std::uint32_t stream_id = 0;
  std::uint32_t thread_id = 0;  ///< of the system, of the thread that launched it
  std::uint32_t device_id = 0;
  std::uint32_t code = 0;
  /// Of kernels that the program has loaded; operators have no function and no argument block that it could know.
  void* function = nullptr;                                     ///< the aclrtFuncHandle, maybe stale by now
  std::shared_ptr<std::vector<std::byte>> arguments = nullptr;  ///< as they were at the launch; null in device memory
};

/// Adds what the kind of the task has to say.
void describe(const Task& task, FailedTask& failed);
/// The system's number of the calling thread.
std::uint32_t this_thread_id();

using FailureListener = void (*)(FailedTask* task);

/// The one of aclrtSetExceptionInfoCallback; null for none.
void set_failure_listener(FailureListener listener);
/// Further ones. A listener is added once; removing an unknown one does nothing. Throw kParamInvalid for null.
void add_failure_listener(FailureListener listener);
void remove_failure_listener(FailureListener listener);

bool has_failure_listeners();
/// Runs the listeners, and then that of the binary that the failed kernel came from. To be called without any lock, on
/// a thread that is not the program's.
void call_failure_listeners(FailedTask failed);
/// The task that a listener on this thread is being told of; null elsewhere.
const FailedTask* current_failure();
/// True in a listener: there a stream's failure cannot be waited for.
inline bool inside_failure_listener() { return current_failure() != nullptr; }

/// The code of the last failure of a device; none after clear_last_failure().
std::optional<std::uint32_t> last_failure(std::uint32_t device_id);
void set_last_failure(const FailedTask& failed);
void clear_last_failure(std::uint32_t device_id);

}  // namespace aclvk::runtime
