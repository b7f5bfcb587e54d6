#pragma once

#include <cstdint>
#include <functional>

namespace aclvk::runtime {

/// Wraps a host function of the program. An exception that leaves the function ends the process, as in a std::thread,
/// after a log line with the stream and the number of the task.
std::function<void()> terminating_on_exception(std::function<void()> function, std::uint32_t stream,
                                               std::uint32_t task);

}  // namespace aclvk::runtime
