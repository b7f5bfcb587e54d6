#pragma once

#include "base/handle.hpp"
#include "runtime/context/context.hpp"
#include "runtime/event/count_notify.hpp"
#include "runtime/event/event.hpp"
#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Tables of the live objects of public handles. They are part of the runtime and not of src/api, because the end of a
// context makes the handles of its streams stale. runtime/stream/stream.hpp has the table of streams.

using ContextHandles = HandleTable<Context, HandleTag::kContext>;
using EventHandles = HandleTable<Event, HandleTag::kEvent>;
using NotifyHandles = HandleTable<Notify, HandleTag::kNotify>;
using CountNotifyHandles = HandleTable<CountNotify, HandleTag::kCountNotify>;

ContextHandles& context_handles();
EventHandles& event_handles();
NotifyHandles& notify_handles();
CountNotifyHandles& count_notify_handles();

}  // namespace aclvk::runtime
