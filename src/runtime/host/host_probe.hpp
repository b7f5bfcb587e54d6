#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Checks of host memory before the library accesses it, so that a wrong pointer gives an error code instead of a
// signal. They ask the operating system. A thread that unmaps the memory meanwhile goes undetected. Where the operating
// system does not answer, memory counts as accessible.

/// The access that is going to happen.
enum class HostAccess : std::uint8_t { kRead, kWrite };
/// Returns the verb for error messages about memory that cannot be "read" or "written to".
const char* access_verb(HostAccess access);

/// Returns whether all bytes of the range can be accessed: mapped with this access, and not past the end of a mapped
/// file. Takes about a microsecond for any size. On kernels without PROCMAP_QUERY a protected section inside of a range
/// of 32 KiB to 4 MiB goes undetected.
bool host_accessible(const void* pointer, std::uint64_t bytes, HostAccess access);

}  // namespace aclvk::runtime
