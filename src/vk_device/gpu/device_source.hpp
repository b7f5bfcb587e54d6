#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "vk_device/gpu/device_info.hpp"

namespace aclvk::vk {

class Device;

/// Devices that are no Vulkan devices, for tests (tests/support/null_device). list_devices(), why_no_devices() and
/// Device::open() ask it instead of Vulkan. Thread safe.
class DeviceSource {
 public:
  virtual ~DeviceSource() = default;

  virtual const std::vector<DeviceInfo>& devices() const = 0;
  virtual std::string why_none() const = 0;
  virtual std::shared_ptr<Device> open(std::size_t index) = 0;
};

/// Sets the source, which must live as long as the process; null: Vulkan. Must precede the first use of a device.
void set_device_source(DeviceSource* source);
/// Returns null for Vulkan.
DeviceSource* device_source();

}  // namespace aclvk::vk
