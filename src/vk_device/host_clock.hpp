#pragma once

#include "vk_device/device.hpp"

namespace aclvk::vk {

/// Returns true when the device's timestamps are readings of the host's steady clock (quirks.def), so that a host time
/// can replace a timestamp of completed work.
bool timestamps_are_host_time(const Device& device);

}  // namespace aclvk::vk
