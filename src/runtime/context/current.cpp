#include "runtime/context/current.hpp"

#include <map>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "base/thread_value.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/device/state_callback.hpp"
#include "runtime/failure/failed_task.hpp"

namespace aclvk::runtime {
namespace {

// The current context of the thread, explicit or primary: the choice of one drops the other. A handle and not a
// pointer, because it becomes stale when another thread destroys the context, and has no destructor, so that the API
// works in destructors that run while the thread or the process ends.
struct Bound {
  void* handle = nullptr;
  // Cache of the last look-up of the handle. Valid until a context ends.
  std::uint64_t ended = 0;  // ended_contexts() at the look-up
  std::uint64_t context_number = 0;
  const Device* device = nullptr;  // null before the first look-up; a Device lives until the Process ends
};
// The current context is that of a thread by its definition (aclrtSetCurrentContext).
thread_local ThreadValue<Bound> thread_bound;

Bound& bound() { return thread_bound.get(); }

/// Returns the cache. It needs no comparison of Processes: the contexts of a Process end with it.
const Bound& cached() { return thread_bound.unchecked(); }

bool looked_up() { return cached().device && cached().ended == ended_contexts(); }

using DefaultDevice = ProcessValue<std::int32_t, -1, StateId::kDefaultDevice>;

struct Primary {
  ContextPtr context;
  std::uint32_t references = 0;
};

struct Primaries {
  Mutex mutex;
  std::map<std::int32_t, Primary> by_device GUARDED_BY(mutex);
};

// Not destroyed at exit, like the devices: most programs end without aclrtResetDevice.
Primaries& primaries() { return ProcessState<Primaries, StateId::kPrimaryContexts>::get(); }

ContextPtr bound_context() {
  if (!bound().handle) return nullptr;
  const std::uint64_t ended = ended_contexts();
  ContextPtr context = context_handles().find(bound().handle);
  if (!context || context->destroyed()) return nullptr;
  bound() = {bound().handle, ended, context->number, &context->device()};
  return context;
}

void check_set(std::int32_t id, std::uint32_t references) {
  check(references > 0, Code::kContextRelease, "Device {} is not set; there is nothing to reset.", id);
}

}  // namespace

ContextPtr find_current_context() {
  if (!bound().handle && default_device() >= 0) set_device(default_device());
  return bound_context();
}

ContextPtr current_context() {
  ContextPtr context = find_current_context();
  check(context != nullptr, Code::kContextNull,
        "This thread has no context; aclrtSetDevice or aclrtSetCurrentContext gives it one.");
  return context;
}

const Device* current_device() { return looked_up() || find_current_context() ? cached().device : nullptr; }

void check_has_context() {
  if (!looked_up()) current_context();
}

bool is_current(std::uint64_t context_number) { return current_device() && cached().context_number == context_number; }

std::int32_t current_device_id() {
  if (!bound().handle) return default_device();
  const ContextPtr context = bound_context();
  return context ? static_cast<std::int32_t>(context->device().id) : -1;
}

void set_current_context(const ContextPtr& context) { bound() = {context->handle()}; }

ContextPtr create_context(std::int32_t device_id) {
  ContextPtr context = Context::create(device(device_id), false);
  bound() = {context->handle()};
  notify_listeners(context->default_stream()->handle, StreamState::kCreated);
  return context;
}

void destroy_context(const ContextPtr& context) {
  check(!context->primary(), Code::kContextNull,
        "The context is the primary context of device {}; aclrtResetDevice ends it.", context->device().id);
  context->tear_down(false);
  if (bound().handle == context->handle()) bound() = {};
}

void set_device(std::int32_t id) {
  check_device_id(id);
  notify_listeners(id, DeviceState::kToBeSet);
  ContextPtr created;
  {
    const LockGuard lock(primaries().mutex);
    Primary& primary = primaries().by_device[id];
    if (!primary.context) primary.context = created = Context::create(device(id), true);
    ++primary.references;
    bound() = {primary.context->handle()};
  }
  if (created) notify_listeners(created->default_stream()->handle, StreamState::kCreated);
  notify_listeners(id, DeviceState::kSet);
}

void reset_device(std::int32_t id, bool force) {
  check_set(id, primary_references(id));
  notify_listeners(id, DeviceState::kToBeReset);
  ContextPtr ended;
  {
    const LockGuard lock(primaries().mutex);
    Primary& primary = primaries().by_device[id];
    check_set(id, primary.references);
    primary.references = force ? 0 : primary.references - 1;
    if (primary.references == 0) ended.swap(primary.context);
  }
  if (ended) {
    ended->tear_down(force);
    ended->device().clear_peers();
    clear_last_failure(ended->device().id);
    if (ended->device().gpu().lost()) retire(ended->shared_device());
    if (bound().handle == ended->handle()) bound() = {};
  }
  notify_listeners(id, DeviceState::kReset);
}

std::uint32_t primary_references(std::int32_t id) {
  check_device_id(id);
  const LockGuard lock(primaries().mutex);
  return primaries().by_device[id].references;
}

void set_default_device(std::int32_t id) { DefaultDevice::set(id); }

std::int32_t default_device() { return DefaultDevice::get(); }

}  // namespace aclvk::runtime
