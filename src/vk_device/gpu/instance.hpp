#pragma once

#include <string>
#include <vector>

#include "vk_device/gpu/device_selection.hpp"
#include "vk_device/gpu/vulkan_api.hpp"

namespace aclvk::vk {

/// The VkInstance of the process and its physical devices. Created by the first call of get() and never destroyed.
class Instance {
 public:
  /// Returns the instance, or null when there is no Vulkan. Throws for failures that may be temporary; the next call
  /// tries again.
  static const Instance* get();

  Instance();

  /// Returns the usable devices in the order of list_devices().
  const std::vector<::vk::raii::PhysicalDevice>& devices() const { return devices_; }
  const std::vector<DeviceInfo>& infos() const { return infos_; }
  /// Returns the names of all devices, usable or not.
  const std::vector<std::string>& all_device_names() const { return names_; }
  /// Returns the reason why the last unusable device is not usable.
  const std::string& last_rejection() const { return last_rejection_; }

 private:
  void add_messenger();
  void choose_devices();

  ::vk::raii::Context context_;
  ::vk::raii::Instance instance_{nullptr};
  ::vk::raii::DebugUtilsMessengerEXT messenger_{nullptr};
  std::vector<::vk::raii::PhysicalDevice> devices_;
  std::vector<DeviceInfo> infos_;
  std::vector<std::string> names_;
  std::string last_rejection_;
};

}  // namespace aclvk::vk
