#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "vk_device/command_recorder.hpp"
#include "vk_device/memory.hpp"
#include "vk_device/queue.hpp"
#include "vk_device/timeline.hpp"

namespace aclvk::vk {

class CustomKernel;

enum class DeviceKind { kDiscrete, kIntegrated, kVirtual, kCpu, kOther };

struct DeviceInfo {
  std::string name;
  std::string driver;  ///< its name and version
  std::array<std::uint8_t, 16> uuid{};
  DeviceKind kind = DeviceKind::kOther;
  std::uint32_t api_version = 0;
  std::uint32_t compute_units =
      0;  ///< workgroups that run at the same time, as far as the driver tells; else CPU cores
  std::uint64_t memory_bytes = 0;
  std::string pci_address;  ///< "0000:01:00.0"; empty where the driver does not tell, or there is no bus
  std::uint32_t subgroup_size = 0;
  bool subgroup_shuffle = false;  ///< the threads of a subgroup can hand each other values
  std::uint32_t threads_per_group = 0;
  std::uint32_t shared_bytes_per_group = 0;
  std::array<std::uint32_t, 3> group_size{};   ///< at most, of each dimension
  std::array<std::uint32_t, 3> group_count{};  ///< at most, of each dimension
};

/// Shader features that not every driver has. An operator asks before it launches a kernel that needs one.
struct Features {
  bool int64 = false;
  bool int16 = false;
  bool int8 = false;
  bool float64 = false;
  bool float16 = false;
  bool storage16 = false;
  bool storage8 = false;
  // What only the kernels of programs use.
  bool uniform_storage16 = false;
  bool uniform_storage8 = false;
  bool int64_atomics = false;
  bool variable_pointers_buffer = false;
  bool variable_pointers = false;
  bool memory_model = false;
  bool memory_model_device_scope = false;
  bool scalar_block_layout = false;
  std::uint32_t subgroup_operations = 0;  ///< VkSubgroupFeatureFlags in compute shaders
};

enum class Level { kPrimary, kSecondary };

/// The submission that a queue is working on, or that is the next one it can.
struct PendingSubmission {
  TimelinePoint end;
  std::size_t commands = 0;
  bool blocked = false;  ///< it waits for other work and has not begun
};

/// The devices that may be used, best first: discrete, integrated, virtual, CPU; in driver order inside a kind.
/// Filtered by ACLVK_DEVICE. Devices without Vulkan 1.2 timeline semaphores, buffer device addresses and
/// synchronization2 are left out. Empty when there is no Vulkan at all.
const std::vector<DeviceInfo>& list_devices();

/// A VkDevice and all that hangs on it. Thread safe.
class Device {
 public:
  virtual ~Device() = default;

  /// Opens the device at this place of list_devices(). Throws kNoDevice.
  static std::shared_ptr<Device> open(std::size_t index);

  virtual const DeviceInfo& info() const = 0;
  virtual const Features& features() const = 0;
  virtual Memory& memory() = 0;
  /// A further book of allocations on this device, with a budget and an address map of its own. Ranges of all books can
  /// be used in the same commands.
  virtual std::shared_ptr<Memory> create_memory(std::uint64_t total_bytes) = 0;

  /// Compute queues; lavapipe has one. Streams share them.
  virtual std::size_t queue_count() const = 0;
  virtual Queue& queue(std::size_t index) = 0;

  virtual std::shared_ptr<Timeline> create_timeline() = 0;
  virtual std::unique_ptr<CommandRecorder> record(Level level) = 0;

  /// The kernels of a SPIR-V module that a program brings, its compute entry points in their order. Throws
  /// kParamInvalid when the module is not valid, kFeatureNotSupported when it needs what the device lacks. No driver
  /// sees the module before it has been found valid.
  virtual std::vector<std::shared_ptr<const CustomKernel>> load_kernels(std::vector<std::uint32_t> module) = 0;
  /// Whether command buffers can write timestamps.
  virtual bool has_timestamps() const = 0;
  /// An empty list for about so many moments. Throws kRuntimeInternal where there are none.
  virtual std::shared_ptr<Timestamps> create_timestamps(std::size_t expected) = 0;
  /// What to add to a recent moment of this device to be on the axis of the host's steady clock.
  virtual std::int64_t host_clock_offset() const = 0;

  /// Finds the dispatch's pipeline, or compiles it, so that recording it later is cheap. Throws when the shader does
  /// not exist or needs a feature that the device lacks.
  virtual void prepare(Dispatch& dispatch) = 0;
  /// Some drivers compile at the first launch. For a prepared dispatch that will be launched later, this starts it on
  /// the device, without waiting; elsewhere it does nothing.
  virtual void warm_up(const Dispatch& dispatch) = 0;
  /// Waits until what has been started so is done.
  virtual void wait_warm_ups() = 0;

  /// The driver has given the device up. Nothing runs on it any more: all points of its timelines count as reached, and
  /// whoever submits is refused with kDriverError.
  virtual bool lost() const = 0;
  /// Throws kDriverError then: for who has waited and now relies on what was to be computed.
  virtual void check_not_lost() const = 0;

  /// Waits until one of the points is reached or the time is up.
  virtual void wait_any(const std::vector<TimelinePoint>& points, std::chrono::nanoseconds timeout) = 0;

  /// Copies between host memory and a range, through staging memory and a queue when the range is not mapped. Blocking;
  /// not ordered with any stream.
  virtual void write(const BufferRange& dst, const void* src) = 0;
  virtual void read(void* dst, const BufferRange& src) = 0;

  /// Whether a submission that signals this timeline (null: any), and has not completed, writes into the range.
  virtual bool writes_in_flight(const std::shared_ptr<Timeline>& timeline, const BufferRange& range) const = 0;

  /// The oldest submission of each queue that has not completed.
  virtual std::vector<PendingSubmission> oldest_pending() const = 0;
  /// The first submission of each timeline that cannot complete before this one has: it comes behind it in its queue,
  /// or waits for it or for one behind it. This one itself is the first of them.
  virtual std::vector<TimelinePoint> blocked_by(const TimelinePoint& end) const = 0;

  /// Lets go of what completed submissions held and of freed memory that nothing uses any more.
  virtual void collect() = 0;
  /// Waits for every submission made so far.
  virtual void wait_idle() = 0;

  /// How many pools, buffers and timelines have been created so far. Stands still while work repeats itself.
  virtual std::uint64_t created_objects() const = 0;
  virtual std::uint64_t compiled_pipelines() const = 0;
};

/// Validation messages of severity error since the start of the process. Tests expect 0 (ACLVK_VALIDATION=1).
std::uint64_t validation_errors();

}  // namespace aclvk::vk
