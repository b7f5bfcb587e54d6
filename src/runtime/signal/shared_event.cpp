#include "runtime/signal/shared_event.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <map>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/event/shared_signal.hpp"
#include "runtime/stream/scheduler.hpp"
#include "runtime/stream/watcher.hpp"

namespace aclvk::runtime {
namespace {

/// The keys of this process's events and notifies, by their ids.
struct Keys {
  Mutex mutex;
  std::map<std::uint32_t, ShareKey> events GUARDED_BY(mutex);
  std::multimap<std::uint32_t, ShareKey> notifies GUARDED_BY(mutex);
};

// Not destroyed at exit: programs destroy events from destructors of their statics.
Keys& keys() { return ProcessState<Keys, StateId::kSharedEventKeys>::get(); }

File copy_of(const File& file) {
  File copy(dup(file.fd()));
  check(copy.open(), Code::kResourceAllocation, "The file of a shared page cannot be duplicated: {}.",
        std::strerror(errno));
  return copy;
}

// Replaces the host flag by a shared page, which waiting streams poll from now on.
std::shared_ptr<SharedFlag> share(Notify& notify) {
  const SchedulerLock lock;
  Flag& flag = notify.flag;
  if (flag.shared) return flag.shared;
  auto shared = std::make_shared<SharedFlag>();
  // A set flag counts as set after its device work: the page follows when the device has reached that.
  if (flag.set && flag.device) {
    flag.device->watcher().when_reached(flag.since, [device = flag.device, shared]() REQUIRES(scheduler_mutex) {
      if (!device->loss()) shared->set();
      Scheduler::instance().changed();
    });
  }
  flag = Flag{};
  flag.shared = shared;
  Scheduler::instance().changed();
  return shared;
}

}  // namespace

std::string export_event(const EventPtr& event) {
  check(event->has(kEventIpc) && event->shared != nullptr, Code::kParamInvalid,
        "Event {} has flags 0x{:x}; only events of aclrtCreateEventExWithFlag with IPC (0x40) have a handle for other "
        "processes.",
        event->id, event->flags);
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  const auto known = all.events.find(event->id);
  if (known != all.events.end()) return known->second.text();
  check(!event->opened, Code::kParamInvalid, "Event {} belongs to another process, which alone can export it.",
        event->id);
  Offer made;
  made.kind = SharedKind::kEvent;
  made.file = copy_of(event->shared->file());
  made.to_all = true;
  return (all.events[event->id] = offer(std::move(made))).text();
}

void* open_event(const std::string& key) {
  check_has_context();
  Taken taken = take(SharedKind::kEvent, ShareKey::parse(key.c_str()));
  const auto event = std::make_shared<Event>(EventMaker::kExWithFlag, kEventIpc);
  event->shared = std::make_shared<SharedEvent>(std::move(taken.file));
  event->opened = true;
  event->handle = event_handles().insert(event);
  return event->handle;
}

void withdraw_event(const Event& event) {
  if (!event.shared) return;
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  const auto known = all.events.find(event.id);
  if (known == all.events.end()) return;
  withdraw(known->second);
  all.events.erase(known);
}

std::string export_notify(Notify& notify, bool to_all) {
  check(!notify.opened, Code::kParamInvalid, "Notify {} belongs to another process, which alone can export it.",
        notify.id);
  Offer made;
  made.kind = SharedKind::kNotify;
  made.file = copy_of(share(notify)->file());
  made.to_all = to_all;
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  const ShareKey key = offer(std::move(made));
  all.notifies.emplace(notify.id, key);
  return key.text();
}

void* open_notify(const std::string& key) {
  check_has_context();
  Taken taken = take(SharedKind::kNotify, ShareKey::parse(key.c_str()));
  return notify_handles().insert(std::make_shared<Notify>(std::make_shared<SharedFlag>(std::move(taken.file))));
}

void allow_notify(Notify& notify, const std::vector<pid_t>& processes) {
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  const auto [first, last] = all.notifies.equal_range(notify.id);
  check(first != last, Code::kParamInvalid, "Notify {} has no key yet; aclrtNotifyGetExportKey comes first.",
        notify.id);
  for (auto key = first; key != last; ++key) allow(SharedKind::kNotify, key->second, processes);
}

void withdraw_notify(Notify& notify) {
  Keys& all = keys();
  const LockGuard lock(all.mutex);
  const auto [first, last] = all.notifies.equal_range(notify.id);
  for (auto key = first; key != last; ++key) withdraw(key->second);
  all.notifies.erase(first, last);
}

}  // namespace aclvk::runtime
