#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <vector>

#include "vk_device/command_store.hpp"
#include "vk_device/custom_kernel.hpp"

namespace aclvk::vk {

/// A SPIR-V module that a program brought; its kernels share it.
using ModuleWords = std::shared_ptr<const std::vector<std::uint32_t>>;

/// A CustomKernel with its pipelines, each made when first asked for.
class VulkanKernel final : public CustomKernel {
 public:
  VulkanKernel(std::shared_ptr<CommandStore> store, ModuleWords module, KernelInterface interface);

  const KernelInterface& interface() const override { return interface_; }
  std::uint64_t buffer_alignment() const override;
  void check_local_size(const std::array<std::uint32_t, 3>& threads) const override;

  /// The pipeline of this launch: its argument block in push constants or in memory, its local size, its first group.
  const Pipeline& pipeline(const CustomLaunch& launch) const;

 private:
  using Key = std::tuple<bool, bool, std::array<std::uint32_t, 3>>;  // block in memory, first group given, local size

  std::vector<std::uint32_t> module_with_block_in_memory() const;
  ::vk::raii::Pipeline compile(const Key& key, const PipelineLayout& layout) const;

  std::shared_ptr<CommandStore> store_;  // first: the pipelines go before it
  ModuleWords module_;
  const KernelInterface interface_;
  mutable std::mutex mutex_;
  mutable std::map<Key, Pipeline> pipelines_;
};

/// The kernels of a module, found valid and within the limits of the device.
std::vector<std::shared_ptr<const CustomKernel>> create_kernels(const std::shared_ptr<CommandStore>& store,
                                                                std::vector<std::uint32_t> words);

}  // namespace aclvk::vk
