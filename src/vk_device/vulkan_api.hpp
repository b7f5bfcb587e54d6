#pragma once

// The one place that includes Vulkan. Inside namespace aclvk::vk the library's names are written ::vk::...

#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#include <vulkan/vulkan_raii.hpp>

namespace aclvk::vk {

/// All that queues of this library do.
constexpr auto kWork = ::vk::PipelineStageFlagBits2::eComputeShader | ::vk::PipelineStageFlagBits2::eAllTransfer;

using VulkanFunctions = ::vk::raii::DeviceDispatcher;  ///< the driver's entry points, past the loader's trampolines

}  // namespace aclvk::vk
