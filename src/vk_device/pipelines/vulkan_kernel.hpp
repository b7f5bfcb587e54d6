#pragma once

#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/pipelines/custom_kernel.hpp"
#include "vk_device/pipelines/pipeline_store.hpp"

namespace aclvk::vk {

/// A program's SPIR-V module, shared by its kernels.
using ModuleWords = std::shared_ptr<const std::vector<std::uint32_t>>;

/// The implementation of CustomKernel. It owns the kernel's pipelines, which are compiled on first use.
class VulkanKernel final : public CustomKernel {
 public:
  VulkanKernel(std::shared_ptr<PipelineStore> store, ModuleWords module, KernelInterface interface);

  const KernelInterface& interface() const override { return interface_; }
  std::uint64_t buffer_alignment() const override;
  void check_local_size(const std::array<std::uint32_t, 3>& threads) const override;

  /// Returns the pipeline of this launch. It depends on where the argument block is, on the local size, and on whether
  /// there is a base group.
  const Pipeline& pipeline(const CustomLaunch& launch) const;

 private:
  using Key = std::tuple<bool, bool, std::array<std::uint32_t, 3>>;  // block in memory, base group used, local size

  std::vector<std::uint32_t> module_with_block_in_memory() const;
  ::vk::raii::Pipeline compile(const Key& key, const PipelineLayout& layout) const;

  std::shared_ptr<PipelineStore> store_;  // first: the pipelines must be destroyed before it
  ModuleWords module_;
  const KernelInterface interface_;
  mutable Mutex mutex_;
  mutable std::map<Key, Pipeline> pipelines_ GUARDED_BY(mutex_);
};

/// Creates the kernels of a module, after validation and checks of the device's limits.
std::vector<std::shared_ptr<const CustomKernel>> create_kernels(const std::shared_ptr<PipelineStore>& store,
                                                                std::vector<std::uint32_t> words);

}  // namespace aclvk::vk
