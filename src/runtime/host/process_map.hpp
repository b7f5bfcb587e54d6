#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// A memory mapping of this process, as the operating system reports it.
struct Mapping {
  enum class Kind : std::uint8_t {
    kMapped,
    kNothing,  ///< nothing is mapped at the address
    kUnknown,  ///< not available: no /proc, or system calls that a container forbids
  };
  Kind kind = Kind::kUnknown;
  std::uint64_t end = 0;
  bool readable = false;
  bool writable = false;
  bool of_file = false;  ///< maps a file, which may end before the mapping does
};

/// Returns the mapping that contains the address, by the ioctl PROCMAP_QUERY (from Linux 6.11 on), which takes about a
/// microsecond.
Mapping query_mapping(std::uint64_t address);

/// Returns it from /proc/self/maps, which every kernel has and which takes some hundred microseconds to read.
Mapping read_mapping(std::uint64_t address);

}  // namespace aclvk::runtime
