#pragma once

#include <cstdint>
#include <vector>

#include "vk_device/gpu/gpu.hpp"

namespace aclvk::vk {

/// Validates a program's SPIR-V module before the driver gets it: drivers do not validate, and crash on invalid
/// modules. Throws kParamInvalid with the validator's message, kFeatureNotSupported when the module needs a capability
/// that the device lacks or the library does not enable.
void check_module(const std::vector<std::uint32_t>& words, const Gpu& gpu);

}  // namespace aclvk::vk
