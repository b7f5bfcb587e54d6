#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/error.hpp"
#include "vk_device/gpu/vulkan_api.hpp"

namespace aclvk::vk {

/// Throws the aclvk::Error for a VkResult: kMemoryAllocation for exhausted memory, kDriverError for everything else,
/// including a lost device.
[[noreturn]] void fail_vulkan(::vk::Result result, const std::string& doing);

/// Runs `call` and converts exceptions of Vulkan-Hpp to errors such as "Vulkan answers ErrorDeviceLost when submitting
/// 3 command buffers."; they do not leave vk_device. Formats the message only on failure.
template <typename Call, typename... Args>
decltype(auto) guarded(Call&& call, fmt::format_string<Args...> doing, Args&&... args) {
  try {
    return call();
  } catch (const ::vk::SystemError& error) {
    fail_vulkan(static_cast<::vk::Result>(error.code().value()), fmt::format(doing, std::forward<Args>(args)...));
  }
}

/// Throws for a failed VkResult. For hot paths that call functions without exceptions.
inline void expect(::vk::Result result, const char* doing) {
  if (result < ::vk::Result::eSuccess) fail_vulkan(result, doing);
}

}  // namespace aclvk::vk
