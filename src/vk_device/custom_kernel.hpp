#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "vk_device/buffer.hpp"
#include "vk_device/command_recorder.hpp"

namespace aclvk::vk {

/// A parameter of a program's kernel, by its offset in the argument block.
struct KernelParameter {
  enum class Kind : std::uint8_t {
    kBytes,    ///< any bytes
    kWord64,   ///< a 64-bit value that may be an address
    kPointer,  ///< a pointer (buffer_reference)
    kBuffer,   ///< the address of a storage buffer, which is bound as a descriptor
  };

  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  Kind kind = Kind::kBytes;
  Access access = Access::kReadWrite;  ///< how the kernel may access the memory
};

/// The interface of a compute entry point, read from the module. The argument block has 8 bytes for each storage buffer
/// of set 0, by binding, followed by the push constants as declared, whatever their size (docs/custom-kernels.md).
struct KernelInterface {
  std::string name;
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  /// The ids of the specialization constants that set the local size; kFixed where it is fixed.
  std::array<std::uint32_t, 3> local_size_ids{kFixed, kFixed, kFixed};
  std::vector<KernelParameter> parameters;
  std::uint32_t buffers = 0;       ///< the largest binding plus 1
  std::uint32_t block_bytes = 0;   ///< bytes of the push constants
  std::uint32_t shared_bytes = 0;  ///< shared memory of a workgroup
  /// True when the module converts numbers to addresses or loads addresses from memory, so that the memory it accesses
  /// is not known before it runs.
  bool computes_addresses = false;

  static constexpr std::uint32_t kFixed = UINT32_MAX;

  std::uint32_t slot_bytes() const { return buffers * 8; }
  std::uint32_t argument_bytes() const { return slot_bytes() + block_bytes; }
};

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
