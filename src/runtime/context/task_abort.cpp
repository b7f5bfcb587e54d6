#include "runtime/context/task_abort.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

#include "base/error.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/state_callback.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::runtime {
namespace {

using Clock = std::chrono::steady_clock;

std::vector<ContextPtr> contexts_of(const Device& device) {
  std::vector<ContextPtr> contexts = context_handles().all();
  const auto foreign = [&](const ContextPtr& context) { return &context->device() != &device; };
  contexts.erase(std::remove_if(contexts.begin(), contexts.end(), foreign), contexts.end());
  return contexts;
}

/// Drops all tasks that have not been submitted. Returns the ends of those that have.
std::vector<vk::TimelinePoint> drop_tasks(const Device& device) {
  // Declared before the lock, so that they are released after it: ~Stream takes it.
  const std::vector<ContextPtr> contexts = contexts_of(device);
  std::vector<StreamPtr> streams;
  for (const ContextPtr& context : contexts) {
    for (StreamPtr& stream : context->all_streams()) streams.push_back(std::move(stream));
  }
  const SchedulerLock lock;
  std::vector<vk::TimelinePoint> running;
  for (const StreamPtr& stream : streams) {
    stream->queue().drop_pending(Code::kDeviceTaskAbort);
    running.push_back(stream->queue().batch().submitted());
  }
  // The abort acknowledges a failure that has stopped a context (docs/adr/0020).
  for (const ContextPtr& context : contexts) context->failures->resume();
  clear_last_failure(device.id);
  return running;
}

void wait_for(const std::vector<vk::TimelinePoint>& running, std::uint32_t timeout_ms, std::uint32_t device_id) {
  const auto deadline = Clock::now() + std::chrono::milliseconds(timeout_ms);
  for (const vk::TimelinePoint& point : running) {
    if (timeout_ms == 0) {
      point.timeline->wait(point.value);
      continue;
    }
    const auto left = std::max(deadline - Clock::now(), Clock::duration{0});
    check(point.timeline->wait(point.value, left), Code::kTaskTimeout,
          "Tasks of device {} still run after {} ms; what waited has been dropped.", device_id, timeout_ms);
  }
}

}  // namespace

void abort_tasks(std::int32_t device_id, std::uint32_t timeout_ms) {
  check_device_id(device_id);
  notify_listeners(device_id, TaskAbortStage::kBefore, timeout_ms);
  if (const auto device = find_open_device(device_id)) wait_for(drop_tasks(*device), timeout_ms, device->id);
  notify_listeners(device_id, TaskAbortStage::kAfter, timeout_ms);
}

}  // namespace aclvk::runtime
