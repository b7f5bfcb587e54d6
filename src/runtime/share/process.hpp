#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string_view>

namespace aclvk::runtime {

/// The number of this process outside of containers, as far as /proc shows it; else the number that it knows itself.
std::int32_t host_process_id();
/// The first number behind "NSpid:" in the text of /proc/self/status; -1 when there is none.
std::int32_t outermost_process_id(std::string_view status);

/// A zombie has ended, too.
bool has_ended(pid_t process);
/// Whether the text of /proc/PID/stat is that of a process of which no thread is left.
bool stat_shows_exit(std::string_view stat);

}  // namespace aclvk::runtime
