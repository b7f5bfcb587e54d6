#pragma once

// The one place that includes Vulkan. Inside namespace aclvk::vk the library's names are written ::vk::...

#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#include <type_traits>
#include <utility>
#include <vulkan/vulkan_raii.hpp>

namespace aclvk::vk {

/// All that queues of this library do.
constexpr auto kWorkStages = ::vk::PipelineStageFlagBits2::eComputeShader | ::vk::PipelineStageFlagBits2::eAllTransfer;

/// The driver's entry points, past the loader's trampolines. Versions of Vulkan-Hpp name the type differently.
using VulkanFunctions = std::remove_reference_t<decltype(*std::declval<const ::vk::raii::Device&>().getDispatcher())>;

/// A struct with another one behind it. (The constructors of Vulkan-Hpp 1.3.204, which Ubuntu 22.04 has, take none.)
template <typename Struct>
Struct chained(Struct info, const void* next) {
  info.pNext = next;
  return info;
}

}  // namespace aclvk::vk
