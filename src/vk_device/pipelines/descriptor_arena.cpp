#include "vk_device/pipelines/descriptor_arena.hpp"

#include <algorithm>

#include "vk_device/gpu/vk_error.hpp"

namespace aclvk::vk {
namespace {

// Pools grow by a factor of 4: many command buffers hold a single task (task groups of a model), some hold thousands.
constexpr std::uint32_t kInitialSets = 16;
constexpr std::uint32_t kMaxSets = 1024;
constexpr std::uint32_t kBuffersPerSet = 4;  // on average
constexpr std::uint32_t kMinBuffers = 64;    // so that the kernel with the most operands fits into the first pool

}  // namespace

::vk::DescriptorSet DescriptorArena::allocate(const PipelineLayout& layout,
                                              const std::vector<::vk::DescriptorBufferInfo>& buffers) {
  const ::vk::DescriptorSet set = allocate_set(layout);
  // One write may cover consecutive bindings of the same type.
  const ::vk::WriteDescriptorSet write(set, 0, 0, ::vk::DescriptorType::eStorageBuffer, {}, buffers);
  (*gpu_->device()).updateDescriptorSets(1, &write, 0, nullptr, gpu_->functions());
  return set;
}

::vk::DescriptorSet DescriptorArena::allocate_set(const PipelineLayout& layout) {
  const ::vk::DescriptorSetLayout set_layout = *layout.set;
  // A pool that has refused a set is not tried again before reset(). A new pool has room, so the loop ends there.
  for (bool fresh = false;; ++current_) {
    if (current_ == pools_.size()) {
      add_pool();
      fresh = true;
    }
    ::vk::DescriptorSet set;
    const ::vk::DescriptorSetAllocateInfo info(*pools_[current_], set_layout);
    const auto result = (*gpu_->device()).allocateDescriptorSets(&info, &set, gpu_->functions());
    if (result == ::vk::Result::eSuccess) return set;
    // Either result means that the pool is exhausted.
    const bool full = result == ::vk::Result::eErrorOutOfPoolMemory || result == ::vk::Result::eErrorFragmentedPool;
    if (!full || fresh) expect(result, "allocating a descriptor set");
  }
}

void DescriptorArena::add_pool() {
  const std::uint32_t sets = std::min(kMaxSets, kInitialSets << std::min<std::size_t>(2 * pools_.size(), 8));
  const ::vk::DescriptorPoolSize size(::vk::DescriptorType::eStorageBuffer,
                                      std::max(kMinBuffers, sets * kBuffersPerSet));
  const ::vk::DescriptorPoolCreateInfo info({}, sets, size);
  gpu_->count_created();
  pools_.push_back(
      guarded([&] { return ::vk::raii::DescriptorPool(gpu_->device(), info); }, "creating a descriptor pool"));
}

void DescriptorArena::reset() {
  for (std::size_t i = 0; i < pools_.size() && i <= current_; ++i) pools_[i].reset();
  current_ = 0;
}

}  // namespace aclvk::vk
