#pragma once

#include <fmt/format.h>

#include <string>
#include <utility>

#include "base/error.hpp"
#include "vk_device/vulkan_api.hpp"

namespace aclvk::vk {

/// Throws the aclvk::Error for a VkResult: memory exhausted -> kMemoryAllocation, all else (a lost device too) ->
/// kDriverError.
[[noreturn]] void fail_vulkan(::vk::Result result, const std::string& doing);

/// Runs `call`; what vulkan.hpp throws becomes "Vulkan answers ErrorDeviceLost when submitting 3 command buffers.". No
/// exception of vulkan.hpp leaves this room. The sentence is only formatted on failure.
template <typename Call, typename... Args>
decltype(auto) guarded(Call&& call, fmt::format_string<Args...> doing, Args&&... args) {
  try {
    return call();
  } catch (const ::vk::SystemError& error) {
    fail_vulkan(static_cast<::vk::Result>(error.code().value()), fmt::format(doing, std::forward<Args>(args)...));
  }
}

/// The same for calls that return their VkResult, on paths where an exception handler costs too much to write.
inline void expect(::vk::Result result, const char* doing) {
  if (result < ::vk::Result::eSuccess) fail_vulkan(result, doing);
}

}  // namespace aclvk::vk
