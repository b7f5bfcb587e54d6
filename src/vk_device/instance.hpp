#pragma once

#include <string>
#include <vector>

#include "vk_device/device_selection.hpp"
#include "vk_device/vulkan_api.hpp"

namespace aclvk::vk {

/// The VkInstance of the process and the devices that it offers.
class Instance {
 public:
  /// The instance; made by the first call, null where there is no Vulkan. Throws when making it fails otherwise; the
  /// next call tries again.
  static const Instance* get();

  Instance();

  /// In the order of list_devices().
  const std::vector<::vk::raii::PhysicalDevice>& devices() const { return devices_; }
  const std::vector<DeviceInfo>& infos() const { return infos_; }
  /// Of all that Vulkan finds, whether or not they can be used.
  const std::vector<std::string>& all_device_names() const { return names_; }
  /// Why the last of those that cannot be used cannot.
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
