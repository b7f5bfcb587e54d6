#pragma once

#include <cstdint>
#include <list>
#include <vector>

#include "base/mutex.hpp"
#include "vk_device/submission/queue.hpp"

namespace aclvk::vk {

/// Tracks submissions that have not completed. It keeps alive what they use and numbers them; DeviceMemory reuses freed
/// memory by these numbers. Thread safe.
class InFlight {
 public:
  /// A submission before its queue has accepted it. It owns the list node, so that add() allocates nothing.
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
    std::list<Numbered> list_;  // one element
  };

  explicit InFlight(std::size_t queues);

  /// Adds a submission that the queue has accepted. Cannot fail. Calls for one queue must follow its submission order.
  void add(std::size_t queue, Entry entry) noexcept;
  /// Returns the number of the newest submission.
  std::uint64_t newest() const;
  /// Removes completed submissions. Destroys command buffers, so the caller must not hold locks that their destructors
  /// take.
  void sweep();
  /// Returns whether all submissions up to this number had completed at the last sweep().
  bool completed(std::uint64_t number) const;
  /// Returns whether a pending submission that signals this timeline (null: any) writes into the range.
  bool writes(const std::shared_ptr<Timeline>& timeline, const BufferRange& range) const;
  /// Returns the oldest pending submission of each queue.
  std::vector<PendingSubmission> oldest_pending() const;
  /// Returns, for each timeline, its first point that cannot be reached before `end`; see Device::blocked_by().
  std::vector<TimelinePoint> blocked_by(const TimelinePoint& end) const;
  /// Waits until all submissions up to this number have completed.
  void wait(std::uint64_t number);

 private:
  using List = std::list<Entry::Numbered>;

  mutable Mutex mutex_;
  std::uint64_t newest_ GUARDED_BY(mutex_) = 0;
  std::vector<List> queues_ GUARDED_BY(mutex_);
  // The last removed submission of each queue. Lavapipe's queue thread accesses its semaphores for a moment after their
  // signals are visible, so they are destroyed only after the next submission has completed.
  std::vector<List> last_ GUARDED_BY(mutex_);  // one element each, without command buffers
};

}  // namespace aclvk::vk
