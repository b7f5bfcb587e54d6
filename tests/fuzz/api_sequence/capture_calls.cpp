// Captures, task groups and updates.
#include "api_sequence/sequence.hpp"

namespace aclvk::fuzz {
namespace {

constexpr std::int32_t kModes[] = {2, 0, 1, 2, 0, 3, -1, INT32_MAX};
constexpr std::uint32_t kNotCapturable = 0x30;

// What aclmdlRICaptureBegin and aclmdlRICaptureToModelRIBegin ask of a stream.
void predict_begin(Sequence& s, Prediction& expected, Handle stream, std::int32_t mode) {
  expected.first(!stream, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream);
  expected.refused(mode < 0 || mode > 2, ACL_ERROR_RT_PARAM_INVALID);
  if (!state) return;
  expected.refused((state->flags & kNotCapturable) != 0, ACL_ERROR_RT_INTERNAL_ERROR);
  expected.refused(state->bound != nullptr, ACL_ERROR_RT_STREAM_MODEL);
  expected.refused(state->is_default, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  expected.refused(state->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
  expected.refused(state->update != nullptr, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
}

ModelPtr begun(Sequence& s, Handle stream, std::int32_t mode) {
  aclmdlRI model = nullptr;
  aclmdlRICaptureStatus status{};
  s.call("aclmdlRICaptureGetInfo()", {}, [&] { return aclmdlRICaptureGetInfo(stream, &status, &model); });
  auto state = std::make_shared<ModelState>();
  if (const auto found = s.model.models.find(model); found != s.model.models.end()) state = found->second;
  state->handle = model;
  state->context = s.context();
  state->phase = ModelState::Phase::kMaking;
  state->thread = s.thread;
  state->mode = mode;
  s.model.models[model] = state;
  state->origin = stream;
  s.model.streams.at(stream).capture = state;
  return state;
}

void begin(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const std::int32_t mode = s.bytes.any_of(kModes);
  Prediction expected;
  predict_begin(s, expected, stream, mode);
  const int code = s.call(fmt::format("aclmdlRICaptureBegin({}, {})", stream, mode), expected,
                          [&] { return aclmdlRICaptureBegin(stream, static_cast<aclmdlRICaptureMode>(mode)); });
  if (code != 0) return;
  s.add(Kind::kModel, begun(s, stream, mode)->handle);
}

bool body_is_captured(const ModelState& model) {
  for (const ModelPtr& body : model.bodies) {
    if (body->making()) return true;
  }
  return false;
}

// Rows 7 to 13 of capture-semantics 4.2: from here on the capture is over, whatever the answer.
void predict_outcome(Sequence& s, Prediction& expected, const ModelState& model) {
  expected.first(model.mode != 2 && model.thread != s.thread, ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD);
  expected.first(model.poisoned, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  expected.first(body_is_captured(model), ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING);
  expected.first(model.group_stream != nullptr, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  expected.may_if(model.forked, {ACL_ERROR_RT_STREAM_UNJOINED});
  if (model.lost_wait) {
    expected.refused(true, ACL_ERROR_RT_CAPTURE_DEPENDENCY);
    expected.may_if(model.forked, {ACL_ERROR_RT_STREAM_UNJOINED});
  }
}

bool tears_down(int code) {
  return code == ACL_ERROR_RT_STREAM_CAPTURE_WRONG_THREAD || code == ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED ||
         code == ACL_ERROR_RT_SUB_ACLGRAPH_IS_CAPTURING || code == ACL_ERROR_STREAM_TASK_GROUP_STATUS ||
         code == ACL_ERROR_RT_STREAM_UNJOINED || code == ACL_ERROR_RT_CAPTURE_DEPENDENCY;
}

void end(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool no_place = s.bytes.once_in(16);
  aclmdlRI ended = nullptr;
  Prediction expected;
  expected.first(!stream, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream);
  const ModelPtr model = state ? state->capture : nullptr;
  if (state) {
    expected.refused((state->flags & kNotCapturable) != 0, ACL_ERROR_RT_INTERNAL_ERROR);
    expected.refused(model && !model->sub && no_place, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(state->bound != nullptr, ACL_ERROR_RT_STREAM_MODEL);
    expected.refused(state->is_default, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.refused(!model, ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    expected.refused(model && model->origin != stream, ACL_ERROR_RT_STREAM_CAPTURE_UNMATCHED);
  }
  if (model) predict_outcome(s, expected, *model);
  const int code = s.call(fmt::format("aclmdlRICaptureEnd({})", stream), expected,
                          [&] { return aclmdlRICaptureEnd(stream, no_place ? nullptr : &ended); });
  if (!model || model->origin != stream) return;
  if (code == 0) s.model.end_capture(model, true);
  if (tears_down(code)) {
    s.drop(Kind::kModel, model->handle);
    s.model.end_capture(model, false);
  }
}

void ask(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const std::size_t places = s.bytes.pick(4);
  aclmdlRICaptureStatus status{};
  aclmdlRI model = nullptr;
  Prediction expected;
  expected.first(!stream || places == 3, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream, false);
  const int code = s.call(fmt::format("aclmdlRICaptureGetInfo({})", stream), expected, [&] {
    return aclmdlRICaptureGetInfo(stream, places % 2 == 0 ? &status : nullptr, places < 2 ? &model : nullptr);
  });
  if (code != 0 || !state) return;
  const bool captured = places % 2 == 0 ? status != ACL_MODEL_RI_CAPTURE_STATUS_NONE : model != nullptr;
  Prediction same;
  same.refused(captured != (state->capture != nullptr), -1);
  s.call(fmt::format("the stream is {}captured", captured ? "" : "not "), same, [&] { return 0; });
}

void exchange(Sequence& s) {
  const bool no_place = s.bytes.once_in(8);
  const std::int32_t mode = s.bytes.any_of(kModes);
  auto exchanged = static_cast<aclmdlRICaptureMode>(mode);
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(mode < 0 || mode > 2, ACL_ERROR_RT_PARAM_INVALID);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  const int code = s.call(fmt::format("aclmdlRICaptureThreadExchangeMode({})", mode), expected,
                          [&] { return aclmdlRICaptureThreadExchangeMode(no_place ? nullptr : &exchanged); });
  if (code == 0) s.model.exchanged.at(static_cast<std::size_t>(s.thread)) = mode;
}

}  // namespace

void call_capture(Sequence& s) {
  switch (s.bytes.pick(10)) {
    case 0:
    case 1:
    case 2: return begin(s);
    case 3:
    case 4:
    case 5:
    case 6: return end(s);
    case 7: return exchange(s);
    default: return ask(s);
  }
}

namespace {

void begin_group(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  expected.first(!stream, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream);
  if (state) {
    expected.refused(state->update != nullptr, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    expected.refused(!state->capture && !state->update, ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    expected.refused(state->capture && state->capture->group_stream, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  }
  const int code = s.call(fmt::format("aclmdlRICaptureTaskGrpBegin({})", stream), expected,
                          [&] { return aclmdlRICaptureTaskGrpBegin(stream); });
  if (code != 0) return;
  state->capture->group_stream = stream;
  state->capture->group_kernels = 0;
  state->capture->group_failed = false;
}

void end_group(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const bool no_place = s.bytes.once_in(16);
  aclrtTaskGrp group = nullptr;
  Prediction expected;
  expected.first(!stream || no_place, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream);
  const ModelPtr model = state ? state->capture : nullptr;
  if (state) {
    expected.refused(!model, ACL_ERROR_RT_STREAM_NOT_CAPTURED);
    const bool open = model && model->group_stream == stream;
    expected.refused(model && !open, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    if (open && model->group_failed) expected.refused(true, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    if (open && model->group_failed) expected.refused(true, ACL_ERROR_STREAM_TASK_GROUP_INTR);
    expected.refused(open && !model->group_failed && model->poisoned, ACL_ERROR_RT_STREAM_CAPTURE_INVALIDATED);
  }
  const int code = s.call(fmt::format("aclmdlRICaptureTaskGrpEnd({})", stream), expected,
                          [&] { return aclmdlRICaptureTaskGrpEnd(stream, no_place ? nullptr : &group); });
  if (!model || model->group_stream != stream || expected.codes() == std::vector<int>{ACL_ERROR_INVALID_PARAM}) return;
  if (code == ACL_ERROR_RT_STREAM_CONTEXT || code == ACL_ERROR_RT_CONTEXT_NULL) return;
  model->group_stream = nullptr;
  if (code != 0) return;
  auto made = std::make_shared<GroupState>();
  made->model = model;
  made->kernels = model->group_kernels;
  s.model.groups[group] = made;
  s.add(Kind::kGroup, group);
}

void begin_update(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const Handle group = s.pick(Kind::kGroup);
  Prediction expected;
  expected.first(!stream || !group, ACL_ERROR_INVALID_PARAM);
  StreamState* const state = s.predict_stream(expected, stream);
  const auto found = s.model.groups.find(group);
  const bool live = found != s.model.groups.end();
  const ModelPtr model = live ? found->second->model.lock() : nullptr;
  expected.refused(!live, ACL_ERROR_RT_INVALID_HANDLE);
  if (state) {
    expected.open(state->odd());
    expected.refused(state->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
    expected.refused(state->bound != nullptr, ACL_ERROR_RT_STREAM_MODEL);
    expected.refused(state->update != nullptr, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  }
  if (model) {
    expected.open(model->uncertain);
    expected.refused(model->making(), ACL_ERROR_RT_INVALID_HANDLE);
    expected.refused(model->context != s.context(), ACL_ERROR_RT_MODEL_CONTEXT);
    expected.refused(found->second->updating, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  }
  const int code = s.call(fmt::format("aclmdlRICaptureTaskUpdateBegin({}, {})", stream, group), expected,
                          [&] { return aclmdlRICaptureTaskUpdateBegin(stream, group); });
  if (code != 0) return;
  state->update = found->second;
  state->update->updating = true;
  state->updated = 0;
}

void end_update(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  expected.first(!stream, ACL_ERROR_INVALID_PARAM);
  StreamState* const state = s.predict_stream(expected, stream);
  const auto update = state ? state->update : nullptr;
  if (state) {
    expected.refused(state->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
    expected.refused(state->bound != nullptr, ACL_ERROR_RT_STREAM_MODEL);
    expected.refused(!update, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
    expected.refused(update && update->model.expired(), ACL_ERROR_RT_INVALID_HANDLE);
    expected.refused(update && state->updated != update->kernels, ACL_ERROR_RT_INTERNAL_ERROR);
  }
  const int code = s.call(fmt::format("aclmdlRICaptureTaskUpdateEnd({})", stream), expected,
                          [&] { return aclmdlRICaptureTaskUpdateEnd(stream); });
  if (!update || (code != 0 && code != ACL_ERROR_RT_INTERNAL_ERROR && code != ACL_ERROR_RT_INVALID_HANDLE)) return;
  update->updating = false;
  state->update = nullptr;
}

}  // namespace

void call_group(Sequence& s) {
  switch (s.bytes.pick(8)) {
    case 0:
    case 1: return begin_group(s);
    case 2:
    case 3:
    case 4: return end_group(s);
    case 5:
    case 6: return begin_update(s);
    default: return end_update(s);
  }
}

namespace {

void create_condition(Sequence& s) {
  const Handle model = s.pick(Kind::kModel);
  const bool no_place = s.bytes.once_in(16);
  const auto flag = s.bytes.any_of<std::uint32_t>({0, 1, 1, 2, ~0U});
  // Not 0 would make WHILE pass for ever.
  aclmdlRICondHandle condition = nullptr;
  Prediction expected;
  expected.first(!model || no_place, ACL_ERROR_INVALID_PARAM);
  const ModelPtr state = s.predict_model(expected, model);
  if (state) {
    expected.refused(state->built, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.refused(!state->making() || flag > 1, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
    expected.refused(s.context() && s.context() != state->context, ACL_ERROR_RT_MODEL_CONTEXT);
  }
  const int code = s.call(fmt::format("aclmdlRICondHandleCreate({}, {})", model, flag), expected, [&] {
    return aclmdlRICondHandleCreate(model, 0, static_cast<aclmdlRICondHandleFlag>(flag),
                                    no_place ? nullptr : &condition);
  });
  if (code == 0) s.add(Kind::kCondition, condition);
}

void add_condition(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  aclmdlRI bodies[4] = {};
  aclmdlRICondTaskParams parameters{};
  parameters.handle = s.pick(Kind::kCondition);
  parameters.type = static_cast<aclmdlRICondTaskType>(s.bytes.any_of({0, 1, 2, 3, -1}));
  parameters.size = static_cast<std::uint32_t>(s.bytes.pick(5));
  parameters.modelRIArray = s.bytes.once_in(16) ? nullptr : bodies;
  const std::uint32_t flags = s.bytes.once_in(16) ? 1 : 0;
  Prediction expected;
  expected.first(!stream, ACL_ERROR_INVALID_PARAM);
  StreamState* const state = s.predict_stream(expected, stream);
  expected.open();
  const int code = s.call(fmt::format("aclmdlRIAddCondTask({}, type {}, size {})", stream,
                                      static_cast<int>(parameters.type), parameters.size),
                          expected, [&] { return aclmdlRIAddCondTask(parameters, stream, flags); });
  s.note_task(state, stream, Sequence::Work::kOther, code);
  if (code != 0) return;
  for (std::uint32_t i = 0; i < parameters.size; ++i) {
    auto body = std::make_shared<ModelState>();
    body->handle = bodies[i];
    body->context = s.context();
    body->phase = ModelState::Phase::kEmpty;
    body->sub = true;
    body->parent = state->capture;
    state->capture->bodies.push_back(body);
    s.model.models[bodies[i]] = body;
    s.add(Kind::kModel, bodies[i]);
  }
}

void capture_body(Sequence& s) {
  const Handle stream = s.pick(Kind::kStream);
  const Handle model = s.pick(Kind::kModel);
  const std::int32_t mode = s.bytes.any_of(kModes);
  Prediction expected;
  expected.first(!stream || !model, ACL_ERROR_INVALID_PARAM);
  predict_begin(s, expected, stream, mode);
  const ModelPtr state = s.predict_model(expected, model);
  if (state) {
    const ModelPtr parent = state->parent.lock();
    expected.refused(!state->sub, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(state->sub && state->phase != ModelState::Phase::kEmpty, ACL_ERROR_RT_MODEL_CAPTURED);
    expected.refused(state->sub && !(parent && parent->making()), ACL_ERROR_RT_MODEL_CAPTURED);
    expected.refused(s.context() != state->context, ACL_ERROR_RT_MODEL_CONTEXT);
  }
  const int code = s.call(fmt::format("aclmdlRICaptureToModelRIBegin({}, {}, {})", stream, model, mode), expected, [&] {
    return aclmdlRICaptureToModelRIBegin(stream, model, static_cast<aclmdlRICaptureMode>(mode));
  });
  if (code == 0) begun(s, stream, mode);
}

}  // namespace

void call_condition(Sequence& s) {
  switch (s.bytes.pick(4)) {
    case 0: return create_condition(s);
    case 1: return add_condition(s);
    default: return capture_body(s);
  }
}

}  // namespace aclvk::fuzz
