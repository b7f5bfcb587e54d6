#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "base/mutex.hpp"
#include "vk_device/buffers/buffer.hpp"

namespace aclvk::runtime {

/// The address ranges of device buffers, live allocation or not. Copies use it to recognise a freed device pointer,
/// which would otherwise pass for pageable host memory: the copy would crash, or on a CPU driver overwrite another
/// allocation. A region covers the allocations that have been made in one buffer and ends with the buffer, whose
/// addresses the operating system may then give to malloc. Thread safe.
class DeviceRegions {
 public:
  static DeviceRegions& instance();

  /// Adds an allocation to the region of its buffer.
  void add(const void* pointer, std::uint64_t bytes, const std::shared_ptr<vk::Buffer>& buffer);
  /// Returns whether the address is in the region of a buffer that still exists.
  bool contain(const void* pointer) const;

 private:
  struct Region {
    std::uint64_t end;
    const vk::Buffer* key;
    std::weak_ptr<vk::Buffer> buffer;
  };

  using Regions = std::map<std::uint64_t, Region>;

  void remove(const vk::Buffer* buffer) REQUIRES(mutex_);
  void remove_overlapping(std::uint64_t start, std::uint64_t end) REQUIRES(mutex_);
  void remove_dead_buffers() REQUIRES(mutex_);
  Regions::iterator erase(Regions::iterator it) REQUIRES(mutex_);

  mutable Mutex mutex_;
  Regions regions_ GUARDED_BY(mutex_);  // by start; one for each buffer
  std::map<const vk::Buffer*, std::uint64_t> starts_ GUARDED_BY(mutex_);
  // Regions at which those of destroyed buffers are removed next: twice the rest, for a constant cost of each.
  std::size_t cleanup_size_ GUARDED_BY(mutex_) = 64;
};

}  // namespace aclvk::runtime
