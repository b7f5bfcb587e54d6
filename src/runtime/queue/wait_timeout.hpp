#pragma once

#include <chrono>
#include <cstdint>

#include "base/error.hpp"
#include "base/mutex.hpp"

namespace aclvk::runtime {

/// The timeout of a call on a queue or a channel in milliseconds; 0 does not wait, -1 waits for ever. Throws
/// kInvalidParam for less.
class WaitTimeout {
 public:
  explicit WaitTimeout(std::int32_t milliseconds) : milliseconds_(milliseconds) {
    check(milliseconds >= -1, Code::kInvalidParam,
          "timeout is {} ms; -1 (for ever), 0 (not at all) or a positive number is expected.", milliseconds);
  }

  std::int32_t milliseconds() const { return milliseconds_; }

  /// Waits on the condition, with the mutex released, until `ready` returns true. Returns false after the timeout.
  template <typename Ready>
  bool wait(ConditionVariable& condition, Mutex& mutex, Ready ready) const REQUIRES(mutex) {
    if (milliseconds_ >= 0) return condition.wait_for(mutex, std::chrono::milliseconds(milliseconds_), ready);
    condition.wait(mutex, ready);
    return true;
  }

 private:
  std::int32_t milliseconds_;
};

}  // namespace aclvk::runtime
