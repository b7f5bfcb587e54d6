// Models: running, naming, ending them, building them from streams, and looking into them.
#include <array>
#include <vector>

#include "api_sequence/sequence.hpp"

namespace aclvk::fuzz {
namespace {

using Phase = ModelState::Phase;

void predict_run(Sequence& s, Prediction& expected, const ModelPtr& model) {
  if (!model) return;
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(s.context() && model->context != s.context(), ACL_ERROR_RT_MODEL_CONTEXT);
  expected.refused(model->sub, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
  expected.refused(!model->built && model->making(), ACL_ERROR_RT_MODEL_CAPTURED);
  expected.refused(model->built && model->making(), ACL_ERROR_RT_MODEL_EXECUTE);
  expected.may_if(s.model.has_freed, {ACL_ERROR_RT_MODEL_EXECUTE});
}

void execute(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  expected.first(!handle, ACL_ERROR_INVALID_PARAM);
  const ModelPtr model = s.predict_model(expected, handle);
  predict_run(s, expected, model);
  StreamState* const to = s.predict_stream(expected, stream);
  if (to) {
    expected.refused(to->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
    expected.refused(to->bound != nullptr, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(to->update != nullptr, ACL_ERROR_RT_TASK_TYPE_NOT_SUPPORT);
    expected.open(to->odd());
  }
  const int code = s.call(fmt::format("aclmdlRIExecuteAsync({}, {})", handle, stream), expected,
                          [&] { return aclmdlRIExecuteAsync(handle, stream); });
  if (code != 0) return;
  model->may_run |= model->waits || to->may_block || to->odd();
  to->may_block |= model->may_run;
}

void execute_now(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  std::int32_t timeout = s.pick_timeout_ms();
  Prediction expected;
  expected.first(!handle, ACL_ERROR_INVALID_PARAM);
  const ModelPtr model = s.predict_model(expected, handle);
  if (timeout == -1 && (s.model.may_block() || (model && model->waits))) timeout = 2;
  predict_run(s, expected, model);
  expected.refused(timeout == 0 || timeout < -1, ACL_ERROR_RT_PARAM_INVALID);
  expected.may({ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_MODEL_ABORT_NORMAL});
  const int code = s.call(fmt::format("aclmdlRIExecute({}, {})", handle, timeout), expected,
                          [&] { return aclmdlRIExecute(handle, timeout); });
  if (model && (code == 0 || code == ACL_ERROR_RT_STREAM_SYNC_TIMEOUT)) model->may_run |= model->waits;
}

void destroy(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  Prediction expected;
  expected.first(!handle, ACL_ERROR_INVALID_PARAM);
  const ModelPtr model = s.predict_model(expected, handle);
  if (model) {
    if (model->may_run) return;  // it would be waited for
    expected.refused(model->sub, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
    expected.refused(s.context() && model->context != s.context(), ACL_ERROR_RT_MODEL_CONTEXT);
    expected.refused(!model->built && model->making(), ACL_ERROR_RT_MODEL_CAPTURED);
  }
  const int code =
      s.call(fmt::format("aclmdlRIDestroy({})", handle), expected, [&] { return aclmdlRIDestroy(handle); });
  if (code != 0) return;
  s.drop(Kind::kModel, handle);
  s.model.forget_model(model);
}

void abort(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  Prediction expected;
  const ModelPtr model = s.predict_model(expected, handle);
  if (!handle) expected = Prediction().refused(true, ACL_ERROR_RT_PARAM_INVALID).may({ACL_ERROR_INVALID_PARAM});
  if (model) {
    expected.refused(!model->built, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.refused(model->built && !s.context(), ACL_ERROR_RT_CONTEXT_NULL);
    expected.refused(model->built && s.context() && model->context != s.context(), ACL_ERROR_RT_MODEL_CONTEXT);
  }
  const int code = s.call(fmt::format("aclmdlRIAbort({})", handle), expected, [&] { return aclmdlRIAbort(handle); });
  if (code != 0) return;
  for (auto& [stream, state] : s.model.streams) state.may_fail = true;
}

void name(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  const auto room = s.bytes.any_of<std::uint32_t>({16, 1, 0, 600});
  const bool no_text = s.bytes.once_in(8);
  const bool sets = s.bytes.byte() % 2 == 0;
  std::array<char, 600> text{};
  Prediction expected;
  expected.first(!handle || no_text, ACL_ERROR_INVALID_PARAM);
  s.predict_model(expected, handle);
  expected.refused(!sets && room == 0, ACL_ERROR_RT_PARAM_INVALID);
  s.call(fmt::format("aclmdlRI{}Name({}, {})", sets ? "Set" : "Get", handle, room), expected, [&] {
    if (sets) return aclmdlRISetName(handle, no_text ? nullptr : std::string(room, 'n').c_str());
    return aclmdlRIGetName(handle, room, no_text ? nullptr : text.data());
  });
}

void print(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  const char* const path = s.bytes.any_of<const char*>({"/dev/null", nullptr, "", "/dev", "/no/such/folder/file"});
  const auto flags = s.bytes.any_of<std::uint32_t>({1, 0, ~0U});
  Prediction expected;
  expected.first(!handle || !path, ACL_ERROR_INVALID_PARAM);
  s.predict_model(expected, handle);
  const bool writable = path && std::string(path) == "/dev/null";
  expected.refused(!writable, ACL_ERROR_RT_PARAM_INVALID);
  s.call(fmt::format("aclmdlRIDebugJsonPrint({}, {})", handle, path ? path : "NULL"), expected,
         [&] { return aclmdlRIDebugJsonPrint(handle, path, flags); });
}

}  // namespace

void call_model(Sequence& s) {
  switch (s.bytes.pick(10)) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4: return execute(s);
    case 5: return execute_now(s);
    case 6: return destroy(s);
    case 7: return abort(s);
    case 8: return name(s);
    default: return print(s);
  }
}

namespace {

void begin_build(Sequence& s) {
  const bool no_place = s.bytes.once_in(16);
  const std::uint32_t flag = s.bytes.once_in(8) ? 1 : 0;
  aclmdlRI model = nullptr;
  Prediction expected;
  expected.first(no_place, ACL_ERROR_INVALID_PARAM);
  expected.refused(!s.context(), ACL_ERROR_RT_CONTEXT_NULL);
  expected.refused(flag != 0, ACL_ERROR_RT_PARAM_INVALID);
  const int code = s.call(fmt::format("aclmdlRIBuildBegin({})", flag), expected,
                          [&] { return aclmdlRIBuildBegin(no_place ? nullptr : &model, flag); });
  if (code != 0) return;
  auto state = std::make_shared<ModelState>();
  state->handle = model;
  state->context = s.context();
  state->built = true;
  s.model.models[model] = state;
  s.add(Kind::kModel, model);
}

// What all calls on a model under construction and one of its streams check.
ModelPtr predict_building(Sequence& s, Prediction& expected, Handle handle, const StreamState* stream) {
  const ModelPtr model = s.predict_model(expected, handle);
  if (model) {
    expected.refused(!model->built, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(s.context() && model->context != s.context(), ACL_ERROR_RT_MODEL_CONTEXT);
  }
  if (stream) expected.refused(stream->capture != nullptr, ACL_ERROR_RT_STREAM_CAPTURED);
  return model;
}

void bind(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  const Handle stream = s.pick(Kind::kStream);
  const auto flag = s.bytes.any_of<std::uint32_t>({0, 0, 0x7FFFFFFF, 5});
  Prediction expected;
  expected.first(!handle, ACL_ERROR_INVALID_PARAM);
  StreamState* const state = s.predict_stream(expected, stream);
  const ModelPtr model = predict_building(s, expected, handle, state);
  expected.refused(flag == 5, ACL_ERROR_RT_PARAM_INVALID);
  if (state) {
    expected.refused(state->bound != nullptr, ACL_ERROR_RT_STREAM_MODEL);
    expected.refused((state->flags & 0x20) != 0, ACL_ERROR_RT_INTERNAL_ERROR);
    expected.refused((state->flags & 1) != 0, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.refused(state->is_default, ACL_ERROR_RT_PARAM_INVALID);
    expected.refused(state->update != nullptr, ACL_ERROR_STREAM_TASK_GROUP_STATUS);
  }
  expected.refused(model && model->built && !model->making(), ACL_ERROR_RT_PARAM_INVALID);
  const int code = s.call(fmt::format("aclmdlRIBindStream({}, {}, {:#x})", handle, stream, flag), expected,
                          [&] { return aclmdlRIBindStream(handle, stream, flag); });
  if (code != 0) return;
  state->bound = model;
  model->waits |= state->odd();  // what has been collected may hold anything
}

void unbind(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  expected.first(!handle, ACL_ERROR_INVALID_PARAM);
  StreamState* const state = s.predict_stream(expected, stream);
  const ModelPtr model = predict_building(s, expected, handle, state);
  expected.refused(model && state && model->built && state->bound != model, ACL_ERROR_RT_STREAM_MODEL);
  expected.may_if(model && !model->making(), {ACL_ERROR_RT_MODEL_RUNNING});
  const int code = s.call(fmt::format("aclmdlRIUnbindStream({}, {})", handle, stream), expected,
                          [&] { return aclmdlRIUnbindStream(handle, stream); });
  if (code != 0) return;
  state->bound = nullptr;
  model->uncertain = true;
}

void end_task(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  const Handle stream = s.pick(Kind::kStream);
  Prediction expected;
  expected.first(!handle, ACL_ERROR_INVALID_PARAM);
  const StreamState* const state = s.predict_stream(expected, stream);
  const ModelPtr model = predict_building(s, expected, handle, state);
  expected.refused(model && state && model->built && state->bound != model, ACL_ERROR_RT_INTERNAL_ERROR);
  // Of the same stream a second end is refused; of another one that is left open.
  expected.may_if(model && model->has_end, {ACL_ERROR_RT_INTERNAL_ERROR});
  expected.may_if(model && !model->making(), {ACL_ERROR_RT_INTERNAL_ERROR, ACL_ERROR_RT_PARAM_INVALID});
  const int code = s.call(fmt::format("aclmdlRIEndTask({}, {})", handle, stream), expected,
                          [&] { return aclmdlRIEndTask(handle, stream); });
  if (code == 0) model->has_end = true;
}

bool has_streams(const HostModel& all, const ModelPtr& model) {
  for (const auto& [handle, stream] : all.streams) {
    if (stream.bound == model) return true;
  }
  return false;
}

void end_build(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  void* const reserve = s.bytes.once_in(16) ? &s : nullptr;
  Prediction expected;
  expected.first(!handle || reserve, ACL_ERROR_INVALID_PARAM);
  if (!s.context()) expected.refused(true, ACL_ERROR_RT_CONTEXT_NULL);
  const ModelPtr model = predict_building(s, expected, handle, nullptr);
  if (model && model->built) {
    expected.refused(!has_streams(s.model, model), ACL_ERROR_RT_STREAM_MODEL);
    expected.refused(!model->has_end, ACL_ERROR_RT_MODEL_EXECUTE);
    expected.refused(!model->making(), ACL_ERROR_RT_PARAM_INVALID);
  }
  const int code =
      s.call(fmt::format("aclmdlRIBuildEnd({})", handle), expected, [&] { return aclmdlRIBuildEnd(handle, reserve); });
  if (code == 0) model->phase = Phase::kReady;
}

}  // namespace

void call_build(Sequence& s) {
  switch (s.bytes.pick(8)) {
    case 0: return begin_build(s);
    case 1:
    case 2: return bind(s);
    case 3:
    case 4: return end_task(s);
    case 5:
    case 6: return end_build(s);
    default: return unbind(s);
  }
}

namespace {

void list(Sequence& s) {
  const Handle handle = s.pick(Kind::kModel);
  std::array<aclrtStream, 8> streams{};
  auto count = s.bytes.any_of<std::uint32_t>({8, 8, 8, 0, 1});
  const bool no_count = s.bytes.once_in(16);
  Prediction expected;
  expected.refused(!handle || no_count, ACL_ERROR_RT_PARAM_INVALID);
  if (handle && !no_count) {
    const ModelPtr model = s.predict_model(expected, handle);
    expected.refused(model && model->sub, ACL_ERROR_RT_FEATURE_NOT_SUPPORT);
    expected.may({ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY});
  }
  const int code = s.call(fmt::format("aclmdlRIGetStreams({}, {})", handle, count), expected,
                          [&] { return aclmdlRIGetStreams(handle, streams.data(), no_count ? nullptr : &count); });
  if (code != 0 || !streams[0]) return;
  std::array<aclmdlRITask, 8> tasks{};
  std::uint32_t room = 8;
  Prediction listed;
  listed.may({ACL_ERROR_RT_INSUFFICIENT_INPUT_ARRAY});
  s.call("aclmdlRIGetTasksByStream()", listed,
         [&] { return aclmdlRIGetTasksByStream(streams[0], tasks.data(), &room); });
  for (const aclmdlRITask task : tasks) {
    if (task) s.add(Kind::kTask, task);
  }
}

// Which tasks can be changed depends on more than the model keeps: it only has to be answered.
void change(Sequence& s) {
  const Handle task = s.pick(Kind::kTask);
  const Handle model = s.pick(Kind::kModel);
  const std::size_t what = s.bytes.pick(5);
  const auto value = s.bytes.number<std::uint64_t>();
  const void* const address = s.pick_pointer().address;
  aclmdlRITaskParams parameters{};
  Prediction expected;
  expected.open();
  s.call(fmt::format("change {} of task {} or model {}", what, task, model), expected, [&]() -> int {
    aclmdlRITaskType type{};
    std::uint32_t id = 0;
    switch (what) {
      case 0: return aclmdlRITaskGetType(task, &type);
      case 1: return aclmdlRITaskGetSeqId(task, &id);
      case 2: return aclmdlRITaskDisable(task);
      case 3: return aclmdlRIUpdate(model);
      default: break;
    }
    const int code = aclmdlRITaskGetParams(task, &parameters);
    if (code != 0) return code;
    if (parameters.type == ACL_MODEL_RI_TASK_KERNEL) {
      parameters.kernelTaskParams.numBlocks = value % 4 == 0 ? static_cast<std::uint32_t>(value >> 8) : 1;
      if (value % 8 == 1) parameters.kernelTaskParams.args = nullptr;
      if (value % 8 == 2) parameters.kernelTaskParams.funcHandle = task;
    } else {
      parameters.type = ACL_MODEL_RI_TASK_VALUE_WRITE;
      parameters.valueWriteTaskParams = {const_cast<void*>(address), value};
    }
    return aclmdlRITaskSetParams(task, &parameters);
  });
  for (auto& [handle, state] : s.model.models) state->uncertain = true;
}

}  // namespace

void call_task(Sequence& s) {
  if (s.bytes.byte() % 2 == 0) return list(s);
  change(s);
}

}  // namespace aclvk::fuzz
