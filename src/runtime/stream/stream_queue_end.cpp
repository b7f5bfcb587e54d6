// The points that freed memory waits for: ends of a stream's work, which are made without a submission (docs/adr/0015).

#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::runtime {

bool StreamQueue::may_use(const vk::BufferRange& allocation) const {
  return batch_.is_open() || pending_.may_use(allocation);
}

void StreamQueue::retain_for_tasks(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes) {
  batch_.retain(bytes);
  pending_.retain(allocation, bytes);
}

PointPtr StreamQueue::end_point() {
  if (pending_.empty()) return batch_.end_point();
  auto point = std::make_shared<Point>();
  point->issued = true;
  push(EventRecordTask{nullptr, point});
  return point;
}

// The point may be the end of an open batch, which is then submitted. If that fails, the batch has been dropped, and
// its end is cancelled.
void StreamQueue::wait_in_order(const PointPtr& point) {
  for (StreamQueue* queue : Scheduler::instance().queues()) {
    if (!queue->batch_.ends_with(point)) continue;
    queue->batch_.flush_now();
    queue->batch_.cancel_end();
  }
  push(EventWaitTask{nullptr, point, nullptr});
}

}  // namespace aclvk::runtime
