#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

namespace aclvk::runtime {

/// Returns the pid of this process in the outermost PID namespace that /proc shows; else getpid().
std::int32_t host_process_id();
/// Returns the first number after "NSpid:" in the text of /proc/self/status; -1 when there is none.
std::int32_t outermost_process_id(std::string_view status);

/// Returns whether the process has ended. A zombie has.
bool has_ended(pid_t process);
/// Returns whether the text of /proc/PID/stat is that of a process without living threads.
bool stat_shows_exit(std::string_view stat);

}  // namespace aclvk::runtime
