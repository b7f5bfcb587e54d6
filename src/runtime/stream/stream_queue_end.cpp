// The points that freed memory waits for: ends of a stream's work, which are made without a submission (docs/adr/0015).
#include <exception>

#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/stream_queue.hpp"

namespace aclvk::runtime {

bool StreamQueue::may_use(const vk::BufferRange& allocation) const {
  return open_batch_ || pending_.may_use(allocation);
}

void StreamQueue::retain_for_tasks(const vk::BufferRange& allocation, const std::shared_ptr<void>& bytes) {
  if (open_batch_) retained_.push_back(bytes);
  pending_.retain(allocation, bytes);
}

// The end of an open batch is a Point without a timeline value: with a value, another stream could submit a wait for it
// before the batch itself is submitted (docs/adr/0003).
PointPtr StreamQueue::end_point() {
  const bool more_to_submit = open_batch_ || !open_waits_.empty();
  if (pending_.empty() && more_to_submit && open_end_) return open_end_;
  auto point = std::make_shared<Point>();
  point->issued = true;
  if (!pending_.empty()) {
    push(EventRecordTask{nullptr, point});
  } else if (more_to_submit) {
    open_end_ = point;
  } else {
    point->submitted = submitted();
    point->device = &device_;
  }
  return point;
}

void StreamQueue::resolve_open_end() noexcept {
  if (!open_end_) return;
  open_end_->submitted = submitted();
  open_end_->device = &device_;
  open_end_ = nullptr;
  Scheduler::instance().changed();
}

// Called when no batch is open or the open batch will not be submitted. Waiters then wait for the semaphores that the
// batch would have waited for.
void StreamQueue::cancel_open_end() noexcept try {
  if (!open_end_) return;
  for (const vk::TimelinePoint& wait : open_waits_) {
    open_end_->superseded_by.push_back(std::make_shared<Point>(Point{wait, true}));
  }
  open_end_->cancelled = true;
  resolve_open_end();
} catch (const std::exception&) {
  // Out of memory: the point gets the value of the next submission.
}

// The point may be the end of an open batch, which is then submitted. If that fails, the batch has been dropped, and
// its end is cancelled.
void StreamQueue::wait_in_order(const PointPtr& point) {
  for (StreamQueue* queue : Scheduler::instance().queues()) {
    if (queue->open_end_ != point) continue;
    queue->flush_now();
    queue->cancel_open_end();
  }
  push(EventWaitTask{nullptr, point, nullptr});
}

}  // namespace aclvk::runtime
