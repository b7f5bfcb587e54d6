#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

/// An aclrtCntNotify: a count that streams change, and compare with what they wait for. As with a Flag, it changes in
/// the order in which streams reach their tasks on the host, and a stream that passes waits on the device for the work
/// before the changes that it has seen. Members but the id are guarded by the scheduler's lock.
class CountNotify {
 public:
  CountNotify();
  const std::uint32_t id;

  /// The device work after which a change counts.
  struct Change {
    vk::TimelinePoint since;
    const Device* device = nullptr;
  };

  void apply(const CountRecordTask& task, Change change);
  bool satisfies(const CountWaitTask& wait) const;
  void clear() { count_ = 0; }
  /// Changes whose work may not be done.
  const std::vector<Change>& pending() const { return pending_; }

 private:
  std::uint32_t count_ = 0;
  std::vector<Change> pending_;
};

using CountNotifyPtr = std::shared_ptr<CountNotify>;

/// What aclrtCntNotifyWaitWithTimeout asks for, in the interface's numbers.
struct CountWait {
  std::uint32_t mode = 0;
  std::uint32_t value = 0;
  std::uint32_t timeout_s = 0;  ///< 0 and UINT32_MAX: for ever
  bool clears = false;
};

void* create_count_notify(std::uint64_t flag);
/// In stream order. Throw kParamInvalid for an unknown mode.
void record_count(const CountNotifyPtr& notify, Stream& stream, std::uint32_t mode, std::uint32_t value);
void wait_count(const CountNotifyPtr& notify, Stream& stream, const CountWait& wait);
void reset_count(const CountNotifyPtr& notify, Stream& stream);

}  // namespace aclvk::runtime
