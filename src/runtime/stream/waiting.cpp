#include "runtime/stream/waiting.hpp"

#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/task/task_row.hpp"

namespace aclvk::runtime {
namespace {

WaitLimit limit_of(const Task& task) {
  return std::visit(
      [](const auto& kind) {
        if constexpr (kTaskRow<decltype(kind)>.has(kHasWaitLimit)) {
          return kind.limit;
        } else {
          return WaitLimit{0};
        }
      },
      task);
}

// A memory pool makes a stream wait without an event (StreamQueue::wait_in_order).
std::string describe(const EventWaitTask& wait) {
  if (!wait.event) return "memory that another stream has freed";
  return fmt::format("a record of event {}", wait.event->id);
}

std::string describe(const NotifyWaitTask& wait) { return fmt::format("a record of notify {}", wait.notify->id); }
std::string describe(const CountWaitTask& wait) {
  return fmt::format("a count of counting notify {}", wait.notify->id);
}
std::string describe(const ValueWaitTask& wait) { return fmt::format("the word at 0x{:x}", wait.word.address()); }
std::string describe(const HostTask& host) { return fmt::format("a host function ({})", host.type); }
std::string describe(const ProcedureTask& procedure) REQUIRES(scheduler_mutex) {
  return procedure.procedure->waits_for();
}

}  // namespace

// A procedure has limits for the waits inside it, and measures each from its own start.
WaitLimit expired_limit(const Task& task, std::chrono::steady_clock::time_point since,
                        std::chrono::steady_clock::time_point now) {
  const auto* step = std::get_if<ProcedureTask>(&task);
  if (step) return step->procedure ? step->procedure->expired_limit(now) : WaitLimit{0};
  const WaitLimit limit = limit_of(task);
  return limit.count() > 0 && now - since >= limit ? limit : WaitLimit{0};
}

std::string describe_wait(const Task& task) {
  return std::visit(
      [](const auto& kind) REQUIRES(scheduler_mutex) -> std::string {
        if constexpr (kTaskRow<decltype(kind)>.has(kMayBlock)) {
          return describe(kind);
        } else {
          return "the device";
        }
      },
      task);
}

}  // namespace aclvk::runtime
