#include "support/null_device/null_state.hpp"

#include <algorithm>

#include "base/error.hpp"

namespace aclvk {
namespace {

// The standard library adds the timeout to the time of now, which must not overflow.
constexpr std::chrono::nanoseconds kLongestWait = std::chrono::hours(24);

}  // namespace

void NullState::plan(NullCall call, NullFault fault, std::size_t skip, std::size_t count) {
  const std::lock_guard lock(plans_mutex_);
  plans_[call] = {fault, skip, count};
}

std::optional<NullFault> NullState::take_fault(NullCall call) {
  const std::lock_guard lock(plans_mutex_);
  const auto planned = plans_.find(call);
  if (planned == plans_.end() || planned->second.skip-- > 0) return std::nullopt;
  planned->second.skip = 0;
  const NullFault fault = planned->second.fault;
  if (--planned->second.count == 0) plans_.erase(planned);
  return fault;
}

void NullState::enter(NullCall call) {
  const auto fault = take_fault(call);
  if (!fault) return;
  check(*fault != NullFault::kOutOfMemory, Code::kMemoryAllocation, "{} is out of memory, as the test has planned.",
        name_);
  lose();
  check_not_lost();
}

void NullState::check_not_lost() const { check(!lost_, Code::kDriverError, "{} is lost.", name_); }

void NullState::lose() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return !running; });
  lost_ = true;
  changed_.notify_all();
}

bool NullState::wait(const std::function<bool()>& condition, std::optional<std::chrono::nanoseconds> timeout) {
  const auto holds = [&] { return lost_ || condition(); };
  std::unique_lock lock(mutex_);
  if (!timeout) {
    changed_.wait(lock, holds);
    return true;
  }
  return changed_.wait_for(lock, std::clamp(*timeout, std::chrono::nanoseconds(0), kLongestWait), holds);
}

}  // namespace aclvk
