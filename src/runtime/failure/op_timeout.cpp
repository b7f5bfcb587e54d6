#include "runtime/failure/op_timeout.hpp"

#include <algorithm>
#include <atomic>

namespace aclvk::runtime {
namespace {

constexpr std::int64_t kMaxSteps = 254;

std::atomic<std::int64_t> limit_steps{kMaxSteps};
std::atomic<std::int64_t> wait_seconds{0};

std::int64_t steps_for(std::chrono::microseconds wanted) {
  if (wanted.count() == 0) return kMaxSteps;
  const std::int64_t whole = (wanted.count() - 1) / kTaskLimitStep.count() + 1;
  return std::min(whole, kMaxSteps);
}

}  // namespace

std::chrono::microseconds set_task_limit(std::chrono::microseconds wanted) {
  limit_steps = steps_for(wanted);
  return task_limit();
}

std::chrono::microseconds task_limit() { return kTaskLimitStep * limit_steps.load(); }

void set_default_wait_limit(WaitLimit limit) { wait_seconds = limit.count(); }

WaitLimit default_wait_limit() { return WaitLimit{wait_seconds.load()}; }

}  // namespace aclvk::runtime
