#include "vk_device/gpu/device_source.hpp"

#include <atomic>

namespace aclvk::vk {
namespace {

std::atomic<DeviceSource*> current{nullptr};

}  // namespace

void set_device_source(DeviceSource* source) { current = source; }

DeviceSource* device_source() { return current; }

}  // namespace aclvk::vk
