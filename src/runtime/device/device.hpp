#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/device/execution.hpp"
#include "runtime/device/partitioned_gpu.hpp"
#include "vk_device/device.hpp"

namespace aclvk::runtime {

class Watcher;

/// An Ascend device id and the Vulkan device behind it, from the first aclrtSetDevice to the end of the process (the
/// Vulkan device is opened when it is first needed and kept: memory outlives aclrtResetDevice of one user in programs
/// that set and reset around every phase). Several devices may share a Vulkan device; each has memory of its own there.
/// When the driver has lost the Vulkan device, aclrtResetDevice retires this object, and the id gets another one.
class Device {
 public:
  Device(std::uint32_t id, std::shared_ptr<const PartitionedGpu> gpu, std::size_t partition);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::uint32_t id;
  const Execution execution;
  vk::Device& gpu() const { return *partitioned_gpu_->device; }
  /// What has been allocated on this device.
  vk::Memory& memory() const { return *partitioned_gpu_->memories[partition_]; }
  Watcher& watcher() const { return *watcher_; }
  /// False once the driver has lost the device.
  bool responds() const;
  /// Why nothing works on the device, when that is so; else nothing.
  std::optional<Error> loss() const;
  void check_not_lost() const;
  /// Waits for all that has been submitted. False when a task is found to run for too long, and still does `grace`
  /// later: it may never end.
  bool wait_for_work(std::chrono::milliseconds grace) const;
  /// Streams are mapped onto the device's queues one after the other.
  std::size_t next_queue();

  // Neighbours are devices on the same Vulkan device. Their host memory can be used as one's own, and their device
  // memory once peer access is enabled.

  bool shares_gpu(const Device& other) const { return partitioned_gpu_ == other.partitioned_gpu_; }
  void set_peer(const Device& peer, bool enabled);
  bool has_peer(const Device& peer) const;
  void clear_peers() { peers_ = 0; }

  /// The bytes, if they lie inside one live allocation that tasks of this device can use.
  std::optional<vk::BufferRange> find(const void* pointer, std::uint64_t bytes) const;
  /// The whole live allocation that a pointer lies in, if tasks of this device can use it.
  std::optional<vk::AllocationInfo> describe(const void* pointer) const;
  /// For sentences: " It is memory of device 1, ..." where peer access is what is missing; else nothing.
  std::string missing_access(const void* pointer) const;
  /// Whether the allocation in which find() found the range still lives.
  bool alive(const vk::BufferRange& range) const;
  /// How many allocations that find() could have found have ended.
  std::uint64_t releases() const;

 private:
  bool may_use(std::size_t partition, vk::Placement placement) const;
  /// The book of a neighbour that the pointer is in, if this device may use it.
  const vk::Memory* usable_memory(const void* pointer) const;

  friend void retire(const std::shared_ptr<Device>& device);

  std::shared_ptr<const PartitionedGpu> partitioned_gpu_;
  const std::size_t partition_;
  std::unique_ptr<Watcher> watcher_;
  std::atomic<std::size_t> next_queue_{0};
  std::atomic<std::uint64_t> peers_{0};  // a bit for each partition of the Vulkan device
};

/// Ids that may be used: all devices seen through ASCEND_RT_VISIBLE_DEVICES. Throws kNoDevice when that list is
/// unusable.
std::uint32_t device_count();
/// Throws kInvalidDeviceId for an id outside the visible devices; opens nothing.
void check_device_id(std::int32_t id);
/// What the device is, without opening it. Throws kInvalidDeviceId.
const vk::DeviceInfo& device_info(std::int32_t id);
/// The logical and the physical number of a device: each Vulkan device of list_devices() has devices_per_gpu() of them.
/// And back. Throw kInvalidDeviceId.
std::int32_t logical_id(std::int32_t id);
std::int32_t visible_id(std::int32_t logical);
/// The device, opened on first use. Throws kInvalidDeviceId.
std::shared_ptr<Device> device(std::int32_t id);
/// The device if it has been opened, else null. Throws kInvalidDeviceId.
std::shared_ptr<Device> find_open_device(std::int32_t id);
/// Every device that has been opened and not retired.
std::vector<std::shared_ptr<Device>> open_devices();
/// For a lost device: the next use of its id opens the Vulkan device anew. Its device memory is freed. Its pinned host
/// memory stays, as ordinary memory of the process, until it is freed, and so does the object: programs still have
/// handles of what was made on it.
void retire(const std::shared_ptr<Device>& device);
std::vector<std::shared_ptr<Device>> retired_devices();
/// Brings the devices to rest when the process exits, before what drivers and layers have made by now is destroyed.
/// They make some of it at their first submission, so it is called when a device is opened and once more behind that.
void quiesce_before_exit();
/// True once the process exits and the devices have come to rest: drivers must not be called any more.
bool process_exiting();
/// Throws kContextRelease when the process ends, and in a process that was forked from one that had opened a device:
/// the device has stayed with its parent, and so have the threads that look after streams.
void check_process_has_devices();

}  // namespace aclvk::runtime
