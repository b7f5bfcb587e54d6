#pragma once

#include <cstdint>
#include <functional>

#include "runtime/stream/stream_identity.hpp"
#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::runtime {

/// Wraps a host function of the program. An exception that leaves the function ends the process, as in a std::thread,
/// after a log line with the stream and the number of the task.
std::function<void()> terminating_on_exception(std::function<void()> function, std::uint32_t stream,
                                               std::uint32_t task);

/// Registers the function of a task with the watcher, which calls it on a callback thread once the point has been
/// reached. Requires that the task has a state and a failure; they tell when the function has returned.
void start_host_function(const HostTask& task, const StreamIdentity& stream, const vk::TimelinePoint& before)
    REQUIRES(scheduler_mutex);

}  // namespace aclvk::runtime
