#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "vk_device/gpu/device_info.hpp"

namespace aclvk::vk {

/// The properties that decide whether a device is usable, as plain data, so that tests need no driver.
struct DeviceProfile {
  DeviceInfo info;
  bool compute_queue = false;
  bool timeline_semaphores = false;
  bool buffer_device_addresses = false;
  bool synchronization2 = false;
};

/// Returns the reason why the device is not usable, as a sentence; nothing when it is usable.
std::optional<std::string> why_unusable(const DeviceProfile& profile);

/// Returns the indices of the usable devices whose name contains `filter`, best first.
std::vector<std::size_t> select_devices(const std::vector<DeviceProfile>& profiles, std::string_view filter);

/// Returns the reason why list_devices() is empty: "Vulkan finds no device: no driver is installed for one."
std::string why_no_devices();

}  // namespace aclvk::vk
