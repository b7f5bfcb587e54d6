#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/file.hpp"
#include "vk_device/buffers/buffer.hpp"

namespace aclvk::vk {

class Gpu;

/// The use of memory, which selects its memory type.
enum class MemoryUse {
  kDevice,  ///< kernels access it; also host-visible where all of the device's memory is
  kHost,    ///< the host accesses it; the GPU accesses it over the bus
};

/// Creates the buffers of a device, for BufferPool and DeviceMemory. Thread safe.
class BufferSource {
 public:
  virtual ~BufferSource() = default;

  /// Returns the name of the device, for error sentences.
  virtual const std::string& device_name() const = 0;
  /// Allocates memory and creates a buffer on it. Throws kMemoryAllocation, also when `bytes` exceeds a limit of the
  /// device.
  virtual std::shared_ptr<Buffer> create(MemoryUse use, std::uint64_t bytes) const = 0;
  /// Returns the alignment of addresses and sizes that import_host() takes; 0 when the device imports no host memory.
  virtual std::uint64_t host_import_alignment() const = 0;
  /// Imports pages of the program's memory.
  virtual std::shared_ptr<Buffer> import_host(void* pages, std::uint64_t bytes) const = 0;
  /// Returns whether memory can be exported to, and imported from, other processes.
  virtual bool shares_memory() const = 0;
  /// Imports memory that another process exported.
  virtual std::shared_ptr<Buffer> import_file(File file, const SharedRange& shared) const = 0;
};

/// Creates the source of VulkanBuffers.
std::shared_ptr<const BufferSource> create_buffer_source(std::shared_ptr<const Gpu> gpu);

}  // namespace aclvk::vk
