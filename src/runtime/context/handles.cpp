#include "runtime/context/handles.hpp"

#include "base/process_state.hpp"

namespace aclvk::runtime {

// The tables are not destroyed at exit: a program may destroy its contexts and events from destructors of its own
// statics, after those of the library would have run.

ContextHandles& context_handles() { return ProcessState<ContextHandles, StateId::kContextHandles>::get(); }

EventHandles& event_handles() { return ProcessState<EventHandles, StateId::kEventHandles>::get(); }

NotifyHandles& notify_handles() { return ProcessState<NotifyHandles, StateId::kNotifyHandles>::get(); }

CountNotifyHandles& count_notify_handles() {
  return ProcessState<CountNotifyHandles, StateId::kCountNotifyHandles>::get();
}

}  // namespace aclvk::runtime
