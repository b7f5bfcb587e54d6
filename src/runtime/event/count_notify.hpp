#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/task/scheduler_mutex.hpp"
#include "runtime/task/task.hpp"

namespace aclvk::runtime {

/// An aclrtCntNotify: a counter that streams change and wait on. Like a Flag, it changes when the host processes the
/// streams' tasks; a stream that passes a wait waits on the device for the work before the changes that it has read.
class CountNotify {
 public:
  CountNotify();
  const std::uint32_t id;

  /// A change, and the device work that precedes it.
  struct Change {
    vk::TimelinePoint since;
    const Device* device = nullptr;
  };

  void apply(const CountRecordTask& task, Change change) REQUIRES(scheduler_mutex);
  bool satisfies(const CountWaitTask& wait) const REQUIRES(scheduler_mutex);
  void clear() REQUIRES(scheduler_mutex) { count_ = 0; }
  /// Returns the changes whose preceding work may not be complete.
  const std::vector<Change>& pending() const REQUIRES(scheduler_mutex) { return pending_; }

 private:
  std::uint32_t count_ GUARDED_BY(scheduler_mutex) = 0;
  std::vector<Change> pending_ GUARDED_BY(scheduler_mutex);
};

using CountNotifyPtr = std::shared_ptr<CountNotify>;

}  // namespace aclvk::runtime
