#pragma once

#include "vk_device/device.hpp"

namespace aclvk::vk {

/// Whether the device's timestamps show the host's steady clock, so that the host's time is as good for what is over
/// already.
bool timestamps_are_host_time(const Device& device);

}  // namespace aclvk::vk
