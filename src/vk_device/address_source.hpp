#pragma once

#include <cstdint>
#include <memory>

#include "vk_device/backing.hpp"
#include "vk_device/buffer.hpp"

namespace aclvk::vk {

class Gpu;
class VulkanQueue;

/// Reserved addresses [start, start + bytes), and what is behind them. Threads that call it at the same time do so for
/// pieces that do not overlap; find_buffer() and add_buffer() as their caller's lock allows.
class AddressReservation {
 public:
  virtual ~AddressReservation() = default;

  virtual std::uint64_t start() const = 0;
  virtual std::uint64_t bytes() const = 0;

  /// Puts the memory there, for all that is submitted from now on. Throws kFeatureNotSupported for the wrong kind.
  virtual void map(std::uint64_t at, const Backing& backing) = 0;
  /// Takes it away. Tasks that still come here, although they should not, harm nobody.
  virtual void unmap(std::uint64_t at, const Backing& backing) = 0;

  /// A buffer that the GPU sees [begin, end) through; null when there is none yet.
  virtual std::shared_ptr<Buffer> find_buffer(std::uint64_t begin, std::uint64_t end) const = 0;
  virtual std::shared_ptr<Buffer> add_buffer(std::uint64_t begin, std::uint64_t end) = 0;
};

/// How a device's reserved addresses, and the memory for them, are made. Thread safe.
class AddressSource {
 public:
  virtual ~AddressSource() = default;

  /// What places and sizes of mappings are multiples of; a power of two.
  virtual std::uint64_t page() = 0;
  /// The host finds mapped memory at the same addresses, and memory of the host can be mapped.
  virtual bool host_accessible() const = 0;

  /// `bytes` at a multiple of `alignment`, both whole pages, at `wish` if that can be. Throws kMemoryAllocation.
  virtual std::shared_ptr<AddressReservation> reserve(std::uint64_t bytes, std::uint64_t alignment,
                                                      std::uint64_t hint) = 0;
  /// New memory of the device, whole pages. Throws kMemoryAllocation.
  virtual std::shared_ptr<const Backing> allocate(std::uint64_t bytes) = 0;
  /// Memory of another process. Throws kParamInvalid when the file is not what it should be.
  virtual std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared) = 0;
};

/// The way that ACLVK_RESERVED_ADDRESSES and the driver decide; null where there is none. The queue is for sparse
/// buffers, null without them.
std::shared_ptr<AddressSource> create_address_source(const std::shared_ptr<const Gpu>& gpu,
                                                     const std::shared_ptr<VulkanQueue>& sparse_queue);

}  // namespace aclvk::vk
