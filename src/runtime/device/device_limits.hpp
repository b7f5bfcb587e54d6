#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Sizes that kernels of a device may use, by aclrtDeviceLimit: stacks and buffers for printing. A Vulkan driver sizes
// both by itself, for what each kernel needs, so every size is enough: the numbers are kept for the program. They come
// from the section "StackSize" of aclInit's configuration and from aclrtDeviceSetLimit, hold for all devices, and are 0
// while nobody has set them. Thread safe.

/// Throw kInvalidParam for an unknown limit, and a value of more than 32 bits.
void set_device_limit(int limit, std::uint64_t value);
std::uint64_t device_limit(int limit);

}  // namespace aclvk::runtime
