#pragma once

// The one place that includes Vulkan. Inside namespace aclvk::vk the library's names are written ::vk::...

#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#include <vulkan/vulkan_raii.hpp>

namespace aclvk::vk {

using VulkanFunctions = ::vk::raii::DeviceDispatcher;  ///< the driver's entry points, past the loader's trampolines

}  // namespace aclvk::vk
