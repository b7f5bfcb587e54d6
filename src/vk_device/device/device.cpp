#include "vk_device/device/device.hpp"

#include <algorithm>
#include <chrono>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/word_copy.hpp"
#include "vk_device/buffers/buffer_impl.hpp"
#include "vk_device/commands/recorder.hpp"
#include "vk_device/device/device_impl.hpp"
#include "vk_device/gpu/device_source.hpp"
#include "vk_device/gpu/vk_error.hpp"
#include "vk_device/pipelines/vulkan_kernel.hpp"

namespace aclvk::vk {

std::shared_ptr<Device> Device::open(std::size_t index) {
  if (DeviceSource* source = device_source()) return source->open(index);
  return guarded([&] { return std::make_shared<VulkanDevice>(index); }, "opening Vulkan device {}", index);
}

VulkanDevice::VulkanDevice(std::size_t index)
    : gpu_(std::make_shared<Gpu>(index)),
      in_flight_(std::make_shared<InFlight>(gpu_->queue_count())),
      queues_(create_queues()),
      buffers_(create_buffer_source(gpu_)),
      host_pool_(std::make_shared<BufferPool>(buffers_, MemoryUse::kHost)),
      store_(std::make_shared<CommandStore>(gpu_, host_pool_)),
      addresses_(create_address_source(gpu_, sparse_queue())),
      memories_{std::make_shared<DeviceMemory>(buffers_, host_pool_, in_flight_, addresses_, device_heap_bytes(*gpu_))},
      memory_(*memories_.front()) {
  staging_ = std::make_unique<Staging>(gpu_, host_pool_, store_, *queues_.front());
  if (gpu_->limits().timestamp_bits == 0) return;
  timestamps_ = std::make_shared<TimestampStore>(gpu_);
  if (timestamps_->clock().calibrated()) return;
  try {
    anchor_clock();
  } catch (...) {
    gpu_->wait_idle();  // before the members are destroyed
    throw;
  }
}

VulkanDevice::~VulkanDevice() {
  try {
    wait_idle();
  } catch (const Error& error) {  // the device is lost; nothing runs any more
    log().warn("{} is closed after an error: {}", info().name, error.sentence());
  }
}

std::vector<std::shared_ptr<VulkanQueue>> VulkanDevice::create_queues() const {
  std::vector<std::shared_ptr<VulkanQueue>> queues;
  for (std::size_t i = 0; i < gpu_->queue_count(); ++i) {
    queues.push_back(std::make_shared<VulkanQueue>(gpu_, in_flight_, gpu_->queue_family(), i));
  }
  return queues;
}

// When the compute family binds sparse memory, its last queue does so: it has the fewest streams.
std::shared_ptr<VulkanQueue> VulkanDevice::sparse_queue() const {
  const auto family = gpu_->sparse_family();
  if (!family) return nullptr;
  if (*family == gpu_->queue_family()) return queues_.back();
  return std::make_shared<VulkanQueue>(gpu_, in_flight_, *family, 0);
}

// Without VK_EXT_calibrated_timestamps (SwiftShader, docs/adr/0022), the device writes a timestamp between two readings
// of the host's clock: Cristian's algorithm (1989). The error of the middle of the interval is at most half its length,
// so the shortest interval of three is used.
void VulkanDevice::anchor_clock() {
  using Clock = std::chrono::steady_clock;
  const auto timeline = create_timeline();
  std::uint64_t best_ticks = 0;
  Clock::time_point best_time;
  auto tightest = Clock::duration::max();
  for (std::uint64_t i = 1; i <= 3; ++i) {
    const auto times = std::make_shared<VulkanTimestamps>(timestamps_, 1);
    Recorder recorder(store_, Level::kPrimary);
    recorder.write_timestamp(times);
    const auto before = Clock::now();
    queues_.front()->submit({{recorder.finish()}, {}, {timeline, i}});
    timeline->wait(i, {});
    const auto took = Clock::now() - before;
    if (took >= tightest) continue;
    tightest = took;
    best_ticks = times->read_ticks().front();
    best_time = before + took / 2;
  }
  timestamps_->clock().anchor(
      best_ticks, std::chrono::duration_cast<std::chrono::nanoseconds>(best_time.time_since_epoch()).count());
}

std::shared_ptr<Timestamps> VulkanDevice::create_timestamps(std::size_t expected) {
  check(timestamps_ != nullptr, Code::kRuntimeInternal, "{} has no timestamps.", info().name);
  return std::make_shared<VulkanTimestamps>(timestamps_, expected);
}

std::shared_ptr<Memory> VulkanDevice::create_memory(std::uint64_t total_bytes) {
  auto memory = std::make_shared<DeviceMemory>(buffers_, host_pool_, in_flight_, addresses_, total_bytes);
  const LockGuard lock(memories_mutex_);
  return memories_.emplace_back(std::move(memory));
}

void VulkanDevice::collect() {
  const SharedLock lock(memories_mutex_);
  for (const auto& memory : memories_) memory->collect();
}

std::shared_ptr<Timeline> VulkanDevice::create_timeline() { return std::make_shared<VulkanTimeline>(gpu_); }

std::unique_ptr<CommandRecorder> VulkanDevice::record(Level level) { return std::make_unique<Recorder>(store_, level); }

void VulkanDevice::wait_any(const std::vector<TimelinePoint>& points, std::chrono::nanoseconds timeout) {
  wait_for_any(*gpu_, points, static_cast<std::uint64_t>(std::max<std::int64_t>(timeout.count(), 0)));
}

void VulkanDevice::write(const BufferRange& dst, const void* src) {
  if (dst.size == 0) return;
  if (std::byte* mapped = dst.mapped()) {
    copy_host_bytes(mapped, src, dst.size);
  } else {
    staging_->write(dst, static_cast<const std::byte*>(src));
  }
}

void VulkanDevice::read(void* dst, const BufferRange& src) {
  if (src.size == 0) return;
  if (const std::byte* mapped = src.mapped()) {
    copy_host_bytes(dst, mapped, src.size);
  } else {
    staging_->read(static_cast<std::byte*>(dst), src);
  }
}

std::vector<std::shared_ptr<const CustomKernel>> VulkanDevice::load_kernels(std::vector<std::uint32_t> module) {
  // The kernels keep the whole store alive.
  return create_kernels(std::shared_ptr<PipelineStore>(store_, &store_->pipelines()), std::move(module));
}

void VulkanDevice::prepare(Dispatch& dispatch) {
  if (runs_as_copy(dispatch, *gpu_)) return;
  check_groups(dispatch, gpu_->limits());
  dispatch.pipeline = &store_->pipelines().find(dispatch);
}

void VulkanDevice::warm_up(const Dispatch& dispatch) {
  // Once for each pipeline.
  if (!gpu_->quirks().compiles_at_launch || !dispatch.pipeline || dispatch.pipeline->warm.exchange(true)) return;
  Recorder recorder(store_, Level::kPrimary);
  recorder.warm_up(dispatch);
  const LockGuard lock(warm_mutex_);
  if (!warm_timeline_) warm_timeline_ = create_timeline();
  queues_.front()->submit({{recorder.finish()}, {}, {warm_timeline_, warm_ups_ + 1}});
  ++warm_ups_;  // only now, so that wait_warm_ups() does not wait for a submission that failed
}

void VulkanDevice::wait_warm_ups() {
  TimelinePoint newest;
  {
    const LockGuard lock(warm_mutex_);
    newest = {warm_timeline_, warm_ups_};
  }
  if (newest.timeline) newest.timeline->wait(newest.value);
}

void VulkanDevice::wait_idle() {
  in_flight_->wait(in_flight_->newest());
  collect();
}

}  // namespace aclvk::vk
