// This header is precompiled. "#pragma once" reads a header again when a cached precompiled header was made of a file
// with other comments; a macro does not.
#ifndef ACLVK_VK_DEVICE_GPU_VULKAN_API_HPP
#define ACLVK_VK_DEVICE_GPU_VULKAN_API_HPP

// The only file of the library that includes Vulkan. Inside namespace aclvk::vk, Vulkan-Hpp is ::vk.

#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#include <type_traits>
#include <utility>
#include <vulkan/vulkan_raii.hpp>

namespace aclvk::vk {

/// The pipeline stages of all commands that the library records.
constexpr auto kWorkStages = ::vk::PipelineStageFlagBits2::eComputeShader | ::vk::PipelineStageFlagBits2::eAllTransfer;

/// The driver's entry points, which bypass the loader's trampolines. The type's name differs between versions of
/// Vulkan-Hpp.
using VulkanFunctions = std::remove_reference_t<decltype(*std::declval<const ::vk::raii::Device&>().getDispatcher())>;

/// Returns the struct with its pNext set. The constructors of Vulkan-Hpp 1.3.204 (Ubuntu 22.04) do not take pNext.
template <typename Struct>
Struct chained(Struct info, const void* next) {
  info.pNext = next;
  return info;
}

}  // namespace aclvk::vk

#endif  // ACLVK_VK_DEVICE_GPU_VULKAN_API_HPP
