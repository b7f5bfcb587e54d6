#pragma once

#include <cstdint>
#include <memory>

#include "vk_device/buffers/buffer.hpp"
#include "vk_device/memory/backing.hpp"

namespace aclvk::vk {

class Gpu;
class VulkanQueue;

/// Reserved device addresses [start, start + bytes), to which Backings are mapped. Owned by an AddressSpace. Concurrent
/// calls of map() and unmap() must not overlap; find_buffer() and add_buffer() require the AddressSpace's lock.
class AddressReservation {
 public:
  virtual ~AddressReservation() = default;

  virtual std::uint64_t start() const = 0;
  virtual std::uint64_t bytes() const = 0;

  /// Maps the memory at an address, for all work that is submitted from now on. Throws kFeatureNotSupported for a
  /// Backing of another source.
  virtual void map(std::uint64_t at, const Backing& backing) = 0;
  /// Removes the memory. Work that is submitted later and still uses the addresses does no harm to other memory.
  virtual void unmap(std::uint64_t at, const Backing& backing) = 0;

  /// Returns a buffer through which the GPU accesses [begin, end), or null when none exists yet.
  virtual std::shared_ptr<Buffer> find_buffer(std::uint64_t begin, std::uint64_t end) const = 0;
  /// Creates that buffer.
  virtual std::shared_ptr<Buffer> add_buffer(std::uint64_t begin, std::uint64_t end) = 0;
};

/// Reserves device addresses and allocates the memory for them. HostAddressSource and SparseAddressSource implement it
/// (docs/adr/0016); a device has at most one. Thread safe.
class AddressSource {
 public:
  virtual ~AddressSource() = default;

  /// Returns the granularity of mappings: addresses and sizes are multiples of it. A power of two.
  virtual std::uint64_t page() = 0;
  /// Returns true when the host can access mapped memory at the same addresses, and host memory can be mapped.
  virtual bool host_accessible() const = 0;

  /// Reserves `bytes` at a multiple of `alignment`, both multiples of page(), at the address `hint` where possible.
  /// Throws kMemoryAllocation.
  virtual std::shared_ptr<AddressReservation> reserve(std::uint64_t bytes, std::uint64_t alignment,
                                                      std::uint64_t hint) = 0;
  /// Allocates device memory; `bytes` is a multiple of page(). Throws kMemoryAllocation.
  virtual std::shared_ptr<const Backing> allocate(std::uint64_t bytes) = 0;
  /// Imports memory that another process exported. Throws kParamInvalid when the file does not match `shared`.
  virtual std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared) = 0;
};

/// Creates the source that the driver and ACLVK_RESERVED_ADDRESSES select, or returns null when the device supports
/// none. `sparse_queue` binds memory to sparse buffers; it is null on devices without them.
std::shared_ptr<AddressSource> create_address_source(const std::shared_ptr<const Gpu>& gpu,
                                                     const std::shared_ptr<VulkanQueue>& sparse_queue);

}  // namespace aclvk::vk
