#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "vk_device/commands/command_recorder.hpp"
#include "vk_device/gpu/device_info.hpp"
#include "vk_device/memory/memory.hpp"
#include "vk_device/submission/queue.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk::vk {

class CustomKernel;

/// A VkDevice with its queues, memory, pipelines and command buffers: the interface of vk_device for the layers above.
/// Thread safe.
class Device {
 public:
  virtual ~Device() = default;

  /// Opens device `index` of list_devices(). Throws kNoDevice.
  static std::shared_ptr<Device> open(std::size_t index);

  virtual const DeviceInfo& info() const = 0;
  virtual const Features& features() const = 0;
  virtual Memory& memory() = 0;
  /// Creates a second Memory on this device, with a budget and an address map of its own, for another ACL device on the
  /// same GPU. Commands may mix ranges of all of them.
  virtual std::shared_ptr<Memory> create_memory(std::uint64_t total_bytes) = 0;

  /// Compute queues, which streams share. Lavapipe has one.
  virtual std::size_t queue_count() const = 0;
  virtual Queue& queue(std::size_t index) = 0;

  virtual std::shared_ptr<Timeline> create_timeline() = 0;
  virtual std::unique_ptr<CommandRecorder> record(Level level) = 0;

  /// Loads the kernels of a program's SPIR-V module, one for each compute entry point, in their order. Throws
  /// kParamInvalid when the module is invalid, kFeatureNotSupported when it needs what the device lacks. The driver
  /// gets the module only after it has passed validation.
  virtual std::vector<std::shared_ptr<const CustomKernel>> load_kernels(std::vector<std::uint32_t> module) = 0;
  /// Returns whether command buffers can write timestamps.
  virtual bool has_timestamps() const = 0;
  /// Returns true when timestamps are readings of the host's steady clock (quirks.def), so that a host time can replace
  /// a timestamp of completed work.
  virtual bool timestamps_are_host_time() const = 0;
  /// Creates an empty list; `expected` is about how many timestamps it will hold. Throws kRuntimeInternal when the
  /// device has no timestamps.
  virtual std::shared_ptr<Timestamps> create_timestamps(std::size_t expected) = 0;
  /// Returns the offset in nanoseconds from recent device times to the host's steady clock.
  virtual std::int64_t host_clock_offset() const = 0;

  /// Finds or compiles the pipeline of the dispatch, so that recording it is cheap. Throws when the shader does not
  /// exist or needs a feature that the device lacks.
  virtual void prepare(Dispatch& dispatch) = 0;
  /// Launches the pipeline of a prepared dispatch with no groups, without waiting, on drivers that compile at the first
  /// launch (quirks.def). Does nothing on others.
  virtual void warm_up(const Dispatch& dispatch) = 0;
  /// Waits until all warm-ups have completed.
  virtual void wait_warm_ups() = 0;

  /// Returns true once the driver has returned VK_ERROR_DEVICE_LOST. Nothing runs any more: all points of its timelines
  /// count as reached, and submit() throws kDriverError.
  virtual bool lost() const = 0;
  /// Throws kDriverError when the device is lost. Callers use it after a wait, before they rely on results.
  virtual void check_not_lost() const = 0;

  /// Waits until one of the points is reached, or the timeout expires.
  virtual void wait_any(const std::vector<TimelinePoint>& points, std::chrono::nanoseconds timeout) = 0;

  /// Copy between host memory and a range, through staging memory and a queue when the range is not mapped. They block,
  /// and are not ordered with any stream.
  virtual void write(const BufferRange& dst, const void* src) = 0;
  virtual void read(void* dst, const BufferRange& src) = 0;

  /// Returns whether a pending submission that signals this timeline (null: any) writes into the range.
  virtual bool writes_in_flight(const std::shared_ptr<Timeline>& timeline, const BufferRange& range) const = 0;

  /// Returns the oldest pending submission of each queue.
  virtual std::vector<PendingSubmission> oldest_pending() const = 0;
  /// Returns, for each timeline, its first point that cannot be reached before `end`: submissions that follow in the
  /// same queue, that wait for `end`, or that wait for one of these. `end` itself is the first element.
  virtual std::vector<TimelinePoint> blocked_by(const TimelinePoint& end) const = 0;

  /// Releases what completed submissions referenced, and returns freed memory to its pools once no submission uses it.
  virtual void collect() = 0;
  /// Waits for all submissions so far.
  virtual void wait_idle() = 0;

  /// Returns how many pools, buffers and timelines have been created so far. Constant while a program repeats the same
  /// work.
  virtual std::uint64_t created_objects() const = 0;
  virtual std::uint64_t compiled_pipelines() const = 0;
};

}  // namespace aclvk::vk
