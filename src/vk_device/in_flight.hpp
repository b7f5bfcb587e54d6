#pragma once

#include <cstdint>
#include <list>
#include <mutex>
#include <vector>

#include "vk_device/device.hpp"

namespace aclvk::vk {

/// What the queues have been given and have not completed. Keeps alive what the submissions use, and numbers them,
/// which is the clock that freed memory waits for. Thread safe.
class InFlight {
 public:
  /// A submission on its way to its queue.
  class Entry {
   public:
    explicit Entry(Submission submission) { list_.push_back({0, std::move(submission)}); }
    const Submission& submission() const { return list_.front().submission; }

   private:
    friend class InFlight;
    struct Numbered {
      std::uint64_t number;
      Submission submission;
    };
    std::list<Numbered> list_;  // of one
  };

  explicit InFlight(std::size_t queues);

  /// A submission that `queue` has just accepted: nothing can fail any more. Calls for one queue come in the order of
  /// its submissions.
  void add(std::size_t queue, Entry entry) noexcept;
  /// The number of the newest submission.
  std::uint64_t newest() const;
  /// Forgets what has completed. Drops command buffers, so no lock may be held that their destructors need.
  void sweep();
  /// Whether all submissions up to this number were complete at the last sweep.
  bool completed(std::uint64_t number) const;
  /// Whether a submission that signals this timeline (null: any) and has not been reached writes into the range.
  bool writes(const std::shared_ptr<Timeline>& timeline, const BufferRange& range) const;
  /// The oldest submission of each queue that has not completed.
  std::vector<PendingSubmission> oldest_pending() const;
  /// The first submission of each timeline that cannot complete before this one; it is the first of them.
  std::vector<TimelinePoint> blocked_by(const TimelinePoint& end) const;
  /// Blocks until all submissions up to this number are complete.
  void wait(std::uint64_t number);

 private:
  using List = std::list<Entry::Numbered>;

  mutable std::mutex mutex_;
  std::uint64_t newest_ = 0;
  std::vector<List> queues_;
  // The last swept submission of each queue. Lavapipe's queue thread still touches its semaphores for a moment after
  // the signal can be seen; they must not be destroyed before the next submission has been reached.
  std::vector<List> last_;  // of one each, without the commands
};

}  // namespace aclvk::vk
