#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vk_device/device.hpp"

namespace aclvk::vk {

/// What decides whether a device can be used, as plain data: selection is tested without a driver.
struct DeviceProfile {
  DeviceInfo info;
  bool compute_queue = false;
  bool timeline_semaphores = false;
  bool buffer_device_addresses = false;
  bool synchronization2 = false;
};

/// Why the device cannot be used, as a sentence; nothing when it can.
std::optional<std::string> why_unusable(const DeviceProfile& profile);

/// The places of the usable devices whose name contains `filter`, best first.
std::vector<std::size_t> select_devices(const std::vector<DeviceProfile>& profiles, std::string_view filter);

/// Why list_devices() is empty: "Vulkan finds no device: no driver is installed for one."
std::string why_no_devices();

}  // namespace aclvk::vk
