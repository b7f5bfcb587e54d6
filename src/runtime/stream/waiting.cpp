#include "runtime/stream/waiting.hpp"

namespace aclvk::runtime {
namespace {

WaitLimit limit_of(const Task& task) {
  if (const auto* wait = std::get_if<EventWaitTask>(&task)) return wait->limit;
  if (const auto* wait = std::get_if<NotifyWaitTask>(&task)) return wait->limit;
  if (const auto* wait = std::get_if<CountWaitTask>(&task)) return wait->limit;
  return WaitLimit{0};
}

}  // namespace

WaitLimit expired_limit(const Task& task, std::chrono::steady_clock::time_point since,
                        std::chrono::steady_clock::time_point now) {
  const auto* step = std::get_if<ProcedureTask>(&task);
  if (step) return step->procedure ? step->procedure->expired_limit(now) : WaitLimit{0};
  const WaitLimit limit = limit_of(task);
  return limit.count() > 0 && now - since >= limit ? limit : WaitLimit{0};
}

}  // namespace aclvk::runtime
