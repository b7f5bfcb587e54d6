#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/file.hpp"
#include "vk_device/buffers/buffer.hpp"

namespace aclvk::vk {

class AddressSpace;
class Backing;

/// The origin of an allocation.
enum class Placement {
  kDevice,      ///< aclrtMalloc; the pointer is the buffer's device address
  kPinnedHost,  ///< aclrtMallocHost; the pointer is the mapped host address; the GPU accesses it over the bus
  kRegistered,  ///< aclrtHostRegister; the program's own memory, imported
  kPooled,      ///< aclrtMemPoolMallocAsync; like kDevice, a slice of a chunk (Memory::allocate_chunk)
  kShared,      ///< aclrtIpcMemImportByKey; device memory that another process allocated
  kMapped,      ///< aclrtMapMem; physical device memory at reserved addresses
  kMappedHost,  ///< aclrtMapMem; physical host memory at reserved addresses
};

/// Returns whether the pointers of this placement are device addresses.
inline bool on_device(Placement placement) {
  return placement != Placement::kPinnedHost && placement != Placement::kRegistered &&
         placement != Placement::kMappedHost;
}

/// The live allocation that contains an address.
struct AllocationInfo {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  Placement placement = Placement::kDevice;
};

/// The categories in which used memory is counted.
enum class MemoryCategory {
  kAllocations,  ///< Placement::kDevice
  kPools,        ///< chunks of memory pools, whether in use or not
  kPhysical,     ///< Backings, mapped or not
};

struct MemoryUsage {
  std::uint64_t current = 0;
  std::uint64_t peak = 0;
};

/// The memory of one ACL device: it allocates within a budget, maps pointers to buffer ranges, and frees. Starts are
/// multiples of 512 bytes. Bytes of a freed allocation are reused only after every submission before the free has
/// completed. Thread safe.
class Memory {
 public:
  virtual ~Memory() = default;

  /// Allocates and returns the program's pointer. Throws kMemoryAllocation, with the sizes, when the budget or the
  /// device is exhausted.
  virtual void* allocate(Placement placement, std::uint64_t bytes) = 0;

  /// Imports [host, host + bytes) for the GPU (VK_EXT_external_memory_host, whole pages). Throws kHostMemoryRegistered
  /// when it overlaps a registered range, kFeatureNotSupported when the device cannot import.
  virtual void import_host(void* host, std::uint64_t bytes) = 0;

  virtual bool imports_host() const = 0;

  // For memory pools, which decide themselves when bytes are reused:

  /// Allocates device memory without a public pointer. Throws kMemoryAllocation.
  virtual BufferRange allocate_chunk(std::uint64_t bytes) = 0;
  /// Frees a chunk. Work that was submitted before may still use it.
  virtual void release_chunk(const BufferRange& range) = 0;
  /// Makes a slice of a chunk an allocation and returns its pointer. release() returns the bytes to the chunk.
  virtual void* publish(const BufferRange& slice) = 0;
  /// Return the number of the newest submission, and whether all submissions up to a number had completed at the last
  /// collect().
  virtual std::uint64_t newest_submission() const = 0;
  virtual bool completed(std::uint64_t submission) const = 0;
  /// Exports the memory of a range for another process. Throws kFeatureNotSupported when the driver cannot export,
  /// kMemoryAllocation when the process has no free file descriptors.
  virtual File export_range(const BufferRange& range, SharedRange& out) const = 0;
  /// Imports device memory of another process on the same device and driver, and returns its pointer. release() ends
  /// the import.
  virtual void* import_range(File file, const SharedRange& range) = 0;
  /// Returns the manager of reserved addresses. Throws kFeatureNotSupported when the device has none.
  virtual AddressSpace& address_space() = 0;
  /// Allocates memory to map there; `bytes` is a multiple of the page. It counts as used until it is destroyed. Throws
  /// kMemoryAllocation.
  virtual std::shared_ptr<const Backing> allocate_backing(std::uint64_t bytes) = 0;
  /// Returns whether the address lies in a reservation.
  virtual bool reserved(const void* pointer) const = 0;

  /// Ends an allocation or an import. Returns false when `pointer` is not the start of a live one with that placement.
  /// Allocates no memory, since destructors call it.
  virtual bool release(void* pointer, Placement placement) noexcept = 0;
  using Retain = std::function<void(const BufferRange& allocation, const std::shared_ptr<void>& bytes)>;
  /// Ends an allocation that unsubmitted tasks still use. Its bytes are reused when all owners of the token that
  /// `retain` receives have dropped it, and all work submitted by then has completed. When `retain` throws, the
  /// allocation stays live.
  virtual bool release_deferred(void* pointer, Placement placement, const Retain& retain) = 0;

  /// Returns the buffer range of [pointer, pointer + bytes) if it lies inside one live allocation of any placement.
  virtual std::optional<BufferRange> find(const void* pointer, std::uint64_t bytes) const = 0;

  /// Returns the live allocation that contains the address, if any.
  virtual std::optional<AllocationInfo> describe(const void* pointer) const = 0;

  /// Returns the live allocations with a placement, by address, including mapped memory that is not usable.
  virtual std::vector<BufferRange> allocations(Placement placement) const = 0;

  /// Returns whether the allocation in which find() found the range still lives. A later allocation of the same bytes
  /// does not count. Internal memory (allocation 0) always lives.
  virtual bool alive(const BufferRange& range) const = 0;
  /// Returns how many allocations and imports have ended so far. While it stays the same, what was alive still is.
  virtual std::uint64_t releases() const = 0;

  virtual std::uint64_t total_bytes() const = 0;
  virtual std::uint64_t used_bytes() const = 0;
  virtual MemoryUsage usage(MemoryCategory category) const = 0;
};

}  // namespace aclvk::vk
