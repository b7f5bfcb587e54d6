#include "vk_device/pipelines/descriptor_cache.hpp"

#include <algorithm>

#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

constexpr std::size_t kMaxEntries = 4096;  // docs/performance.md has the cost of a miss
constexpr std::uint32_t kSetsPerPool = 256;
constexpr std::uint32_t kBuffersPerPool = kSetsPerPool * 4;  // a set has three buffers on average

std::size_t hash_of(const DescriptorInfos& infos) {
  std::uint64_t hash = infos.size();
  // Fibonacci hashing: the multiplier is 2^64 divided by the golden ratio.
  const auto mix = [&](std::uint64_t value) { hash = (hash ^ value) * 0x9E3779B97F4A7C15ULL; };
  for (const auto& info : infos) {
    mix(reinterpret_cast<std::uint64_t>(static_cast<VkBuffer>(info.buffer)));
    mix(info.offset);
    mix(info.range);
  }
  return hash ^ hash >> 32;
}

}  // namespace

struct DescriptorSet::Pool {
  explicit Pool(::vk::raii::DescriptorPool made) : pool(std::move(made)) {}

  ::vk::raii::DescriptorPool pool GUARDED_BY(mutex);
  Mutex mutex;  // VkDescriptorPool is externally synchronized, and the last owner of a set frees it, on any thread
};

DescriptorSet::~DescriptorSet() {
  if (!pool_) return;
  const LockGuard lock(pool_->mutex);
  static_cast<void>(
      (*gpu_->device())
          .freeDescriptorSets(*pool_->pool, 1, &set_, gpu_->functions()));  // vkFreeDescriptorSets cannot fail
}

std::shared_ptr<const DescriptorSet> DescriptorCache::find(const PipelineLayout& layout, const DescriptorInfos& infos,
                                                           const DispatchOperands& operands) {
  // The layout is no part of the key: sets with the same number of buffers share one (PipelineStore::layout()).
  const std::size_t hash = hash_of(infos);
  const LockGuard lock(mutex_);
  const auto [first, last] = entries_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    if (it->second.infos != infos) continue;
    // Equal handles of other buffers: the entry is stale when one of its buffers is gone.
    const auto& buffers = it->second.buffers;
    if (std::none_of(buffers.begin(), buffers.end(), [](const auto& buffer) { return buffer.expired(); })) {
      return it->second.set;
    }
    entries_.erase(it);
    break;
  }
  // Simpler than least-recently-used: sets that command buffers hold stay valid, and the others are created again.
  if (entries_.size() >= kMaxEntries) entries_.clear();
  Entry entry{infos, {}, create(layout, infos)};
  for (const DispatchOperand& operand : operands) {
    if (operand.range.buffer) entry.buffers.push_back(operand.range.buffer);
  }
  return entries_.emplace(hash, std::move(entry))->second.set;
}

std::shared_ptr<const DescriptorSet> DescriptorCache::create(const PipelineLayout& layout,
                                                             const DescriptorInfos& infos) {
  auto created = std::make_shared<DescriptorSet>(gpu_);
  allocate(layout, *created);
  const ::vk::DescriptorSet set = created->handle();
  // One write may cover consecutive bindings of the same type.
  const ::vk::WriteDescriptorSet write(set, 0, 0, ::vk::DescriptorType::eStorageBuffer, {}, infos);
  (*gpu_->device()).updateDescriptorSets(1, &write, 0, nullptr, gpu_->functions());
  return created;
}

void DescriptorCache::allocate(const PipelineLayout& layout, DescriptorSet& out) {
  const ::vk::DescriptorSetLayout set_layout = *layout.set;
  for (bool fresh = false;; fresh = true) {
    if (!pool_ || fresh) add_pool();
    const LockGuard lock(pool_->mutex);
    ::vk::DescriptorSet set;
    const ::vk::DescriptorSetAllocateInfo info(*pool_->pool, set_layout);
    const auto result = (*gpu_->device()).allocateDescriptorSets(&info, &set, gpu_->functions());
    if (result == ::vk::Result::eSuccess) return out.take(pool_, set);
    const bool full = result == ::vk::Result::eErrorOutOfPoolMemory || result == ::vk::Result::eErrorFragmentedPool;
    if (!full || fresh) expect(result, "allocating a descriptor set");
  }
}

void DescriptorCache::add_pool() {
  const ::vk::DescriptorPoolSize size(::vk::DescriptorType::eStorageBuffer, kBuffersPerPool);
  const ::vk::DescriptorPoolCreateInfo info(::vk::DescriptorPoolCreateFlagBits::eFreeDescriptorSet, kSetsPerPool, size);
  gpu_->count_created();
  pool_ = std::make_shared<DescriptorSet::Pool>(
      guarded([&] { return ::vk::raii::DescriptorPool(gpu_->device(), info); }, "creating a descriptor pool"));
}

}  // namespace aclvk::vk
