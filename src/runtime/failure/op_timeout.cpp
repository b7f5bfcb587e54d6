#include "runtime/failure/op_timeout.hpp"

#include <algorithm>

#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

// Also the default: 1091 s.
constexpr std::int64_t kMaxSteps = 254;

using LimitSteps = ProcessValue<std::int64_t, kMaxSteps, StateId::kTaskLimit>;
using WaitSeconds = ProcessValue<std::int64_t, 0, StateId::kWaitLimit>;

// Rounds up by (n - 1) / d + 1, in which no sum can overflow.
std::int64_t steps_for(std::chrono::microseconds wanted) {
  if (wanted.count() == 0) return kMaxSteps;
  const std::int64_t whole = (wanted.count() - 1) / kTaskLimitStep.count() + 1;
  return std::min(whole, kMaxSteps);
}

}  // namespace

std::chrono::microseconds set_task_limit(std::chrono::microseconds wanted) {
  LimitSteps::set(steps_for(wanted));
  return task_limit();
}

std::chrono::microseconds task_limit() { return kTaskLimitStep * LimitSteps::get(); }

void set_default_wait_limit(WaitLimit limit) { WaitSeconds::set(limit.count()); }

WaitLimit default_wait_limit() { return WaitLimit{WaitSeconds::get()}; }

}  // namespace aclvk::runtime
