#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdint>

namespace aclvk {

/// Returns the size of the host's pages: 4096 bytes on x86, up to 64 KiB on Arm and POWER.
inline std::uint64_t host_page_bytes() {
  static const auto bytes = static_cast<std::uint64_t>(std::max(1L, sysconf(_SC_PAGESIZE)));
  return bytes;
}

}  // namespace aclvk
