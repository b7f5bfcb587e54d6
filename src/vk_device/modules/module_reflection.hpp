#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vk_device/modules/kernel_interface.hpp"

namespace aclvk::vk {

/// Returns the interfaces of the compute entry points of a valid SPIR-V module, in their order. Throws
/// kFeatureNotSupported for resources other than storage buffers of set 0 and push constants, kParamInvalid when there
/// is no compute entry point.
std::vector<KernelInterface> reflect(const std::vector<std::uint32_t>& words);

/// Returns the names of the compute entry points.
std::vector<std::string> kernel_names(const std::vector<std::uint32_t>& words);

}  // namespace aclvk::vk
