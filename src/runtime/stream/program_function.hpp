#pragma once

#include <cstdint>
#include <functional>

namespace aclvk::runtime {

/// A function of the program that a stream is to call. An exception that comes out of it ends the process, as it does
/// in a thread of the program's own; before that one line names the stream and the number of the task.
std::function<void()> without_exceptions(std::function<void()> function, std::uint32_t stream, std::uint32_t task);

}  // namespace aclvk::runtime
