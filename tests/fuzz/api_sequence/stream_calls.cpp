// Streams and contexts.
#include "api_sequence/sequence.hpp"

namespace aclvk::fuzz {
namespace {

constexpr std::uint32_t kStreamFlags[] = {0, 0, 0, 0, 0, 2, 1, 4, 0x20, 0x24, 0x10, 8, 0xFFFFFFC0};

void create(Sequence& s) {
  const bool no_place = s.bytes.once_in(16);
  const std::uint32_t flags = s.bytes.any_of(kStreamFlags);
  const std::uint32_t priority = s.bytes.byte();
  aclrtStream stream = nullptr;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused((flags & 0x20) != 0 && (flags & 0x3F) != 0x20, ACL_ERROR_RT_PARAM_INVALID);
  expected.may_if((flags & 8) != 0, {ACL_ERROR_RT_FEATURE_NOT_SUPPORT});
  const int code = s.call(fmt::format("aclrtCreateStreamWithConfig({:#x})", flags), expected,
                          [&] { return aclrtCreateStreamWithConfig(no_place ? nullptr : &stream, priority, flags); });
  if (code != 0) return;
  StreamState& state = s.model.streams[stream];
  state.context = s.context();
  state.flags = flags & 0x3F;
  s.add(Kind::kStream, stream);
}

void destroy(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  bool force = s.bytes.byte() % 2 == 0;
  Prediction expected;
  expected.first(!stream, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream);
  bool failing = false;
  if (state && stream) {
    force |= s.model.may_block();
    failing = state->may_fail && !force;
    expected.refused(state->is_default, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(state->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
    expected.refused(state->bound != nullptr, ACL_ERROR_RT_STREAM_MODEL);
    expected.may_if(failing, {ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_MODEL_ABORT_NORMAL, ACL_ERROR_RT_WAIT_TIMEOUT});
  }
  const int code = s.call(fmt::format("aclrtDestroyStream{}({})", force ? "Force" : "", stream), expected,
                          [&] { return force ? aclrtDestroyStreamForce(stream) : aclrtDestroyStream(stream); });
  if (code != 0 && (!failing || code / 1000 == 100 || expected.refuses())) return;
  s.drop(Kind::kStream, stream);
  s.model.forget_stream(stream);
}

// Some time later the tasks may be done, and an earlier failure reported.
void may_be_late(Prediction& expected, const StreamState& state) {
  expected.may_if(state.may_block || state.bound, {ACL_ERROR_RT_STREAM_SYNC_TIMEOUT});
  expected.may_if(state.may_fail,
                  {ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_MODEL_ABORT_NORMAL, ACL_ERROR_RT_WAIT_TIMEOUT});
  expected.may({ACL_ERROR_RT_STREAM_SYNC_TIMEOUT});  // the machine may be slow
}

void synchronize(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  std::int32_t timeout = s.pick_timeout_ms();
  if (timeout == -1 && s.model.may_block()) timeout = 1;
  Prediction expected;
  const StreamState* const state = s.predict_stream(expected, stream, false);
  expected.refused(timeout == 0 || timeout < -1, ACL_ERROR_RT_PARAM_INVALID);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  if (state) {
    expected.refused(state->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
    may_be_late(expected, *state);
  }
  s.call(fmt::format("aclrtSynchronizeStreamWithTimeout({}, {})", stream, timeout), expected,
         [&] { return aclrtSynchronizeStreamWithTimeout(stream, timeout); });
}

void query(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool no_place = s.bytes.once_in(16);
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream, false);
  if (state) {
    expected.refused(state->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
    expected.may_if(state->may_fail,
                    {ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_MODEL_ABORT_NORMAL, ACL_ERROR_RT_WAIT_TIMEOUT});
  }
  aclrtStreamStatus status{};
  s.call(fmt::format("aclrtStreamQuery({})", stream), expected,
         [&] { return aclrtStreamQuery(stream, no_place ? nullptr : &status); });
}

void abort(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  StreamState* const state = s.predict_stream(expected, stream);
  if (state) {
    expected.refused(state->bound != nullptr, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.may_if(state->capture != nullptr, {ACL_ERROR_RT_STREAM_CAPTURED, ACL_ERROR_RT_FEATURE_NOT_SUPPORT});
  }
  const int code =
      s.call(fmt::format("aclrtStreamAbort({})", stream), expected, [&] { return aclrtStreamAbort(stream); });
  if (code != 0 || !state) return;
  state->may_fail = true;
  if (state->capture) s.model.end_capture(state->capture, false);
  if (state->update) state->update->updating = false;
  state->update = nullptr;
}

void ask(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool no_place = s.bytes.once_in(8);
  const std::size_t what = s.bytes.pick(3);
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  s.predict_stream(expected, stream, false);
  std::uint32_t value = 0;
  std::uint32_t* const place = no_place ? nullptr : &value;
  s.call(fmt::format("aclrtStreamGet({}), question {}", stream, what), expected, [&] {
    if (what == 0) return aclrtStreamGetId(stream, reinterpret_cast<std::int32_t*>(place));
    return what == 1 ? aclrtStreamGetPriority(stream, place) : aclrtStreamGetFlags(stream, place);
  });
}

// Streams that stay outside models refuse what only means something inside.
void activate(Sequence& s) {
  const Handle active = s.pick(Kind::kStream);
  const Handle stream = s.pick(Kind::kStream);
  const auto found = s.model.streams.find(stream);
  if (found != s.model.streams.end() && found->second.bound) return;  // two that start each other never end
  Prediction expected;
  expected.first(!active || !stream, ACL_ERROR_INVALID_PARAM);
  expected.open();
  const int code = s.call(fmt::format("aclrtActiveStream({}, {})", active, stream), expected,
                          [&] { return aclrtActiveStream(active, stream); });
  if (code == 0 || found == s.model.streams.end()) return;
  s.note_task(&found->second, stream, Sequence::Work::kOther, code);
}

}  // namespace

void call_stream(Sequence& s) {
  switch (s.bytes.pick(12)) {
    case 0:
    case 1:
    case 2: return create(s);
    case 3: return destroy(s);
    case 4:
    case 5:
    case 6: return synchronize(s);
    case 7:
    case 8: return query(s);
    case 9: return abort(s);
    case 10: return activate(s);
    default: return ask(s);
  }
}

namespace {

void create_context(Sequence& s) {
  const bool no_place = s.bytes.once_in(16);
  const std::int32_t device = s.bytes.any_of<std::int32_t>({0, 0, 0, -1, 77, INT32_MIN});
  aclrtContext context = nullptr;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(device != 0, ACL_ERROR_RT_INVALID_DEVICEID);
  if (s.model.contexts.size() > 4) return;
  const int code = s.call(fmt::format("aclrtCreateContext({})", device), expected,
                          [&] { return aclrtCreateContext(no_place ? nullptr : &context, device); });
  if (code != 0) return;
  s.model.contexts[context] = false;
  s.model.current.at(static_cast<std::size_t>(s.thread)) = context;
  s.add(Kind::kContext, context);
  aclrtStream stream = nullptr;
  s.call("aclrtCtxGetCurrentDefaultStream()", {}, [&] { return aclrtCtxGetCurrentDefaultStream(&stream); });
  StreamState& state = s.model.streams[stream];
  state.context = context;
  state.is_default = true;
  s.add(Kind::kStream, stream);
}

void drop_streams_of(Sequence& s, Handle context) {
  for (const auto& [handle, stream] : s.model.streams) {
    if (stream.context == context) s.drop(Kind::kStream, handle);
  }
}

void destroy_context(Sequence& s) {
  if (s.model.may_block()) return;  // it would wait
  const Handle context = s.pick(Kind::kContext);
  const auto found = s.model.contexts.find(context);
  Prediction expected;
  expected.first(!context, ACL_ERROR_INVALID_PARAM);
  expected.refused(found == s.model.contexts.end() || found->second, ACL_ERROR_RT_CONTEXT_NULL);
  expected.may_if(found == s.model.contexts.end(), {ACL_ERROR_RT_PARAM_INVALID});  // as aclrtSetCurrentContext answers
  const int code =
      s.call(fmt::format("aclrtDestroyContext({})", context), expected, [&] { return aclrtDestroyContext(context); });
  if (code != 0) return;
  drop_streams_of(s, context);
  s.drop(Kind::kContext, context);
  s.model.forget_context(context);
}

void set_context(Sequence& s) {
  const Handle context = s.pick(Kind::kContext);
  Prediction expected;
  expected.first(!context, ACL_ERROR_INVALID_PARAM);
  expected.refused(s.model.contexts.count(context) == 0, ACL_ERROR_RT_PARAM_INVALID);
  const int code = s.call(fmt::format("aclrtSetCurrentContext({})", context), expected,
                          [&] { return aclrtSetCurrentContext(context); });
  if (code == 0) s.model.current.at(static_cast<std::size_t>(s.thread)) = context;
}

Handle primary_of(const HostModel& model) {
  for (const auto& [context, primary] : model.contexts) {
    if (primary) return context;
  }
  return nullptr;
}

void set_device(Sequence& s) {
  const std::int32_t device = s.bytes.any_of<std::int32_t>({0, 0, 0, 0, -1, 99, INT32_MAX});
  Prediction expected;
  expected.refused(device != 0, ACL_ERROR_RT_INVALID_DEVICEID);
  if (s.model.device_references > 8) return;
  if (s.call(fmt::format("aclrtSetDevice({})", device), expected, [&] { return aclrtSetDevice(device); }) != 0) return;
  ++s.model.device_references;
  Handle& current = s.model.current.at(static_cast<std::size_t>(s.thread));
  const Handle known = primary_of(s.model);
  if (known) {
    current = known;
    return;
  }
  s.call("aclrtGetCurrentContext()", {}, [&] { return aclrtGetCurrentContext(&current); });
  s.model.contexts[current] = true;
  s.add(Kind::kContext, current);
  aclrtStream stream = nullptr;
  s.call("aclrtCtxGetCurrentDefaultStream()", {}, [&] { return aclrtCtxGetCurrentDefaultStream(&stream); });
  StreamState& state = s.model.streams[stream];
  state.context = current;
  state.is_default = true;
  s.add(Kind::kStream, stream);
}

void reset_device(Sequence& s) {
  const std::int32_t device = s.bytes.any_of<std::int32_t>({0, 0, -1, 99});
  const bool force = s.bytes.once_in(4) || s.model.may_block();
  Prediction expected;
  expected.refused(device != 0, ACL_ERROR_RT_INVALID_DEVICEID);
  expected.refused(device == 0 && s.model.device_references == 0, ACL_ERROR_RT_CONTEXT_RELEASE_ERROR);
  const int code = s.call(fmt::format("aclrtResetDevice{}({})", force ? "Force" : "", device), expected,
                          [&] { return force ? aclrtResetDeviceForce(device) : aclrtResetDevice(device); });
  if (code != 0) return;
  s.model.device_references = force ? 0 : s.model.device_references - 1;
  if (s.model.device_references > 0) return;
  const Handle primary = primary_of(s.model);
  drop_streams_of(s, primary);
  s.drop(Kind::kContext, primary);
  s.model.forget_context(primary);
}

void synchronize_device(Sequence& s) {
  std::int32_t timeout = s.pick_timeout_ms();
  if (timeout == -1 && s.model.may_block()) timeout = 2;
  Prediction expected;
  expected.refused(timeout == 0 || timeout < -1, ACL_ERROR_RT_PARAM_INVALID);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(s.context() && s.model.captures_in(s.context()), ACL_ERROR_RT_STREAM_CAPTURED);
  expected.may({ACL_ERROR_RT_STREAM_SYNC_TIMEOUT});
  for (const auto& [handle, stream] : s.model.streams) {
    expected.may_if(stream.may_fail,
                    {ACL_ERROR_RT_STREAM_ABORT, ACL_ERROR_RT_MODEL_ABORT_NORMAL, ACL_ERROR_RT_WAIT_TIMEOUT});
  }
  s.call(fmt::format("aclrtSynchronizeDeviceWithTimeout({})", timeout), expected,
         [&] { return aclrtSynchronizeDeviceWithTimeout(timeout); });
}

void ask_for_context(Sequence& s) {
  const bool no_place = s.bytes.once_in(8);
  aclrtContext context = nullptr;
  std::int32_t device = 0;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  if (s.bytes.byte() % 2 == 0) {
    s.call("aclrtGetDevice()", expected, [&] { return aclrtGetDevice(no_place ? nullptr : &device); });
  } else {
    s.call("aclrtGetCurrentContext()", expected, [&] { return aclrtGetCurrentContext(no_place ? nullptr : &context); });
  }
}

}  // namespace

void call_context(Sequence& s) {
  switch (s.bytes.pick(12)) {
    case 0: return create_context(s);
    case 1: return destroy_context(s);
    case 2:
    case 3: return set_context(s);
    case 4:
    case 5:
    case 6: return set_device(s);
    case 7: return reset_device(s);
    case 8:
    case 9: return synchronize_device(s);
    default: return ask_for_context(s);
  }
}

}  // namespace aclvk::fuzz
