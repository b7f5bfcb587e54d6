#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "vk_device/custom_kernel.hpp"

namespace aclvk::vk {

/// The compute entry points of a valid SPIR-V module, in their order. Throws kFeatureNotSupported for one that takes
/// arguments in another way than custom_kernel.hpp says, and kParamInvalid when there is none.
std::vector<KernelInterface> reflect(const std::vector<std::uint32_t>& words);

/// The names alone.
std::vector<std::string> kernel_names(const std::vector<std::uint32_t>& words);

}  // namespace aclvk::vk
