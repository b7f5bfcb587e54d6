#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "support/null_device/null_state.hpp"
#include "vk_device/submission/timeline.hpp"

namespace aclvk {

/// A timeline of a null device. Its values only increase, as those of a timeline semaphore do.
class NullTimeline final : public vk::Timeline {
 public:
  explicit NullTimeline(std::shared_ptr<NullState> state) : state_(std::move(state)) {}

  std::uint64_t completed() const override { return state_->lost() ? UINT64_MAX : value_.load(); }
  bool wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout = {}) const override;
  /// Throws kRuntimeInternal unless the value is larger than the present one.
  void signal(std::uint64_t value) override;

  // Both require the state's lock.

  /// Stores that a submission signals the value. Throws kRuntimeInternal unless it is larger than the present value and
  /// than those of earlier submissions.
  void accept(std::uint64_t value);
  /// Signals the value of a submission that has run.
  void complete(std::uint64_t value) { value_ = value; }

 private:
  std::shared_ptr<NullState> state_;
  std::atomic<std::uint64_t> value_{0};
  std::uint64_t accepted_ = 0;
};

}  // namespace aclvk
