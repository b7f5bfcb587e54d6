#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aclvk {
class File;
}

namespace aclvk::vk {

struct SharedRange;

/// Memory with a device address, in which allocations are ranges. VulkanBuffer implements it with a VkBuffer
/// (vk_device/buffers/buffer_impl.hpp). Immutable after its construction.
class Buffer {
 public:
  virtual ~Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  std::uint64_t bytes() const { return bytes_; }
  /// Returns the device address of the first byte.
  std::uint64_t address() const { return address_; }
  /// Returns the mapped address of the first byte, or null when the memory is not host-visible.
  std::byte* mapped() const { return mapped_; }
  /// Returns true for memory of the host, allocated or registered.
  bool on_host() const { return on_host_; }
  /// Returns true for registered memory of the program, which the program may have unmapped or protected since.
  bool registered() const { return registered_; }

  /// Exports the memory as a file descriptor and describes it. Throws like Memory::export_range().
  virtual File export_memory(SharedRange& out) const = 0;

 protected:
  enum class Owner : std::uint8_t { kDevice, kHost, kProgram };

  Buffer(std::uint64_t bytes, Owner owner)
      : bytes_(bytes), on_host_(owner != Owner::kDevice), registered_(owner == Owner::kProgram) {}
  void set_address(std::uint64_t address) { address_ = address; }
  void set_mapped(std::byte* mapped) { mapped_ = mapped; }

 private:
  std::uint64_t bytes_;
  std::uint64_t address_ = 0;
  std::byte* mapped_ = nullptr;
  bool on_host_;
  bool registered_;
};

/// A range of a buffer. It keeps the buffer alive, but not the allocation in it: Memory owns that.
struct BufferRange {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t allocation = 0;  ///< the number of the allocation in which Memory::find() found the range; 0: none

  /// Returns the device address of the first byte.
  std::uint64_t address() const;
  /// Returns the mapped address of the first byte, or null when the memory is not host-visible.
  std::byte* mapped() const;
  /// Returns the pointer that a program uses for the first byte: the mapped address of host memory, else the device
  /// address.
  std::uint64_t pointer() const;
  /// Returns the `bytes` bytes from `start` of this range.
  BufferRange slice(std::uint64_t start, std::uint64_t bytes) const {
    return {buffer, offset + start, bytes, allocation};
  }
};

/// Describes device memory to another process: the exported VkDeviceMemory, its VkBuffer, and the range in it. It has
/// plain numbers only, so that it can be sent as bytes.
struct SharedRange {
  std::uint64_t memory_bytes = 0;  ///< size of the VkDeviceMemory
  std::uint64_t buffer_bytes = 0;  ///< size of the VkBuffer
  std::uint64_t memory_type = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// The kind of an access to memory, by a command or by an operand of a kernel.
enum class Access : std::uint8_t { kRead, kWrite, kReadWrite };

}  // namespace aclvk::vk
