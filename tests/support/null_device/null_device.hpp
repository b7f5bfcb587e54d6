#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "support/null_device/null_buffer.hpp"
#include "support/null_device/null_queue.hpp"
#include "vk_device/device/device.hpp"
#include "vk_device/memory/device_memory.hpp"

namespace aclvk {

struct NullDeviceOptions {
  std::string name = "Null device";
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;
  std::size_t queues = 2;
  bool stepwise = false;     ///< submissions complete in NullDevice::advance() only
  bool host_visible = true;  ///< device memory is mapped; never with ACLVK_HOST_VISIBLE=0
  bool timestamps = true;
};

/// Describes a null device: a CPU with all features.
vk::DeviceInfo null_device_info(const NullDeviceOptions& options);

/// A device without Vulkan. Copies, fills and word writes are done in host memory, with the library's own DeviceMemory
/// and InFlight; kernels are counted and do nothing. Reserved addresses and shared memory are not supported. Thread
/// safe.
class NullDevice final : public vk::Device {
 public:
  explicit NullDevice(const NullDeviceOptions& options = {});
  ~NullDevice() override;

  // For tests:

  NullKernels& kernels() { return kernels_; }
  /// Runs one submission that can run; returns false when there is none.
  bool advance(std::optional<std::size_t> queue = {}) { return processor_->advance(queue); }
  void set_stepwise(bool stepwise) { processor_->set_stepwise(stepwise); }
  /// Lets `count` calls in a row fail, after `skip` more calls of their kind.
  void plan(NullCall call, NullFault fault, std::size_t skip = 0, std::size_t count = 1) {
    state_->plan(call, fault, skip, count);
  }
  /// Loses the device, as a driver does at any time.
  void lose() { state_->lose(); }

  const vk::DeviceInfo& info() const override { return info_; }
  const vk::Features& features() const override { return features_; }
  vk::Memory& memory() override { return memory_; }
  std::shared_ptr<vk::Memory> create_memory(std::uint64_t total_bytes) override;
  std::size_t queue_count() const override { return queues_.size(); }
  vk::Queue& queue(std::size_t index) override { return *queues_.at(index); }
  std::shared_ptr<vk::Timeline> create_timeline() override;
  std::unique_ptr<vk::CommandRecorder> record(vk::Level level) override;
  /// Reads the interfaces of the kernels from the module, which is not validated.
  std::vector<std::shared_ptr<const vk::CustomKernel>> load_kernels(std::vector<std::uint32_t> module) override;
  bool has_timestamps() const override { return options_.timestamps; }
  bool timestamps_are_host_time() const override { return options_.timestamps; }
  std::shared_ptr<vk::Timestamps> create_timestamps(std::size_t expected) override;
  std::int64_t host_clock_offset() const override { return 0; }
  /// Throws kRuntimeInternal when the shader does not exist.
  void prepare(vk::Dispatch& dispatch) override;
  void warm_up(const vk::Dispatch&) override {}
  void wait_warm_ups() override {}
  bool lost() const override { return state_->lost(); }
  void check_not_lost() const override { state_->check_not_lost(); }
  void wait_any(const std::vector<vk::TimelinePoint>& points, std::chrono::nanoseconds timeout) override;
  void write(const vk::BufferRange& dst, const void* src) override;
  void read(void* dst, const vk::BufferRange& src) override;
  bool writes_in_flight(const std::shared_ptr<vk::Timeline>& timeline, const vk::BufferRange& range) const override {
    return in_flight_->writes(timeline, range);
  }
  std::vector<vk::PendingSubmission> oldest_pending() const override { return in_flight_->oldest_pending(); }
  std::vector<vk::TimelinePoint> blocked_by(const vk::TimelinePoint& end) const override {
    return in_flight_->blocked_by(end);
  }
  void collect() override;
  void wait_idle() override;
  std::uint64_t created_objects() const override { return state_->created; }
  std::uint64_t compiled_pipelines() const override;

 private:
  std::shared_ptr<vk::DeviceMemory> new_memory(std::uint64_t total_bytes) const;

  const NullDeviceOptions options_;
  const vk::DeviceInfo info_;
  const vk::Features features_;
  std::shared_ptr<NullState> state_;
  NullKernels kernels_;
  std::shared_ptr<vk::InFlight> in_flight_;
  std::shared_ptr<const vk::BufferSource> buffers_;
  std::shared_ptr<vk::BufferPool> host_pool_;
  mutable std::mutex mutex_;
  std::vector<std::shared_ptr<vk::DeviceMemory>> memories_;  // at least one; none is destroyed before the device
  vk::DeviceMemory& memory_;                                 // the first one; a pointer into the vector may move
  std::set<std::string, std::less<>> prepared_;              // names of shaders
  std::unique_ptr<NullProcessor> processor_;                 // its worker ends before all else is destroyed
  std::vector<std::unique_ptr<NullQueue>> queues_;
};

}  // namespace aclvk
