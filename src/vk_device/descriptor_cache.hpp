#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "vk_device/buffer_impl.hpp"
#include "vk_device/pipeline_store.hpp"

namespace aclvk::vk {

using DescriptorInfos = std::vector<::vk::DescriptorBufferInfo>;

/// A descriptor set that is written once and shared by all command buffers that bind the same buffers. Whoever has
/// recorded it holds it until the commands are gone.
class DescriptorSet {
 public:
  struct Pool;

  explicit DescriptorSet(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}
  ~DescriptorSet();
  DescriptorSet(const DescriptorSet&) = delete;
  DescriptorSet& operator=(const DescriptorSet&) = delete;

  ::vk::DescriptorSet handle() const { return set_; }
  /// A set of the pool is this one's from now on.
  void take(std::shared_ptr<Pool> pool, ::vk::DescriptorSet set) noexcept {
    pool_ = std::move(pool);
    set_ = set;
  }

 private:
  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<Pool> pool_;
  ::vk::DescriptorSet set_;
};

/// The sets of kernels that were launched lately: programs launch the same kernels on the same tensors again and again,
/// and a look-up costs less than it takes a driver to allocate, write and free a set. Thread safe.
class DescriptorCache {
 public:
  explicit DescriptorCache(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}

  /// The set that holds these storage buffers, bindings 0, 1, ...; `operands` are the same buffers, in the same order.
  std::shared_ptr<const DescriptorSet> find(const PipelineLayout& layout, const DescriptorInfos& infos,
                                            const std::vector<DispatchOperand>& operands);

 private:
  /// The Vulkan handle of a buffer that is gone may come back as another one's, so the buffers are remembered, too;
  /// without keeping them alive.
  struct Entry {
    DescriptorInfos infos;
    std::vector<std::weak_ptr<Buffer>> buffers;
    std::shared_ptr<const DescriptorSet> set;
  };

  std::shared_ptr<const DescriptorSet> create(const PipelineLayout& layout, const DescriptorInfos& infos);
  void allocate(const PipelineLayout& layout, DescriptorSet& out);
  void add_pool();

  std::shared_ptr<const Gpu> gpu_;
  std::mutex mutex_;
  std::unordered_multimap<std::size_t, Entry> entries_;  // by the hash of their infos
  std::shared_ptr<DescriptorSet::Pool> pool_;            // the newest; sets hold the others
};

}  // namespace aclvk::vk
