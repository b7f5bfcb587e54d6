#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "vk_device/buffers/buffer.hpp"

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

}  // namespace aclvk::vk
