#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "support/null_device/null_device.hpp"
#include "vk_device/gpu/device_source.hpp"

namespace aclvk {

/// Null devices for the whole library (vk::set_device_source). Thread safe.
class NullDevices final : public vk::DeviceSource {
 public:
  explicit NullDevices(NullDeviceOptions options = {}, std::size_t count = 1);

  const std::vector<vk::DeviceInfo>& devices() const override { return infos_; }
  std::string why_none() const override { return "The test has no devices."; }
  std::shared_ptr<vk::Device> open(std::size_t index) override;

  /// Returns the device that was opened last at this index; null before that, and after the last user has closed it.
  std::shared_ptr<NullDevice> find(std::size_t index) const;
  /// Sets the function that computes the results of kernels on devices that are opened from now on.
  void set_implementation(NullKernels::Implementation implementation);

 private:
  const NullDeviceOptions options_;
  std::vector<vk::DeviceInfo> infos_;
  mutable std::mutex mutex_;
  std::vector<std::weak_ptr<NullDevice>> opened_;  // a Process closes its devices when it ends
  NullKernels::Implementation implementation_;
};

}  // namespace aclvk
