#pragma once

#include <cstdint>

namespace aclvk::runtime {

/// Addresses of this process that are mapped the same way.
struct Mapping {
  enum class Kind : std::uint8_t {
    kMapped,
    kNothing,  ///< nothing is mapped there
    kUnknown,  ///< the kernel does not tell: no /proc, or calls that a container forbids
  };
  Kind kind = Kind::kUnknown;
  std::uint64_t end = 0;
  bool readable = false;
  bool writable = false;
  bool of_file = false;  ///< shows a file, which may end before the mapping does
};

/// The mapping that contains the address. The kernel is asked for this one (PROCMAP_QUERY, from Linux 6.11 on), which
/// takes a microsecond.
Mapping query_mapping(std::uint64_t address);

/// The same from the list of all mappings, which every kernel has and which takes some hundred microseconds to read.
Mapping read_mapping(std::uint64_t address);

}  // namespace aclvk::runtime
