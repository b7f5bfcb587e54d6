// acl/rt/event.h, acl/rt/event_query.h: events (runtime-semantics 5). The checks of NULL stand in the documented order.
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/timeouts.hpp"
#include "base/error.hpp"
#include "runtime/failure/op_timeout.hpp"
#include "runtime/signal/event_use.hpp"

using namespace aclvk;
using api::event_of;
using api::guard;
using api::own_stream_of;
using api::require;
using runtime::EventMaker;
using runtime::EventUse;

namespace {

// The flags that aclrtCreateEvent implies: order, progress and time line (runtime-semantics 5.1).
constexpr uint32_t kPlainFlags = 0xE;

int create(const char* function, aclrtEvent* event, EventMaker maker, uint32_t flags) {
  return guard(function, [&] {
    require(event, "event");
    *event = runtime::create_event(maker, flags);
  });
}

EventUse use_of(uint32_t flag) {
  check(flag <= 1, Code::kInvalidParam, "flag is {}; 0 or 1 is expected.", flag);
  return static_cast<EventUse>(flag);
}

}  // namespace

aclError aclrtCreateEvent(aclrtEvent* event) { return create(__func__, event, EventMaker::kPlain, kPlainFlags); }

aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag) {
  return create(__func__, event, EventMaker::kWithFlag, flag);
}

aclError aclrtCreateEventExWithFlag(aclrtEvent* event, uint32_t flag) {
  return create(__func__, event, EventMaker::kExWithFlag, flag);
}

aclError aclrtDestroyEvent(aclrtEvent event) {
  return guard(__func__, [&] {
    require(event, "event");
    runtime::destroy_event(event);
  });
}

aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = event_of(event);
    runtime::record_event(found, *own_stream_of(stream));
  });
}

// NULL and the flag are checked before the handle, so require() stands apart from event_of().
aclError aclrtRecordEventWithFlag(aclrtEvent event, aclrtStream stream, uint32_t flag) {
  return guard(__func__, [&] {
    require(event, "event");
    const EventUse use = use_of(flag);
    const auto found = event_of(event);
    runtime::record_event(found, *own_stream_of(stream), use);
  });
}

aclError aclrtResetEvent(aclrtEvent event, aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = event_of(event);
    own_stream_of(stream)->reset(found);
  });
}

aclError aclrtQueryEvent(aclrtEvent event, aclrtEventStatus* status) {
  return guard(__func__, [&] {
    require(event, "event");
    require(status, "status");
    *status = runtime::event_done(event_of(event)) ? ACL_EVENT_STATUS_COMPLETE : ACL_EVENT_STATUS_NOT_READY;
  });
}

aclError aclrtQueryEventStatus(aclrtEvent event, aclrtEventRecordedStatus* status) {
  return guard(__func__, [&] {
    require(event, "event");
    require(status, "status");
    const bool complete = runtime::event_recorded(event_of(event));
    *status = complete ? ACL_EVENT_RECORDED_STATUS_COMPLETE : ACL_EVENT_RECORDED_STATUS_NOT_READY;
  });
}

aclError aclrtQueryEventWaitStatus(aclrtEvent event, aclrtEventWaitStatus* status) {
  return guard(__func__, [&] {
    require(event, "event");
    require(status, "status");
    const bool passed = runtime::event_waits_done(event_of(event));
    *status = passed ? ACL_EVENT_WAIT_STATUS_COMPLETE : ACL_EVENT_WAIT_STATUS_NOT_READY;
  });
}

aclError aclrtSynchronizeEvent(aclrtEvent event) {
  return guard(__func__, [&] { runtime::synchronize_event(event_of(event)); });
}

// A timeout below -1 is refused before a NULL event, and 0 after it (runtime-semantics 5.3.5).
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, int32_t timeout) {
  return guard(__func__, [&] {
    api::check_timeout_range(timeout);
    const auto found = event_of(event);
    runtime::synchronize_event(found, api::timeout_of(timeout));
  });
}

aclError aclrtEventElapsedTime(float* ms, aclrtEvent startEvent, aclrtEvent endEvent) {
  return guard(__func__, [&] {
    require(ms, "ms");
    require(startEvent, "startEvent");
    require(endEvent, "endEvent");
    *ms = runtime::elapsed_ms(event_of(startEvent, "startEvent"), event_of(endEvent, "endEvent"));
  });
}

aclError aclrtEventGetTimestamp(aclrtEvent event, uint64_t* timestamp) {
  return guard(__func__, [&] {
    require(event, "event");
    require(timestamp, "timestamp");
    *timestamp = runtime::timestamp_us(event_of(event));
  });
}

aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event) {
  return guard(__func__, [&] {
    const auto found = event_of(event);
    runtime::wait_event(found, *own_stream_of(stream), EventUse::kDefault, runtime::default_wait_limit());
  });
}

aclError aclrtStreamWaitEventWithFlag(aclrtStream stream, aclrtEvent event, uint32_t timeout, uint32_t flag) {
  return guard(__func__, [&] {
    require(event, "event");
    const EventUse use = use_of(flag);
    check(use == EventUse::kDefault || timeout == 0, Code::kInvalidParam, "timeout is {} s; an EXTERNAL wait has none.",
          timeout);
    const auto found = event_of(event);
    runtime::wait_event(found, *own_stream_of(stream), use, runtime::WaitLimit(timeout));
  });
}

// A NULL event is 107000 here and 100000 in the other waits (runtime-semantics 5.3.5).
aclError aclrtStreamWaitEventWithTimeout(aclrtStream stream, aclrtEvent event, int32_t timeout) {
  return guard(__func__, [&] {
    check(timeout >= 0, Code::kParamInvalid, "timeout is {} s; 0 (no limit) or a positive number is expected.",
          timeout);
    check(event, Code::kParamInvalid, "event is NULL.");
    const auto found = event_of(event);
    runtime::wait_event(found, *own_stream_of(stream), EventUse::kDefault, runtime::WaitLimit(timeout));
  });
}

aclError aclrtGetEventId(aclrtEvent event, uint32_t* eventId) {
  return guard(__func__, [&] {
    require(event, "event");
    require(eventId, "eventId");
    *eventId = runtime::event_id(event_of(event));
  });
}

aclError aclrtGetEventAvailNum(uint32_t* eventCount) {
  return guard(__func__, [&] {
    require(eventCount, "eventCount");
    *eventCount = runtime::available_events();
  });
}
