// This header is precompiled. "#pragma once" reads a header again when a cached precompiled header was made of a file
// with other comments; a macro does not.
#ifndef ACLVK_BENCH_RAW_VULKAN_HPP
#define ACLVK_BENCH_RAW_VULKAN_HPP

// The floor: plain Vulkan, as a program without the library would use it.

#define VULKAN_HPP_NO_SMART_HANDLE
#define VULKAN_HPP_NO_SPACESHIP_OPERATOR
#include <type_traits>
#include <utility>
#include <vulkan/vulkan_raii.hpp>

namespace raw {

// The names of both types differ between versions of Vulkan-Hpp.
using Functions = std::remove_reference_t<decltype(*std::declval<const vk::raii::Device&>().getDispatcher())>;

inline void check_result(vk::Result result, const char* call) {
  if (result != vk::Result::eSuccess) throw vk::SystemError(vk::make_error_code(result), call);
}

}  // namespace raw

#endif  // ACLVK_BENCH_RAW_VULKAN_HPP
