#pragma once

#include <memory>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/commands/command_store.hpp"
#include "vk_device/commands/timestamp_store.hpp"
#include "vk_device/device/device.hpp"
#include "vk_device/memory/device_memory.hpp"
#include "vk_device/submission/queue_impl.hpp"
#include "vk_device/submission/staging.hpp"

namespace aclvk::vk {

/// The implementation of Device. It owns the objects of a device and forwards calls to them.
class VulkanDevice final : public Device {
 public:
  explicit VulkanDevice(std::size_t index);
  ~VulkanDevice() override;

  const DeviceInfo& info() const override { return gpu_->info(); }
  const Features& features() const override { return gpu_->features(); }
  Memory& memory() override { return memory_; }
  std::shared_ptr<Memory> create_memory(std::uint64_t total_bytes) override;
  std::size_t queue_count() const override { return queues_.size(); }
  Queue& queue(std::size_t index) override { return *queues_.at(index); }
  std::shared_ptr<Timeline> create_timeline() override;
  std::unique_ptr<CommandRecorder> record(Level level) override;
  std::vector<std::shared_ptr<const CustomKernel>> load_kernels(std::vector<std::uint32_t> module) override;
  bool has_timestamps() const override { return timestamps_ != nullptr; }
  bool timestamps_are_host_time() const override { return timestamps_ && gpu_->quirks().host_clock; }
  std::shared_ptr<Timestamps> create_timestamps(std::size_t expected) override;
  std::int64_t host_clock_offset() const override { return timestamps_ ? timestamps_->clock().host_offset() : 0; }
  void prepare(Dispatch& dispatch) override;
  void warm_up(const Dispatch& dispatch) override;
  void wait_warm_ups() override;
  bool lost() const override { return gpu_->lost(); }
  void check_not_lost() const override { gpu_->check_not_lost(); }
  void wait_any(const std::vector<TimelinePoint>& points, std::chrono::nanoseconds timeout) override;
  void write(const BufferRange& dst, const void* src) override;
  void read(void* dst, const BufferRange& src) override;
  bool writes_in_flight(const std::shared_ptr<Timeline>& timeline, const BufferRange& range) const override {
    return in_flight_->writes(timeline, range);
  }
  std::vector<PendingSubmission> oldest_pending() const override { return in_flight_->oldest_pending(); }
  std::vector<TimelinePoint> blocked_by(const TimelinePoint& end) const override { return in_flight_->blocked_by(end); }
  void collect() override;
  void wait_idle() override;
  std::uint64_t created_objects() const override { return gpu_->created(); }
  std::uint64_t compiled_pipelines() const override { return store_->pipelines().created(); }

 private:
  std::vector<std::shared_ptr<VulkanQueue>> create_queues() const;
  std::shared_ptr<VulkanQueue> sparse_queue() const;
  void anchor_clock();

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<InFlight> in_flight_;
  std::vector<std::shared_ptr<VulkanQueue>> queues_;
  std::shared_ptr<const BufferSource> buffers_;
  std::shared_ptr<BufferPool> host_pool_;
  std::shared_ptr<CommandStore> store_;
  std::shared_ptr<AddressSource> addresses_;  // null when the device cannot reserve addresses
  mutable SharedMutex memories_mutex_;
  // At least one; none is destroyed before the device.
  std::vector<std::shared_ptr<DeviceMemory>> memories_ GUARDED_BY(memories_mutex_);
  DeviceMemory& memory_;  // the first one; a pointer into the vector may move
  std::unique_ptr<Staging> staging_;
  std::shared_ptr<TimestampStore> timestamps_;  // null when the device has no timestamps

  Mutex warm_mutex_;
  std::shared_ptr<Timeline> warm_timeline_ GUARDED_BY(warm_mutex_);  // null until the first warm-up
  std::uint64_t warm_ups_ GUARDED_BY(warm_mutex_) = 0;
};

}  // namespace aclvk::vk
