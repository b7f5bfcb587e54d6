// Events and notifies.
#include <vector>

#include "api_sequence/sequence.hpp"

namespace aclvk::fuzz {
namespace {

using Work = Sequence::Work;

constexpr std::uint32_t kEventFlags[] = {1, 1, 0x20, 1, 8, 9, 0xB, 2, 0x10, 0x21, 0, 0x3F, 0x80, 0xF, ~0U};

bool takes(Maker maker, std::uint32_t flags) {
  const bool single = (flags & (flags - 1)) == 0;
  if (maker == Maker::kWithFlag) return flags != 0 && (flags & ~0x3FU) == 0 && ((flags & 0x30) == 0 || single);
  return flags != 0 && (flags & ~0xFU) == 0;
}

void create(Sequence& s) {
  const auto maker = static_cast<Maker>(s.bytes.pick(3));
  const std::uint32_t flags = maker == Maker::kPlain ? 0xE : s.bytes.any_of(kEventFlags);
  const bool no_place = s.bytes.once_in(16);
  aclrtEvent event = nullptr;
  aclrtEvent* const place = no_place ? nullptr : &event;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(maker != Maker::kPlain && !takes(maker, flags), ACL_ERROR_RT_PARAM_INVALID);
  const int code =
      s.call(fmt::format("aclrtCreateEvent, maker {}, flags {:#x}", static_cast<int>(maker), flags), expected, [&] {
        if (maker == Maker::kPlain) return aclrtCreateEvent(place);
        return maker == Maker::kWithFlag ? aclrtCreateEventWithFlag(place, flags)
                                         : aclrtCreateEventExWithFlag(place, flags);
      });
  if (code != 0) return;
  EventState& state = s.model.events[event];
  state.maker = maker;
  state.flags = flags;
  s.add(Kind::kEvent, event);
}

void destroy(Sequence& s) {
  const Handle event = s.pick(Kind::kEvent);
  Prediction expected;
  s.predict_event(expected, event);
  if (s.call(fmt::format("aclrtDestroyEvent({})", event), expected, [&] { return aclrtDestroyEvent(event); }) != 0)
    return;
  s.model.events.erase(event);
  s.drop(Kind::kEvent, event);
}

void poison_both(const ModelPtr& first, const ModelPtr& second) {
  first->poisoned = true;
  second->poisoned = true;
}

void record(Sequence& s) {
  const Handle event = s.pick(Kind::kEvent);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  EventState* const e = s.predict_event(expected, event);
  StreamState* const to = s.predict_stream(expected, stream);
  const ModelPtr capture = to ? to->capture : nullptr;
  bool conflict = false;
  bool takes_part = true;
  if (e && to) {
    expected.refused(e->device_only(), ACL_ERROR_RT_PARAM_INVALID);
    expected.open(to->bound != nullptr);
    takes_part = !capture || e->external() || e->synchronises();
    if (takes_part) s.predict_task(expected, to, stream, Work::kOther);
    conflict = capture && !e->external() && takes_part && e->captured && e->captured != capture;
    expected.refused(conflict, ACL_ERROR_STREAM_CAPTURE_CONFLICT);
    expected.refused(!capture && e->captured && to->is_default, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
    expected.open(!capture && e->captured && to->odd());
  }
  const int code = s.call(fmt::format("aclrtRecordEvent({}, {})", event, stream), expected,
                          [&] { return aclrtRecordEvent(event, stream); });
  if (!e || !to) return;
  s.note_task(to, stream, Work::kOther, code);
  if (code == ACL_ERROR_STREAM_CAPTURE_CONFLICT && conflict) poison_both(capture, e->captured);
  if (code != 0) return;
  if (!capture) {
    e->ever_recorded |= to->executes();
    e->may_block = to->may_block || to->odd() || to->bound;
  } else if (!e->external() && takes_part) {
    e->captured = capture;
  }
}

void predict_wait(Sequence& s, Prediction& expected, const EventState& e, const StreamState& to, Handle stream) {
  expected.refused(e.device_only(), ACL_ERROR_RT_PARAM_INVALID);
  expected.refused(!e.device_only() && !e.synchronises(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  expected.open(to.bound != nullptr || to.odd());
  const bool unrecorded = !e.ever_recorded && !e.external() && !e.captured;
  if (to.capture) {
    const bool nothing = unrecorded && e.ex();  // stores no task
    if (!nothing) s.predict_task(expected, &to, stream, Work::kOther);
    expected.refused(e.captured && e.captured != to.capture && !e.external(), ACL_ERROR_STREAM_CAPTURE_CONFLICT);
    expected.refused(!e.captured && e.ever_recorded && !e.external(), ACL_ERROR_RT_CAPTURE_DEPENDENCY);
    expected.refused(unrecorded && e.maker == Maker::kPlain, ACL_ERROR_RT_PARAM_INVALID);
  } else if (e.captured) {
    expected.refused(to.is_default, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
    expected.refused(e.captured->context != to.context, ACL_ERROR_RT_STREAM_CONTEXT);
    expected.refused(e.captured->poisoned, ACL_ERROR_RT_INTERNAL_ERROR);
    expected.refused(to.update != nullptr, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    expected.may_if(to.update != nullptr, {ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT});
    expected.may_if(e.captured->group_stream != nullptr, {ACL_ERROR_STREAM_TASK_GROUP_INTR});
  } else {
    s.predict_task(expected, &to, stream, Work::kOther);
    expected.refused(unrecorded && e.maker == Maker::kPlain && !to.update, ACL_ERROR_RT_PARAM_INVALID);
  }
}

void note_wait(Sequence& s, EventState& e, StreamState& to, Handle stream, int code) {
  const ModelPtr before = to.capture;
  if (code == ACL_ERROR_STREAM_CAPTURE_CONFLICT && before && e.captured) poison_both(before, e.captured);
  if (before || !e.captured) s.note_task(&to, stream, Work::kOther, code);
  if (code != 0) return;
  if (!before && e.captured && !to.bound) {  // the stream joins
    to.capture = e.captured;
    to.capture->forked = true;
    return;
  }
  if (to.capture && e.external()) to.capture->waits = true;
  if (to.capture && !e.captured && !e.external() && !e.ex()) to.capture->lost_wait = true;
  if (to.bound) to.bound->waits = true;
  if (!to.executes()) return;
  // Only a wait for a record of an Ex event is sure to end when the recording stream continues.
  to.may_block |= !e.ex() || e.may_block || to.odd();
}

void wait(Sequence& s) {
  const Handle event = s.pick(Kind::kEvent);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  EventState* const e = s.predict_event(expected, event);
  StreamState* const to = s.predict_stream(expected, stream);
  if (e && to) predict_wait(s, expected, *e, *to, stream);
  const int code = s.call(fmt::format("aclrtStreamWaitEvent({}, {})", stream, event), expected,
                          [&] { return aclrtStreamWaitEvent(stream, event); });
  if (!e || !to) return;
  note_wait(s, *e, *to, stream, code);
}

void reset(Sequence& s) {
  const Handle event = s.pick(Kind::kEvent);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  const EventState* const e = s.predict_event(expected, event);
  StreamState* const to = s.predict_stream(expected, stream);
  if (e && to) {
    expected.refused(e->device_only(), ACL_ERROR_RT_PARAM_INVALID);
    const bool resets = !e->ex() && e->synchronises() && !e->device_only();
    expected.refused(!resets && !e->device_only(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.open(to->bound || to->odd());
    s.predict_task(expected, to, stream, Work::kOther);
    expected.refused(!to->capture && e->captured && to->is_default, ACL_ERROR_RT_STREAM_CAPTURE_IMPLICIT);
  }
  const int code = s.call(fmt::format("aclrtResetEvent({}, {})", event, stream), expected,
                          [&] { return aclrtResetEvent(event, stream); });
  s.note_task(to, stream, Work::kOther, code);
}

void query(Sequence& s) {
  const Handle event = s.pick(Kind::kEvent);
  const bool no_place = s.bytes.once_in(16);
  const std::size_t which = s.bytes.pick(3);
  Prediction expected;
  expected.first(no_place || !event, ACL_ERROR_INVALID_PARAM);
  if (const EventState* const e = s.predict_event(expected, event)) {
    expected.refused(e->captured != nullptr, ACL_ERROR_RT_EVENT_CAPTURED);
    expected.refused(e->external() || (which > 0 && e->ex()), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  }
  s.call(fmt::format("query {} of event {}", which, event), expected, [&]() -> int {
    aclrtEventRecordedStatus recorded{};
    aclrtEventStatus done{};
    aclrtEventWaitStatus waited{};
    if (which == 0) return aclrtQueryEventStatus(event, no_place ? nullptr : &recorded);
    if (which == 1) return aclrtQueryEvent(event, no_place ? nullptr : &done);
    return aclrtQueryEventWaitStatus(event, no_place ? nullptr : &waited);
  });
}

void synchronize(Sequence& s) {
  const Handle event = s.pick(Kind::kEvent);
  std::int32_t timeout = s.pick_timeout_ms();
  if (timeout == -1 && s.model.may_block()) timeout = 1;
  Prediction expected;
  expected.first(timeout < -1, ACL_ERROR_RT_PARAM_INVALID);
  if (const EventState* const e = s.predict_event(expected, event)) {
    if (timeout == -1 && e->may_block) return;
    expected.refused(timeout == 0, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(e->captured != nullptr, ACL_ERROR_RT_EVENT_CAPTURED);
    expected.refused(e->external(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.may({ACL_ERROR_RT_EVENT_SYNC_TIMEOUT});
  }
  s.call(fmt::format("aclrtSynchronizeEventWithTimeout({}, {})", event, timeout), expected,
         [&] { return aclrtSynchronizeEventWithTimeout(event, timeout); });
}

void predict_time(Prediction& expected, const EventState* e) {
  if (!e) return;
  expected.refused(e->captured != nullptr, ACL_ERROR_RT_EVENT_CAPTURED);
  expected.refused(e->external(), ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  expected.refused(!e->ever_recorded, ACL_ERROR_RT_INTERNAL_ERROR);
  expected.refused(e->ever_recorded && !e->timed(), ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID);
  expected.may({ACL_ERROR_RT_EVENT_TIMESTAMP_INVALID});  // not complete yet
}

void elapsed(Sequence& s) {
  const Handle start = s.pick(Kind::kEvent);
  const Handle end = s.pick(Kind::kEvent);
  const bool no_place = s.bytes.once_in(16);
  float ms = 0;
  Prediction expected;
  expected.first(no_place || !start || !end, ACL_ERROR_INVALID_PARAM);
  predict_time(expected, s.predict_event(expected, start));
  predict_time(expected, s.predict_event(expected, end));
  s.call(fmt::format("aclrtEventElapsedTime({}, {})", start, end), expected,
         [&] { return aclrtEventElapsedTime(no_place ? nullptr : &ms, start, end); });
}

}  // namespace

void call_event(Sequence& s) {
  switch (s.bytes.pick(16)) {
    case 0:
    case 1:
    case 2: return create(s);
    case 3: return destroy(s);
    case 4:
    case 5:
    case 6:
    case 7: return record(s);
    case 8:
    case 9:
    case 10:
    case 11: return wait(s);
    case 12: return reset(s);
    case 13: return query(s);
    case 14: return synchronize(s);
    default: return elapsed(s);
  }
}

namespace {

void predict_notify(Sequence& s, Prediction& expected, Handle notify) {
  expected.first(!notify, ACL_ERROR_INVALID_PARAM);
  expected.refused(s.model.notifies.count(notify) == 0, ACL_ERROR_RT_INVALID_HANDLE);
}

void create_notify(Sequence& s) {
  const bool no_place = s.bytes.once_in(16);
  const auto flag = s.bytes.any_of<std::uint64_t>({0, 0, 0, 1, 2, ~0ULL});
  aclrtNotify notify = nullptr;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(flag > 1, ACL_ERROR_RT_PARAM_INVALID);
  const int code = s.call(fmt::format("aclrtCreateNotify({})", flag), expected,
                          [&] { return aclrtCreateNotify(no_place ? nullptr : &notify, flag); });
  if (code != 0) return;
  s.model.notifies[notify] = true;
  s.add(Kind::kNotify, notify);
}

void use_notify(Sequence& s, bool waits) {
  const Handle notify = s.pick(Kind::kNotify);
  const Handle stream = s.pick(Kind::kStream);
  const auto timeout = s.bytes.any_of<std::uint32_t>({0, 0, ~0U});
  Prediction expected;
  predict_notify(s, expected, notify);
  StreamState* const to = s.predict_stream(expected, stream);
  s.predict_task(expected, to, stream, Work::kOther);
  const int code = s.call(
      fmt::format("{}({}, {})", waits ? "aclrtWaitAndResetNotify" : "aclrtRecordNotify", notify, stream), expected,
      [&] { return waits ? aclrtWaitAndResetNotify(notify, stream, timeout) : aclrtRecordNotify(notify, stream); });
  s.note_task(to, stream, Work::kOther, code);
  if (code != 0 || !to || !waits) return;
  if (to->capture) to->capture->waits = true;
  if (to->bound) to->bound->waits = true;
  if (to->executes()) to->may_block = true;
}

void reset_notifies(Sequence& s) {
  std::vector<aclrtNotify> notifies;
  for (std::size_t left = s.bytes.pick(4); left > 0; --left) notifies.push_back(s.pick(Kind::kNotify));
  const bool no_list = s.bytes.once_in(8);
  Prediction expected;
  expected.first(notifies.empty(), ACL_ERROR_RT_PARAM_INVALID);
  expected.first(no_list, ACL_ERROR_INVALID_PARAM);
  for (const aclrtNotify notify : notifies) {
    expected.refused(!notify, ACL_ERROR_INVALID_PARAM);
    expected.refused(notify && s.model.notifies.count(notify) == 0, ACL_ERROR_RT_INVALID_HANDLE);
  }
  if (!no_list && notifies.empty()) notifies.reserve(1);  // an address that is not NULL
  s.call(fmt::format("aclrtNotifyBatchReset({})", notifies.size()), expected,
         [&] { return aclrtNotifyBatchReset(no_list ? nullptr : notifies.data(), notifies.size()); });
}

void destroy_notify(Sequence& s) {
  const Handle notify = s.pick(Kind::kNotify);
  Prediction expected;
  predict_notify(s, expected, notify);
  if (s.call(fmt::format("aclrtDestroyNotify({})", notify), expected, [&] { return aclrtDestroyNotify(notify); }) != 0)
    return;
  s.model.notifies.erase(notify);
  s.drop(Kind::kNotify, notify);
}

}  // namespace

void call_notify(Sequence& s) {
  switch (s.bytes.pick(8)) {
    case 0:
    case 1: return create_notify(s);
    case 2: return destroy_notify(s);
    case 3:
    case 4:
    case 5: return use_notify(s, false);
    case 6: return use_notify(s, true);
    default: return reset_notifies(s);
  }
}

}  // namespace aclvk::fuzz
