#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "base/file.hpp"
#include "vk_device/buffer.hpp"

namespace aclvk::vk {

class AddressSpace;
class Backing;

/// Where an allocation lives, as a program sees it.
enum class Placement {
  kDevice,      ///< aclrtMalloc: the pointer is the buffer's device address
  kPinnedHost,  ///< aclrtMallocHost: the pointer is the mapped host address; the GPU reads it directly
  kRegistered,  ///< aclrtHostRegister: the program's own memory, imported
  kPooled,      ///< aclrtMemPoolMallocAsync: as kDevice, cut from reserved bytes
  kShared,      ///< aclrtIpcMemImportByKey: device memory that another process has allocated
  kMapped,      ///< aclrtMapMem: physical memory of the device at a reserved address
  kMappedHost,  ///< the same with physical memory of the host
};

/// Memory of the device: what a program calls it is its device address.
inline bool on_device(Placement placement) {
  return placement != Placement::kPinnedHost && placement != Placement::kRegistered &&
         placement != Placement::kMappedHost;
}

/// How another process gets at device memory: the file of the buffer that it lies in, and where it lies there. The
/// numbers are plain, so that they can be sent.
struct SharedRange {
  std::uint64_t memory_bytes = 0;  ///< of the VkDeviceMemory
  std::uint64_t buffer_bytes = 0;  ///< of the VkBuffer
  std::uint64_t memory_type = 0;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// A live allocation that an address falls into.
struct AllocationInfo {
  std::uint64_t start = 0;
  std::uint64_t size = 0;
  Placement placement = Placement::kDevice;
};

/// What device memory is used for.
enum class MemoryCategory { kAllocations, kPools, kPhysical };

struct MemoryUsage {
  std::uint64_t current = 0;
  std::uint64_t peak = 0;
};

/// All memory of one device: allocation, the interval maps from addresses to buffers, and the budget. Small device
/// allocations are cut from larger buffers; starts are 512-byte aligned. Thread safe. A freed range may be handed out
/// again only after every submission made before the free has completed.
class Memory {
 public:
  virtual ~Memory() = default;

  /// A new allocation's public pointer. Throws kMemoryAllocation with the sizes when the device has no more.
  virtual void* allocate(Placement placement, std::uint64_t bytes) = 0;

  /// Makes [host, host + bytes) readable by the GPU (VK_EXT_external_memory_host, whole pages). Throws
  /// kHostMemoryRegistered when it overlaps a registered range, kFeatureNotSupported where the device cannot import.
  virtual void import_host(void* host, std::uint64_t bytes) = 0;

  virtual bool imports_host() const = 0;

  // For pools, which have an order of their own in which bytes are used again:

  /// Device memory that no program sees yet. Throws kMemoryAllocation.
  virtual BufferRange reserve(std::uint64_t bytes) = 0;
  /// Gives it back. All that was submitted before may still use it.
  virtual void release_reserved(const BufferRange& range) = 0;
  /// Makes a part of reserved memory an allocation; when it ends, the bytes stay reserved.
  virtual void* publish(const BufferRange& slice) = 0;
  /// The number of the newest submission, and whether all up to one were complete when that was last looked at.
  virtual std::uint64_t newest_submission() const = 0;
  virtual bool completed(std::uint64_t submission) const = 0;
  /// The file behind device memory, for another process. Throws kFeatureNotSupported where the driver has none, and
  /// kMemoryAllocation when the process may not open more files.
  virtual File export_range(const BufferRange& range, SharedRange& out) const = 0;
  /// Device memory of another process, which has to use the same driver and device. Its pointer; ends with release().
  virtual void* import_range(File file, const SharedRange& range) = 0;
  /// Addresses that are reserved and mapped apart from memory; throws kFeatureNotSupported where there are none.
  virtual AddressSpace& address_space() = 0;
  /// Memory to map there, of whole pages; it counts as used for as long as it lives. Throws kMemoryAllocation.
  virtual std::shared_ptr<const Backing> allocate_backing(std::uint64_t bytes) = 0;
  /// The address lies in a reservation.
  virtual bool reserved(const void* pointer) const = 0;

  /// Ends an allocation or an import. False when `pointer` is not the start of a live one of that placement. Takes no
  /// memory, since destructors call it.
  virtual bool release(void* pointer, Placement placement) noexcept = 0;
  using Retain = std::function<void(const BufferRange& allocation, const std::shared_ptr<void>& bytes)>;
  /// The same for work that is still to be submitted: the bytes are not used again before all to whom `keep` gives them
  /// have let go, and what has been submitted by then is complete. When `keep` throws, the allocation has not ended.
  virtual bool release_deferred(void* pointer, Placement placement, const Retain& retain) = 0;

  /// The buffer range behind [pointer, pointer + bytes), if it lies inside one live allocation of any placement.
  virtual std::optional<BufferRange> find(const void* pointer, std::uint64_t bytes) const = 0;

  /// The live allocation that contains the address, if any.
  virtual std::optional<AllocationInfo> describe(const void* pointer) const = 0;

  /// The live allocations of a placement, by address; mapped memory also where find() does not find it.
  virtual std::vector<BufferRange> allocations(Placement placement) const = 0;

  /// Whether the allocation in which find() found the range still lives. Another one that got the same bytes later does
  /// not count. Memory that is no allocation of a program always lives.
  virtual bool alive(const BufferRange& range) const = 0;
  /// How many allocations and imports have ended so far: while it stays the same, what was alive still is.
  virtual std::uint64_t releases() const = 0;

  virtual std::uint64_t total_bytes() const = 0;
  virtual std::uint64_t used_bytes() const = 0;
  virtual MemoryUsage usage(MemoryCategory category) const = 0;
};

}  // namespace aclvk::vk
