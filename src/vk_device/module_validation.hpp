#pragma once

#include <cstdint>
#include <vector>

#include "vk_device/gpu.hpp"

namespace aclvk::vk {

/// Looks at a SPIR-V module that a program brings before a driver does: drivers trust what they are given, and crash.
/// Throws kParamInvalid with the validator's sentence when it is not valid, kFeatureNotSupported when it needs what the
/// device lacks or what is not switched on here.
void check_module(const std::vector<std::uint32_t>& words, const Gpu& gpu);

}  // namespace aclvk::vk
