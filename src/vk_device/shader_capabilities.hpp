#pragma once

#include <optional>
#include <string>

#include "vk_device/device.hpp"
#include "vk_device/embedded_shaders.hpp"

namespace aclvk::vk {

/// What the module's OpCapability instructions ask for and the device lacks ("64-bit floats"); nothing when it can run.
/// Vulkan itself leaves a missing capability undefined, so it is found out before the driver sees the module.
std::optional<std::string> missing_capability(const ShaderWords& shader, const Features& features);

/// The same for a module that a program brings: a capability that nothing of the above vouches for counts as missing.
std::optional<std::string> unusable_capability(const ShaderWords& shader, const Features& features);

}  // namespace aclvk::vk
