#include "support/null_device/null_queue.hpp"

#include "base/error.hpp"

namespace aclvk {
namespace {

NullProcessor::Work work_of(const vk::Submission& submission) {
  NullProcessor::Work work{{}, submission.waits, submission.signal};
  for (const auto& commands : submission.commands) {
    const auto& recorded = static_cast<const NullCommandBuffer&>(*commands);
    check(recorded.level() == vk::Level::kPrimary, Code::kRuntimeInternal,
          "A secondary command buffer is submitted; a primary one is expected.");
    work.commands.push_back(&recorded);
  }
  return work;
}

}  // namespace

void NullQueue::submit(vk::Submission submission) {
  check(submission.signal.timeline != nullptr, Code::kRuntimeInternal,
        "A submission has no timeline to signal; each signals one.");
  in_flight_->sweep();  // without the lock: it destroys command buffers
  vk::InFlight::Entry entry(std::move(submission));
  const std::lock_guard lock(mutex_);
  // The entry keeps the command buffers alive, also when they have run before it is added.
  processor_.submit(index_, work_of(entry.submission()));
  ++submissions_;
  in_flight_->add(index_, std::move(entry));
}

}  // namespace aclvk
