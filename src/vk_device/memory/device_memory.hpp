#pragma once

#include <array>
#include <atomic>
#include <list>

#include "base/mutex.hpp"
#include "base/shared_spin_lock.hpp"
#include "vk_device/buffers/buffer_pool.hpp"
#include "vk_device/memory/address_map.hpp"
#include "vk_device/memory/address_space.hpp"
#include "vk_device/memory/memory.hpp"
#include "vk_device/submission/in_flight.hpp"

namespace aclvk::vk {

/// The implementation of Memory on two buffer pools. A freed range leaves the address map at once. Its bytes return to
/// the pool only when all submissions before the free have completed: until then the GPU may still access them.
class DeviceMemory final : public Memory {
 public:
  DeviceMemory(std::shared_ptr<const BufferSource> buffers, std::shared_ptr<BufferPool> host_pool,
               std::shared_ptr<InFlight> in_flight, std::shared_ptr<AddressSource> addresses,
               std::uint64_t total_bytes);

  void* allocate(Placement placement, std::uint64_t bytes) override;
  void import_host(void* host, std::uint64_t bytes) override;
  bool imports_host() const override;
  BufferRange allocate_chunk(std::uint64_t bytes) override;
  void release_chunk(const BufferRange& range) override;
  void* publish(const BufferRange& slice) override;
  std::uint64_t newest_submission() const override;
  bool completed(std::uint64_t submission) const override;
  File export_range(const BufferRange& range, SharedRange& out) const override;
  void* import_range(File file, const SharedRange& range) override;
  AddressSpace& address_space() override;
  std::shared_ptr<const Backing> allocate_backing(std::uint64_t bytes) override;
  bool reserved(const void* pointer) const override { return address_space_ && address_space_->reserved(pointer); }
  bool release(void* pointer, Placement placement) noexcept override;
  bool release_deferred(void* pointer, Placement placement, const Retain& retain) override;
  std::optional<BufferRange> find(const void* pointer, std::uint64_t bytes) const override;
  std::optional<AllocationInfo> describe(const void* pointer) const override;
  std::vector<BufferRange> allocations(Placement placement) const override;
  bool alive(const BufferRange& range) const override;
  std::uint64_t releases() const override { return releases_ + (address_space_ ? address_space_->unmaps() : 0); }
  std::uint64_t total_bytes() const override { return total_; }
  std::uint64_t used_bytes() const override { return used_; }
  MemoryUsage usage(MemoryCategory category) const override;

  /// Returns freed ranges that no submission uses any more to their pools.
  void collect();

 private:
  struct Allocation {
    BufferRange range;
    Placement placement;
  };
  struct Freed {
    std::uint64_t submission;  // the newest submission at the time of the free
    Allocation allocation;
  };
  /// A live allocation. It owns the list node with which it is freed (except for pooled memory), so that freeing
  /// allocates nothing and cannot fail.
  struct LiveAllocation {
    Allocation allocation;
    std::list<Freed> retirement;
  };

  class DeferredRelease;
  struct CountedBacking;

  struct Count {
    std::atomic<std::uint64_t> current{0};
    std::atomic<std::uint64_t> peak{0};
  };

  /// Adds to, and subtracts from, the budget and the statistics. charge() throws kMemoryAllocation beyond the budget.
  void charge(std::uint64_t bytes, MemoryCategory category);
  void uncharge(std::uint64_t bytes, MemoryCategory category);
  std::optional<LiveAllocation> remove_allocation(const void* pointer, Placement placement) noexcept;
  /// Queues a removed allocation until the device has finished with it.
  void retire(LiveAllocation removed) noexcept;
  /// Allocates from a pool; when that fails, reclaims freed ranges and tries again.
  BufferRange allocate_range(Placement placement, std::uint64_t bytes);
  /// Adds the allocation to the address map and numbers it.
  void publish(std::uint64_t start, Allocation allocation);
  void recycle(const Allocation& allocation) noexcept;
  void try_collect() noexcept;
  void reclaim();
  BufferPool& pool(Placement placement) { return placement == Placement::kPinnedHost ? *host_pool_ : device_pool_; }

  std::shared_ptr<const BufferSource> buffers_;
  BufferPool device_pool_;
  std::shared_ptr<BufferPool> host_pool_;
  std::shared_ptr<InFlight> in_flight_;
  std::uint64_t total_;
  std::atomic<std::uint64_t> used_{0};
  std::array<Count, 3> counts_;  // by MemoryCategory

  mutable SharedSpinLock map_mutex_;
  AddressMap<LiveAllocation> map_ GUARDED_BY(map_mutex_);
  std::atomic<std::uint64_t> releases_{0};
  Mutex freed_mutex_;  // precedes InFlight's lock, so InFlight destroys command buffers without its lock
  std::list<Freed> freed_ GUARDED_BY(freed_mutex_);        // in the order of their frees, so sorted by submission
  std::list<Freed> retirements_ GUARDED_BY(freed_mutex_);  // spare nodes for release_chunk(), one for each chunk

  std::unique_ptr<AddressSpace> address_space_;  // null when the device cannot reserve addresses
};

}  // namespace aclvk::vk
