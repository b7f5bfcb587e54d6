#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// A failed task, as listeners receive it: the program sees a pointer to one as an opaque aclrtExceptionInfo.
struct FailedTask {
  std::uint32_t task_id = 0;  ///< the number of tasks that the stream had processed before it
  std::uint32_t stream_id = 0;
  std::uint32_t thread_id = 0;  ///< Linux thread id of the thread that launched it
  std::uint32_t device_id = 0;
  std::uint32_t code = 0;  ///< the aclError
  /// The remaining members are set for kernels that the program loaded. They stay null for operators, whose functions
  /// and argument blocks are private to the library.
  void* function = nullptr;                                     ///< the aclrtFuncHandle; may be stale by now
  std::shared_ptr<std::vector<std::byte>> arguments = nullptr;  ///< copied at launch; null for one in device memory
};

/// Fills in `function` and `arguments` when the task is a kernel of the program.
void describe(const Task& task, FailedTask& failed);
/// Returns the Linux thread id of the calling thread.
std::uint32_t this_thread_id();

using FailureListener = void (*)(FailedTask* task);

/// Sets the listener of aclrtSetExceptionInfoCallback; null removes it.
void set_failure_listener(FailureListener listener);
/// Adds or removes an additional listener. Adding one twice and removing an unknown one have no effect. Throw
/// kParamInvalid for null.
void add_failure_listener(FailureListener listener);
void remove_failure_listener(FailureListener listener);
/// Removes the listeners of both kinds, for the end of a Process.
void remove_failure_listeners();

/// Returns true when a listener is set, in this registry or on a binary.
bool has_failure_listeners();
/// Calls the listeners, and then the listener of the binary that contains the failed kernel. Called on a callback
/// thread (Watcher::run_callback) that holds no lock.
void call_failure_listeners(FailedTask failed);
/// Returns the task whose listener is running on the calling thread; null outside of listeners.
const FailedTask* current_failure();
/// Returns true inside a listener, where waiting until all listeners have returned would deadlock.
inline bool inside_failure_listener() { return current_failure() != nullptr; }

/// Returns the code of the device's last failure; none before the first one and after clear_last_failure().
std::optional<std::uint32_t> last_failure(std::uint32_t device_id);
void set_last_failure(const FailedTask& failed);
void clear_last_failure(std::uint32_t device_id);

}  // namespace aclvk::runtime
