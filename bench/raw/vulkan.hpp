#pragma once

// The floor: plain Vulkan, as a program without the library would use it.

#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#include <vulkan/vulkan_raii.hpp>
