#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace aclvk::vk {

class Buffer;  // A VkBuffer with its memory; defined in vk_device/buffer_impl.hpp, the only room that sees Vulkan.

/// A piece of a buffer. Holding one keeps the VkBuffer alive (not the allocation inside it: that belongs to Memory).
struct BufferRange {
  std::shared_ptr<Buffer> buffer;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint64_t allocation = 0;  ///< the number of the allocation in which Memory found it; 0: of none

  /// The device address of the first byte.
  std::uint64_t address() const;
  /// Where the host sees the first byte, or null when the memory is not host-visible.
  std::byte* mapped() const;
  /// What a program calls the first byte: the mapped address of host memory, the device address of other memory.
  std::uint64_t pointer() const;
  /// `bytes` bytes from `start` of this range.
  BufferRange slice(std::uint64_t start, std::uint64_t bytes) const {
    return {buffer, offset + start, bytes, allocation};
  }
};

}  // namespace aclvk::vk
