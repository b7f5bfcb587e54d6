#include "runtime/current.hpp"

#include <atomic>
#include <map>
#include <mutex>

#include "base/error.hpp"
#include "runtime/device/state_callback.hpp"
#include "runtime/failure/failed_task.hpp"
#include "runtime/handles.hpp"

namespace aclvk::runtime {
namespace {

// The handle of the context that the thread works in, explicit or primary: each way of choosing one drops the other, so
// there is only one. A handle and not a pointer: it goes stale by itself when another thread destroys the context, and
// has no destructor, so the API still works in destructors that run while the thread or the process ends.
thread_local void* current_handle = nullptr;

std::atomic<std::int32_t> default_device_id{-1};

struct Primary {
  ContextPtr context;
  std::uint32_t references = 0;
};

struct Primaries {
  std::mutex mutex;
  std::map<std::int32_t, Primary> by_device;
};

// Leaked, like the devices: most programs end without resetting theirs.
Primaries& primaries() {
  static auto* primaries = new Primaries;
  return *primaries;
}

ContextPtr bound_context() {
  if (!current_handle) return nullptr;
  ContextPtr context = context_handles().find(current_handle);
  return context && !context->destroyed() ? context : nullptr;
}

void check_set(std::int32_t id, std::uint32_t references) {
  check(references > 0, Code::kContextRelease, "Device {} is not set; there is nothing to reset.", id);
}

}  // namespace

ContextPtr find_current_context() {
  if (!current_handle && default_device() >= 0) set_device(default_device());
  return bound_context();
}

ContextPtr current_context() {
  ContextPtr context = find_current_context();
  check(context != nullptr, Code::kContextNull,
        "This thread has no context; aclrtSetDevice or aclrtSetCurrentContext gives it one.");
  return context;
}

std::int32_t current_device_id() {
  if (!current_handle) return default_device();
  const ContextPtr context = bound_context();
  return context ? static_cast<std::int32_t>(context->device().id) : -1;
}

void set_current_context(const ContextPtr& context) { current_handle = context->handle(); }

ContextPtr create_context(std::int32_t device_id) {
  ContextPtr context = Context::create(device(device_id), false);
  current_handle = context->handle();
  tell(context->default_stream()->handle, StreamState::kCreated);
  return context;
}

void destroy_context(const ContextPtr& context) {
  check(!context->primary(), Code::kContextNull,
        "The context is the primary context of device {}; aclrtResetDevice ends it.", context->device().id);
  context->tear_down(false);
  if (current_handle == context->handle()) current_handle = nullptr;
}

void set_device(std::int32_t id) {
  check_device_id(id);
  tell(id, DeviceState::kToBeSet);
  ContextPtr created;
  {
    std::lock_guard lock(primaries().mutex);
    Primary& primary = primaries().by_device[id];
    if (!primary.context) primary.context = created = Context::create(device(id), true);
    ++primary.references;
    current_handle = primary.context->handle();
  }
  if (created) tell(created->default_stream()->handle, StreamState::kCreated);
  tell(id, DeviceState::kSet);
}

void reset_device(std::int32_t id, bool force) {
  check_set(id, primary_references(id));
  tell(id, DeviceState::kToBeReset);
  ContextPtr ended;
  {
    std::lock_guard lock(primaries().mutex);
    Primary& primary = primaries().by_device[id];
    check_set(id, primary.references);
    primary.references = force ? 0 : primary.references - 1;
    if (primary.references == 0) ended.swap(primary.context);
  }
  if (ended) {
    ended->tear_down(force);
    ended->device().forget_peers();
    forget_failure(ended->device().id);
    if (ended->device().gpu().lost()) retire(ended->shared_device());
    if (current_handle == ended->handle()) current_handle = nullptr;
  }
  tell(id, DeviceState::kReset);
}

std::uint32_t primary_references(std::int32_t id) {
  check_device_id(id);
  std::lock_guard lock(primaries().mutex);
  return primaries().by_device[id].references;
}

void set_default_device(std::int32_t id) { default_device_id = id; }

std::int32_t default_device() { return default_device_id; }

}  // namespace aclvk::runtime
