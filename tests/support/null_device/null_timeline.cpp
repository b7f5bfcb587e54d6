#include "support/null_device/null_timeline.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk {

bool NullTimeline::wait(std::uint64_t value, std::optional<std::chrono::nanoseconds> timeout) const {
  return state_->wait([&] { return value_ >= value; }, timeout);
}

void NullTimeline::signal(std::uint64_t value) {
  const std::lock_guard lock(state_->mutex());
  check(value > value_, Code::kRuntimeInternal, "a timeline at {} is signalled with {}.", value_.load(), value);
  value_ = value;
  state_->changed().notify_all();
}

// Vulkan leaves it undefined when a signal does not increase the value, so a test learns of it here.
void NullTimeline::accept(std::uint64_t value) {
  const std::uint64_t newest = std::max(accepted_, value_.load());
  check(value > newest, Code::kRuntimeInternal, "a submission signals {} on a timeline that has, or gets, {}.", value,
        newest);
  accepted_ = value;
}

}  // namespace aclvk
