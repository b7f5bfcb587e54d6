#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/device/execution.hpp"
#include "runtime/device/partitioned_gpu.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk::runtime {

class Watcher;

/// A device id of ACL, and its partition of a Vulkan device. Opened at the first use of the id and kept until the
/// process ends, since programs that set and reset a device around every phase keep memory over the reset. Devices of
/// one Vulkan device have separate memories. After the driver has lost the Vulkan device, aclrtResetDevice retires this
/// object, and the next use of the id makes another one. Thread safe.
class Device {
 public:
  Device(std::uint32_t id, std::shared_ptr<const PartitionedGpu> gpu, std::size_t partition);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const std::uint32_t id;
  const Execution execution;
  vk::Device& gpu() const { return *partitioned_gpu_->device; }
  /// The allocations of this device.
  vk::Memory& memory() const { return *partitioned_gpu_->memories[partition_]; }
  Watcher& watcher() const { return *watcher_; }
  /// Returns false once the driver has lost the device. Calls the driver to find out.
  bool responds() const;
  /// Returns the error of a lost device; nothing while the device works.
  std::optional<Error> loss() const;
  void check_not_lost() const;
  /// Returns the index of the VkQueue for a new stream, round-robin.
  std::size_t next_queue();
  std::atomic<std::uint32_t> streams{0};  ///< of all contexts; Context counts them

  // Devices of the same Vulkan device can be peers. A device can always use their host memory, and their device memory
  // while peer access is enabled.

  bool shares_gpu(const Device& other) const { return partitioned_gpu_ == other.partitioned_gpu_; }
  void set_peer(const Device& peer, bool enabled);
  bool has_peer(const Device& peer) const;
  void clear_peers() { peers_ = 0; }

  /// Returns the range, if it lies inside one live allocation that tasks of this device can use.
  std::optional<vk::BufferRange> find(const void* pointer, std::uint64_t bytes) const;
  /// Returns the live allocation that contains the address, if tasks of this device can use it.
  std::optional<vk::AllocationInfo> describe(const void* pointer) const;
  /// Returns a sentence for error messages, " It is memory of device 1, ...", when only peer access is missing.
  std::string missing_access(const void* pointer) const;
  /// Returns whether the allocation of a range that find() returned still lives.
  bool alive(const vk::BufferRange& range) const;
  /// Returns how many allocations have been released in the memories that find() searches. While the number stays the
  /// same, ranges that find() has returned are alive.
  std::uint64_t releases() const;

 private:
  bool may_use(std::size_t partition, vk::Placement placement) const;
  /// Returns the memory of the peer that owns the address, if this device may use it; else null.
  const vk::Memory* usable_memory(const void* pointer) const;

  friend void retire(const std::shared_ptr<Device>& device);

  std::shared_ptr<const PartitionedGpu> partitioned_gpu_;
  const std::size_t partition_;
  std::shared_ptr<Watcher> watcher_;
  std::atomic<std::size_t> next_queue_{0};
  std::atomic<std::uint64_t> peers_{0};  // a bit for each partition of the Vulkan device
};

/// Starts the Watcher of a device that is being opened. Defined in runtime/stream/watcher.cpp, because a watcher uses
/// streams, which are in a higher layer.
std::shared_ptr<Watcher> start_watcher(const Device& device);

/// Returns the number of visible devices. Throws kNoDevice when the list of ASCEND_RT_VISIBLE_DEVICES is unusable.
std::uint32_t device_count();
/// Throws kInvalidDeviceId for an id outside the visible devices; opens nothing.
void check_device_id(std::int32_t id);
/// Describes the device without opening it. Throws kInvalidDeviceId.
const vk::DeviceInfo& device_info(std::int32_t id);
// Conversion between a device id and its number among all devices, before ASCEND_RT_VISIBLE_DEVICES: each Vulkan device
// of list_devices() has devices_per_gpu() such numbers. Throw kInvalidDeviceId.

std::int32_t logical_id(std::int32_t id);
std::int32_t visible_id(std::int32_t logical);
/// Returns the device. Opens it at the first use. Throws kInvalidDeviceId.
std::shared_ptr<Device> device(std::int32_t id);
/// Returns the device if it is open, else null. Throws kInvalidDeviceId.
std::shared_ptr<Device> find_open_device(std::int32_t id);
/// Returns the devices that are open and not retired. Enumerates no devices.
std::vector<std::shared_ptr<Device>> open_devices();
/// Retires a lost device, so that the next use of its id opens the Vulkan device anew (docs/adr/0025). Frees its device
/// memory. Its pinned host memory stays usable by the host until the program frees it. The object stays, too, because
/// programs still hold handles of its streams and events.
void retire(const std::shared_ptr<Device>& device);
std::vector<std::shared_ptr<Device>> retired_devices();

}  // namespace aclvk::runtime
