#pragma once

#include <cstdint>
#include <string>

namespace aclvk::runtime {

// Callbacks of the program for changes of streams and devices (runtime-semantics 4.14 and 8.7). The enumerators have
// the values of aclrtStreamState and aclrtDeviceState. Callbacks run without any lock held.

enum class StreamState : int { kCreated = 1, kToBeDestroyed = 2 };
enum class DeviceState : int { kToBeSet = 0, kSet = 1, kToBeReset = 2, kReset = 3 };

using StreamListener = void (*)(void* stream, int state, void* user);
using DeviceListener = void (*)(std::int32_t device, int state, void* user);

// Each replaces the listener of the same name. A null function removes it.

void listen_to_streams(const std::string& name, StreamListener listener, void* user);
void listen_to_devices(const std::string& name, DeviceListener listener, void* user);

enum class TaskAbortStage : int { kBefore = 0, kAfter = 1 };
using TaskAbortListener = std::int32_t (*)(std::int32_t device, int stage, std::uint32_t timeout_ms, void* user);
void listen_to_task_aborts(const std::string& name, TaskAbortListener listener, void* user);
/// Removes the listeners of all kinds, for the end of a Process.
void remove_listeners();

// Call the listeners, in the order of their names.

void notify_listeners(void* stream, StreamState state);
void notify_listeners(std::int32_t device, DeviceState state);
/// Throws kRuntimeInternal when a listener returns another value than 0.
void notify_listeners(std::int32_t device, TaskAbortStage stage, std::uint32_t timeout_ms);

}  // namespace aclvk::runtime
