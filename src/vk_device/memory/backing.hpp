#pragma once

#include <cstdint>

#include "base/file.hpp"

namespace aclvk::vk {

/// Describes an exported Backing to another process. It has plain numbers only, so that it can be sent as bytes.
struct SharedBacking {
  enum class Kind : std::uint64_t { kHostPages, kDevicePages };

  Kind kind = Kind::kHostPages;
  std::uint64_t bytes = 0;
  std::uint64_t memory_type = 0;  ///< of the exporting VkDeviceMemory, for kDevicePages
};

/// Memory without an address, which AddressSpace maps at reserved addresses (docs/adr/0016): HostPages or DevicePages.
class Backing {
 public:
  virtual ~Backing() = default;

  virtual std::uint64_t bytes() const = 0;
  /// Exports a file descriptor through which another process maps the same memory. Throws kFeatureNotSupported when the
  /// driver cannot export, kMemoryAllocation when the process has no free file descriptors.
  virtual File export_file(SharedBacking& out) const = 0;
};

}  // namespace aclvk::vk
