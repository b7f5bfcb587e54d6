#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "vk_device/buffers/buffer.hpp"
#include "vk_device/modules/kernel_interface.hpp"

namespace aclvk::vk {

/// A kernel of a program's module. Command buffers that launch it keep it alive. Thread safe.
class CustomKernel {
 public:
  virtual ~CustomKernel() = default;

  virtual const KernelInterface& interface() const = 0;
  /// Returns the alignment of storage buffer addresses (minStorageBufferOffsetAlignment, at least 16).
  virtual std::uint64_t buffer_alignment() const = 0;
  /// Throws kFeatureNotSupported when the device does not support this local size.
  virtual void check_local_size(const std::array<std::uint32_t, 3>& threads) const = 0;
};

/// The part of a kernel launch that Dispatch does not hold.
struct CustomLaunch {
  /// An 8-byte field of the argument block to replace by an address, because the pointer in it is not the device
  /// address.
  struct Address {
    std::uint32_t offset = 0;
    std::uint64_t value = 0;
  };
  /// An 8-byte field of the argument block that points to other bytes of the same block.
  struct Link {
    std::uint32_t offset = 0;
    std::uint32_t target = 0;
  };

  std::shared_ptr<const CustomKernel> kernel;
  std::vector<Address> addresses;
  std::vector<Link> links;
  BufferRange device_block;  ///< set when the argument block is in device memory; read when the kernel starts
  std::array<std::uint32_t, 3> local_size{};  ///< {0, 0, 0}: the module's own
  /// The x component of the base workgroup (vkCmdDispatchBase).
  std::uint32_t base_group = 0;
  bool accesses_all_memory = false;  ///< the launch must be ordered against all commands
};

}  // namespace aclvk::vk
