#include "runtime/stream/waiting.hpp"

#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/task/device_work.hpp"

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

std::string describe_wait(const Task& task) {
  return std::visit(
      Overloaded{
          [](const EventWaitTask& wait) {
            return wait.event ? fmt::format("a record of event {}", wait.event->id)
                              : std::string("memory that another stream has freed");
          },
          [](const NotifyWaitTask& wait) { return fmt::format("a record of notify {}", wait.notify->id); },
          [](const CountWaitTask& wait) { return fmt::format("a count of counting notify {}", wait.notify->id); },
          [](const ValueWaitTask& wait) { return fmt::format("the word at 0x{:x}", wait.word.address()); },
          [](const HostTask& host) { return fmt::format("a host function ({})", host.type); },
          [](const ProcedureTask& procedure) REQUIRES(scheduler_mutex) { return procedure.procedure->waits_for(); },
          [](const auto&) { return std::string("the device"); },
      },
      task);
}

}  // namespace aclvk::runtime
