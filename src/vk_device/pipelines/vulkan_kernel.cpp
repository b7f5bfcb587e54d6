#include "vk_device/pipelines/vulkan_kernel.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "vk_device/gpu/vk_error.hpp"
#include "vk_device/modules/module_reflection.hpp"
#include "vk_device/modules/module_rewrite.hpp"
#include "vk_device/modules/module_validation.hpp"

namespace aclvk::vk {
namespace {

std::array<std::uint32_t, 3> local_size_of(const KernelInterface& kernel, const std::array<std::uint32_t, 3>& wanted) {
  return wanted[0] == 0 ? kernel.local_size : wanted;
}

void check_limits(const KernelInterface& kernel, const Gpu& gpu) {
  const Limits& limits = gpu.limits();
  check(kernel.buffers < limits.max_storage_buffers, Code::kFeatureNotSupported,
        "Kernel {} binds {} buffers; {} has {} for a kernel, one of them for long arguments.", kernel.name,
        kernel.buffers, gpu.info().name, limits.max_storage_buffers);
  check(kernel.shared_bytes <= limits.max_shared_bytes, Code::kFeatureNotSupported,
        "Kernel {} has {} bytes of shared memory; {} has {} for a group.", kernel.name, kernel.shared_bytes,
        gpu.info().name, limits.max_shared_bytes);
}

void check_local_size_of(const KernelInterface& kernel, const std::array<std::uint32_t, 3>& threads, const Gpu& gpu) {
  const Limits& limits = gpu.limits();
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < 3; ++i) {
    check(threads[i] > 0 && threads[i] <= limits.max_local_size[i], Code::kFeatureNotSupported,
          "Kernel {} has {} threads in dimension {} of its local size; {} has groups of 1 to {}.", kernel.name,
          threads[i], i, gpu.info().name, limits.max_local_size[i]);
    product *= threads[i];
  }
  check(product <= limits.max_threads, Code::kFeatureNotSupported,
        "Kernel {} has {} threads in a group; {} has at most {}.", kernel.name, product, gpu.info().name,
        limits.max_threads);
}

}  // namespace

VulkanKernel::VulkanKernel(std::shared_ptr<PipelineStore> store, ModuleWords module, KernelInterface interface)
    : store_(std::move(store)), module_(std::move(module)), interface_(std::move(interface)) {}

std::uint64_t VulkanKernel::buffer_alignment() const { return store_->gpu().limits().storage_buffer_alignment; }

void VulkanKernel::check_local_size(const std::array<std::uint32_t, 3>& threads) const {
  check_local_size_of(interface_, threads, store_->gpu());
}

const Pipeline& VulkanKernel::pipeline(const CustomLaunch& launch) const {
  const bool in_memory =
      interface_.block_bytes > 0 && (interface_.block_bytes > kPushConstantBytes || launch.device_block.buffer);
  const Key key{in_memory, launch.base_group > 0, local_size_of(interface_, launch.local_size)};
  // Held during compilation: concurrent first launches of a kernel usually need the same pipeline.
  const LockGuard lock(mutex_);
  if (const auto it = pipelines_.find(key); it != pipelines_.end()) return it->second;
  const PipelineLayout& layout = store_->layout(interface_.buffers + (in_memory ? 1 : 0));
  ::vk::raii::Pipeline handle = compile(key, layout);
  return pipelines_.try_emplace(key, std::move(handle), layout, false, in_memory).first->second;
}

// Validates again: modules may use push constants in ways that storage buffers do not allow, for instance pass them to
// functions.
std::vector<std::uint32_t> VulkanKernel::module_with_block_in_memory() const {
  std::vector<std::uint32_t> changed = with_block_in_memory(*module_, interface_.buffers);
  try {
    check_module(changed, store_->gpu());
  } catch (const Error& error) {
    fail(Code::kFeatureNotSupported, "The arguments of kernel {} cannot be in memory: {}", interface_.name,
         error.sentence());
  }
  return changed;
}

::vk::raii::Pipeline VulkanKernel::compile(const Key& key, const PipelineLayout& layout) const {
  const auto& [in_memory, has_base_group, threads] = key;
  std::vector<::vk::SpecializationMapEntry> entries;
  for (std::uint32_t i = 0; i < 3; ++i) {
    if (interface_.local_size_ids[i] != KernelInterface::kFixed)
      entries.emplace_back(interface_.local_size_ids[i], i * 4, 4);
  }
  const ::vk::SpecializationInfo constants(static_cast<std::uint32_t>(entries.size()), entries.data(), sizeof(threads),
                                           threads.data());
  std::vector<std::uint32_t> changed;
  if (in_memory) changed = module_with_block_in_memory();
  const std::vector<std::uint32_t>& words = in_memory ? changed : *module_;
  // vkCmdDispatchBase requires this flag for base groups other than 0.
  const ::vk::PipelineCreateFlags flags =
      has_base_group ? ::vk::PipelineCreateFlagBits::eDispatchBase : ::vk::PipelineCreateFlags{};
  return store_->compile(words, interface_.name, constants, layout, flags);
}

std::vector<std::shared_ptr<const CustomKernel>> create_kernels(const std::shared_ptr<PipelineStore>& store,
                                                                std::vector<std::uint32_t> words) {
  check_module(words, store->gpu());
  const auto module = std::make_shared<const std::vector<std::uint32_t>>(std::move(words));
  std::vector<std::shared_ptr<const CustomKernel>> kernels;
  for (KernelInterface& interface : reflect(*module)) {
    check_limits(interface, store->gpu());
    check_local_size_of(interface, interface.local_size, store->gpu());
    kernels.push_back(std::make_shared<VulkanKernel>(store, module, std::move(interface)));
  }
  return kernels;
}

}  // namespace aclvk::vk
