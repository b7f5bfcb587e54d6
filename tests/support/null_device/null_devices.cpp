#include "support/null_device/null_devices.hpp"

#include <utility>

#include "base/error.hpp"

namespace aclvk {
namespace {

// The number precedes the name, whose first characters are the UUID (null_device_info()), so that UUIDs differ, too.
NullDeviceOptions numbered(NullDeviceOptions options, std::size_t index) {
  if (index > 0) options.name = std::to_string(index) + ". " + options.name;
  return options;
}

}  // namespace

NullDevices::NullDevices(NullDeviceOptions options, std::size_t count) : options_(std::move(options)), opened_(count) {
  for (std::size_t i = 0; i < count; ++i) infos_.push_back(null_device_info(numbered(options_, i)));
}

std::shared_ptr<vk::Device> NullDevices::open(std::size_t index) {
  check(index < infos_.size(), Code::kNoDevice, "device {} does not exist; the test has {}.", index, infos_.size());
  auto device = std::make_shared<NullDevice>(numbered(options_, index));
  const std::lock_guard lock(mutex_);
  device->kernels().set_implementation(implementation_);
  opened_[index] = device;
  return device;
}

std::shared_ptr<NullDevice> NullDevices::find(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return opened_.at(index).lock();
}

void NullDevices::set_implementation(NullKernels::Implementation implementation) {
  const std::lock_guard lock(mutex_);
  implementation_ = std::move(implementation);
}

}  // namespace aclvk
