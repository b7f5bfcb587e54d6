#pragma once

#include <cstdint>

namespace aclvk::runtime {

// The kernel is asked about memory of the program before it is touched, so that a wrong pointer gives a code instead of
// a signal. What another thread unmaps meanwhile is not seen. Where the kernel does not answer such questions, memory
// counts as accessible.

/// What is going to be done with the memory.
enum class HostAccess : std::uint8_t { kRead, kWrite };
/// For sentences: memory that can be "read", "written to".
const char* access_verb(HostAccess access);

/// True when the first and the last byte of the range are readable memory of this process.
bool host_readable(const void* pointer, std::uint64_t bytes);

/// True when all bytes of the range can be accessed: they are mapped, for writing where that is wanted, and no file
/// ends before them. Takes about a microsecond whatever the size; on kernels that do not tell about a single mapping,
/// a protected stretch inside of a range that is neither small nor very large goes unseen.
bool host_accessible(const void* pointer, std::uint64_t bytes, HostAccess access);

}  // namespace aclvk::runtime
