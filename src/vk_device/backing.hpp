#pragma once

#include <cstdint>

#include "base/file.hpp"

namespace aclvk::vk {

/// What another process has to know about the file of a Backing. Plain numbers, so that they can be sent.
struct SharedBacking {
  enum class Kind : std::uint64_t { kHostPages, kDevicePages };

  Kind kind = Kind::kHostPages;
  std::uint64_t bytes = 0;
  std::uint64_t memory_type = 0;  ///< of kDevicePages
};

/// Memory without an address, to be put behind reserved ones (docs/adr/0016): HostPages or DevicePages.
class Backing {
 public:
  virtual ~Backing() = default;

  virtual std::uint64_t bytes() const = 0;
  /// A file through which another process sees the same memory. Throws kFeatureNotSupported where the driver has none,
  /// kMemoryAllocation when the process may not open more files.
  virtual File export_file(SharedBacking& out) const = 0;
};

}  // namespace aclvk::vk
