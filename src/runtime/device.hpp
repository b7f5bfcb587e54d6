#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

#include "vk_device/device.hpp"

namespace aclvk::runtime {

class Context;
class StreamQueue;
class Watcher;

/// An Ascend device id and the Vulkan device behind it, from the first aclrtSetDevice to the end of the process (the
/// Vulkan device is opened when it is first needed and kept: memory outlives aclrtResetDevice of one user in programs
/// that set and reset around every phase).
class Device {
 public:
  explicit Device(std::uint32_t id, std::shared_ptr<vk::Device> gpu);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::uint32_t id;
  vk::Device& gpu() const { return *gpu_; }
  vk::Memory& memory() const { return gpu_->memory(); }
  Watcher& watcher() const { return *watcher_; }
  /// False once the driver has lost the device.
  bool responds() const;
  /// Streams are mapped onto the device's queues one after the other.
  std::size_t next_queue();

 private:
  std::shared_ptr<vk::Device> gpu_;
  std::unique_ptr<Watcher> watcher_;
  std::atomic<std::size_t> next_queue_{0};
};

/// Ids that may be used: list_devices() seen through ASCEND_RT_VISIBLE_DEVICES. Throws kNoDevice when that list is
/// unusable.
std::uint32_t device_count();
/// Throws kInvalidDeviceId for an id outside the visible devices; opens nothing.
void check_device_id(std::int32_t id);
/// What the device is, without opening it. Throws kInvalidDeviceId.
const vk::DeviceInfo& device_info(std::int32_t id);
/// The place in list_devices(), which is the logical and the physical number of a device, and back. Throw
/// kInvalidDeviceId.
std::int32_t logical_id(std::int32_t id);
std::int32_t visible_id(std::int32_t logical);
/// The device, opened on first use. Throws kInvalidDeviceId.
std::shared_ptr<Device> device(std::int32_t id);
/// Every device that has been opened.
std::vector<std::shared_ptr<Device>> open_devices();
/// True once the process exits and the devices have come to rest: drivers must not be called any more.
bool process_ends();

}  // namespace aclvk::runtime
