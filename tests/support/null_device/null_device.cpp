#include "support/null_device/null_device.hpp"

#include <algorithm>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/word_copy.hpp"
#include "support/null_device/null_recorder.hpp"
#include "support/null_device/null_timeline.hpp"
#include "vk_device/modules/module_reflection.hpp"
#include "vk_device/modules/shader_store.hpp"

namespace aclvk {
namespace {

vk::Features all_features() {
  vk::Features features;
  for (bool* feature :
       {&features.int64, &features.int16, &features.int8, &features.float64, &features.float16, &features.storage16,
        &features.storage8, &features.uniform_storage16, &features.uniform_storage8, &features.int64_atomics,
        &features.variable_pointers_buffer, &features.variable_pointers, &features.memory_model,
        &features.memory_model_device_scope, &features.scalar_block_layout}) {
    *feature = true;
  }
  features.subgroup_operations = 0xFF;  // the eight of Vulkan 1.1, from basic to quad
  return features;
}

}  // namespace

// A CPU like lavapipe's: tests of the public interface are written for one.
vk::DeviceInfo null_device_info(const NullDeviceOptions& options) {
  vk::DeviceInfo info;
  info.name = options.name;
  info.driver = "none";
  std::copy_n(options.name.begin(), std::min(options.name.size(), info.uuid.size()), info.uuid.begin());
  info.kind = vk::DeviceKind::kCpu;
  info.api_version = 1U << 22 | 3U << 12;  // 1.3
  info.compute_units = 4;
  info.memory_bytes = options.memory_bytes;
  info.subgroup_size = 8;
  info.subgroup_shuffle = true;
  info.threads_per_group = 1024;
  info.shared_bytes_per_group = 32768;
  info.group_size = {1024, 1024, 1024};
  info.group_count = {65535, 65535, 65535};
  return info;
}

NullDevice::NullDevice(const NullDeviceOptions& options)
    : options_(options),
      info_(null_device_info(options)),
      features_(all_features()),
      state_(std::make_shared<NullState>(options.name)),
      in_flight_(std::make_shared<vk::InFlight>(options.queues)),
      buffers_(std::make_shared<NullBufferSource>(state_, options.host_visible && config().host_visible)),
      host_pool_(std::make_shared<vk::BufferPool>(buffers_, vk::MemoryUse::kHost)),
      memories_{new_memory(options.memory_bytes)},
      memory_(*memories_.front()),
      processor_(std::make_unique<NullProcessor>(state_, options.queues, kernels_, options.stepwise)) {
  for (std::size_t i = 0; i < options.queues; ++i) {
    queues_.push_back(std::make_unique<NullQueue>(*processor_, in_flight_, i));
  }
}

NullDevice::~NullDevice() {
  processor_.reset();
  // A submission that waits for ever never runs. Losing the device completes it, so that its command buffers are
  // destroyed before the memory that they use.
  if (!in_flight_->oldest_pending().empty()) state_->lose();
  in_flight_->sweep();
}

std::shared_ptr<vk::DeviceMemory> NullDevice::new_memory(std::uint64_t total_bytes) const {
  return std::make_shared<vk::DeviceMemory>(buffers_, host_pool_, in_flight_, nullptr, total_bytes);
}

std::shared_ptr<vk::Memory> NullDevice::create_memory(std::uint64_t total_bytes) {
  auto memory = new_memory(total_bytes);
  const std::lock_guard lock(mutex_);
  return memories_.emplace_back(std::move(memory));
}

std::shared_ptr<vk::Timeline> NullDevice::create_timeline() {
  state_->enter(NullCall::kCreateTimeline);
  ++state_->created;
  return std::make_shared<NullTimeline>(state_);
}

std::unique_ptr<vk::CommandRecorder> NullDevice::record(vk::Level level) {
  state_->enter(NullCall::kRecord);
  return std::make_unique<NullRecorder>(level, info_.group_count);
}

std::vector<std::shared_ptr<const vk::CustomKernel>> NullDevice::load_kernels(std::vector<std::uint32_t> module) {
  std::vector<std::shared_ptr<const vk::CustomKernel>> kernels;
  for (vk::KernelInterface& interface : vk::reflect(module)) {
    kernels.push_back(std::make_shared<NullCustomKernel>(std::move(interface)));
  }
  return kernels;
}

std::shared_ptr<vk::Timestamps> NullDevice::create_timestamps(std::size_t) {
  check(options_.timestamps, Code::kRuntimeInternal, "{} has no timestamps.", info_.name);
  return std::make_shared<NullTimestamps>();
}

// compiled_pipelines() counts shaders here; a VulkanDevice also distinguishes variants and constants.
void NullDevice::prepare(vk::Dispatch& dispatch) {
  if (dispatch.custom) return;
  check(vk::find_shader(dispatch.shader) != nullptr, Code::kRuntimeInternal, "there is no shader {}.", dispatch.shader);
  const std::lock_guard lock(mutex_);
  if (prepared_.find(dispatch.shader) == prepared_.end()) prepared_.emplace(dispatch.shader);
}

void NullDevice::wait_any(const std::vector<vk::TimelinePoint>& points, std::chrono::nanoseconds timeout) {
  const auto any_reached = [&] {
    return points.empty() ||
           std::any_of(points.begin(), points.end(), [](const auto& point) { return point.reached(); });
  };
  state_->wait(any_reached, timeout);
}

// Device memory that is not mapped is copied without a queue, too: neither copy is ordered with any stream.
void NullDevice::write(const vk::BufferRange& dst, const void* src) {
  if (!dst.mapped()) check_not_lost();
  if (dst.size > 0) copy_host_bytes(bytes_of(dst), src, dst.size);
}

void NullDevice::read(void* dst, const vk::BufferRange& src) {
  if (!src.mapped()) check_not_lost();
  if (src.size > 0) copy_host_bytes(dst, bytes_of(src), src.size);
}

void NullDevice::collect() {
  std::vector<std::shared_ptr<vk::DeviceMemory>> memories;
  {
    const std::lock_guard lock(mutex_);
    memories = memories_;
  }
  for (const auto& memory : memories) memory->collect();
}

void NullDevice::wait_idle() {
  in_flight_->wait(in_flight_->newest());
  collect();
}

std::uint64_t NullDevice::compiled_pipelines() const {
  const std::lock_guard lock(mutex_);
  return prepared_.size();
}

}  // namespace aclvk
