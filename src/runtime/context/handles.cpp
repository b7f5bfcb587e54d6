#include "runtime/context/handles.hpp"

namespace aclvk::runtime {

// The tables are leaked: a program may destroy its contexts and events from destructors of its own statics, after those
// of the library would have run.

ContextHandles& context_handles() {
  static auto* handles = new ContextHandles;
  return *handles;
}

EventHandles& event_handles() {
  static auto* handles = new EventHandles;
  return *handles;
}

NotifyHandles& notify_handles() {
  static auto* handles = new NotifyHandles;
  return *handles;
}

CountNotifyHandles& count_notify_handles() {
  static auto* handles = new CountNotifyHandles;
  return *handles;
}

}  // namespace aclvk::runtime
