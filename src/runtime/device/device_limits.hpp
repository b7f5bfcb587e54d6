#pragma once

#include <cstdint>

namespace aclvk::runtime {

// Limits of a device (aclrtDeviceLimit): sizes of stacks and of buffers for printing. They are only stored, since a
// Vulkan driver sizes both for each kernel. The section "StackSize" of aclInit's configuration and aclrtDeviceSetLimit
// set them for all devices; the default is 0. Thread safe.
//
// Both throw kInvalidParam for an unknown limit; set_device_limit() also for a value of more than 32 bits.

void set_device_limit(int limit, std::uint64_t value);
std::uint64_t device_limit(int limit);

}  // namespace aclvk::runtime
