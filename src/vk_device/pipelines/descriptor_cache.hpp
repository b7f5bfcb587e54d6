#pragma once

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/buffers/buffer_impl.hpp"
#include "vk_device/pipelines/pipeline_store.hpp"

namespace aclvk::vk {

using DescriptorInfos = std::vector<::vk::DescriptorBufferInfo>;

/// A descriptor set that is written once and shared by all command buffers that bind the same buffers. Command buffers
/// hold references; the last one frees the set.
class DescriptorSet {
 public:
  struct Pool;

  explicit DescriptorSet(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}
  ~DescriptorSet();
  DescriptorSet(const DescriptorSet&) = delete;
  DescriptorSet& operator=(const DescriptorSet&) = delete;

  ::vk::DescriptorSet handle() const { return set_; }
  /// Takes over a set that was allocated from the pool.
  void take(std::shared_ptr<Pool> pool, ::vk::DescriptorSet set) noexcept {
    pool_ = std::move(pool);
    set_ = set;
  }

 private:
  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Pool> pool_;
  ::vk::DescriptorSet set_;
};

/// Caches the descriptor sets of recent kernel launches. Programs launch the same kernels on the same tensors
/// repeatedly, and a look-up takes less time than vkAllocateDescriptorSets, vkUpdateDescriptorSets and
/// vkFreeDescriptorSets (docs/adr/0002). Thread safe.
class DescriptorCache {
 public:
  explicit DescriptorCache(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}

  /// Returns the set with these storage buffers at bindings 0, 1, ..., or creates it. `operands` lists the same buffers
  /// in the same order.
  std::shared_ptr<const DescriptorSet> find(const PipelineLayout& layout, const DescriptorInfos& infos,
                                            const DispatchOperands& operands);

 private:
  /// A cached set. A driver may reuse the handle of a destroyed VkBuffer, so the entry also holds weak references to
  /// its buffers: it is stale when one has expired.
  struct Entry {
    DescriptorInfos infos;
    std::vector<std::weak_ptr<Buffer>> buffers;
    std::shared_ptr<const DescriptorSet> set;
  };

  std::shared_ptr<const DescriptorSet> create(const PipelineLayout& layout, const DescriptorInfos& infos)
      REQUIRES(mutex_);
  void allocate(const PipelineLayout& layout, DescriptorSet& out) REQUIRES(mutex_);
  /// Creates a pool and makes it the newest.
  void add_pool() REQUIRES(mutex_);

  std::shared_ptr<const Gpu> gpu_;
  Mutex mutex_;
  std::unordered_multimap<std::size_t, Entry> entries_ GUARDED_BY(mutex_);  // by the hash of their infos
  // The newest pool; older ones live as long as their sets.
  std::shared_ptr<DescriptorSet::Pool> pool_ GUARDED_BY(mutex_);
};

}  // namespace aclvk::vk
