#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

#include "vk_device/buffer.hpp"

namespace aclvk::runtime {

/// Addresses that belong to buffers of devices, whether or not a live allocation covers them. Without it a freed
/// pointer would pass for pageable host memory and the copy would crash, or on a CPU driver write into somebody else's
/// allocation. A buffer is known by the allocations seen in it, for as long as it exists: afterwards the operating
/// system may give its addresses to malloc. Thread safe.
class DeviceRegions {
 public:
  static DeviceRegions& instance();

  void add(const void* pointer, std::uint64_t bytes, const std::shared_ptr<vk::Buffer>& buffer);
  bool contain(const void* pointer) const;

 private:
  struct Region {
    std::uint64_t end;
    const vk::Buffer* key;
    std::weak_ptr<vk::Buffer> buffer;
  };

  using Regions = std::map<std::uint64_t, Region>;

  void remove(const vk::Buffer* buffer);
  void remove_overlapping(std::uint64_t start, std::uint64_t end);
  void remove_dead_buffers();
  Regions::iterator erase(Regions::iterator it);

  mutable std::mutex mutex_;
  Regions regions_;  // one a buffer, by start
  std::map<const vk::Buffer*, std::uint64_t> starts_;
  std::size_t cleanup_size_ = 64;
};

}  // namespace aclvk::runtime
