#pragma once

#include <optional>
#include <string>

#include "vk_device/gpu/device_info.hpp"
#include "vk_device/modules/embedded_shaders.hpp"

namespace aclvk::vk {

/// Returns the capability that an embedded module requires and the device lacks ("64-bit floats"), or nothing. Vulkan
/// leaves the use of a missing capability undefined, so this is checked before the driver gets the module.
std::optional<std::string> missing_capability(const ShaderWords& shader, const Features& features);

/// Returns the same for a program's module. Capabilities that the library does not know count as missing.
std::optional<std::string> unusable_capability(const ShaderWords& shader, const Features& features);

}  // namespace aclvk::vk
