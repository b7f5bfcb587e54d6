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

/// One parameter of a kernel that a program brings, by its place in the argument block.
struct KernelParameter {
  enum class Kind : std::uint8_t {
    kBytes,    ///< bytes
    kWord64,   ///< 64 bits, which may be an address
    kPointer,  ///< an address, by its type
    kBuffer,   ///< an address; the kernel sees the memory as a storage buffer
  };

  std::string name;
  std::uint32_t offset = 0;
  std::uint32_t bytes = 0;
  Kind kind = Kind::kBytes;
  Access access = Access::kReadWrite;  ///< what the kernel may do with the memory
};

/// What a module says about one of its entry points. The argument block is 8 bytes for each storage buffer of set 0, by
/// its binding, and then the push constants as they are declared, however long they are (docs/custom-kernels.md).
struct KernelInterface {
  std::string name;
  std::array<std::uint32_t, 3> local_size{1, 1, 1};
  /// The specialization constants that set the local size; kFixed where none does.
  std::array<std::uint32_t, 3> local_size_ids{kFixed, kFixed, kFixed};
  std::vector<KernelParameter> parameters;
  std::uint32_t buffers = 0;       ///< the largest binding, and one
  std::uint32_t block_bytes = 0;   ///< of the push constants
  std::uint32_t shared_bytes = 0;  ///< shared memory of a group
  /// It makes addresses out of numbers or reads them from memory, so nobody knows what memory it reaches.
  bool computes_addresses = false;

  static constexpr std::uint32_t kFixed = UINT32_MAX;

  std::uint32_t slot_bytes() const { return buffers * 8; }
  std::uint32_t argument_bytes() const { return slot_bytes() + block_bytes; }
};

/// A kernel that a program brings. What was recorded with it keeps it alive. Thread safe.
class CustomKernel {
 public:
  virtual ~CustomKernel() = default;

  virtual const KernelInterface& interface() const = 0;
  /// What the device asks of the address of a storage buffer.
  virtual std::uint64_t buffer_alignment() const = 0;
  /// Throws kFeatureNotSupported when the device has no groups of this shape.
  virtual void check_local_size(const std::array<std::uint32_t, 3>& threads) const = 0;
};

/// What a launch of such a kernel needs beyond its Dispatch.
struct CustomLaunch {
  /// 8 bytes of the argument block whose value is only known here.
  struct Address {
    std::uint32_t offset = 0;
    std::uint64_t value = 0;
  };
  /// 8 bytes that become the device address of other bytes of the same argument block.
  struct Link {
    std::uint32_t offset = 0;
    std::uint32_t target = 0;
  };

  std::shared_ptr<const CustomKernel> kernel;
  std::vector<Address> addresses;
  std::vector<Link> links;
  BufferRange device_block;  ///< the argument block, when it is in device memory, as it is when the kernel starts
  std::array<std::uint32_t, 3> local_size{};  ///< 0: as the module says
  std::uint32_t base_group = 0;
  bool accesses_all_memory = false;  ///< it may read and write any memory
};

}  // namespace aclvk::vk
