#include "capture/built/build.hpp"

#include <memory>

#include "base/config.hpp"
#include "base/error.hpp"
#include "capture/built/bound_sink.hpp"
#include "capture/built/built_model.hpp"
#include "capture/captured/capture_sink.hpp"
#include "capture/model/checks.hpp"
#include "runtime/context/current.hpp"
#include "runtime/stream/scheduler.hpp"

namespace aclvk::capture {
namespace {

using runtime::SchedulerLock;

// The bind flags (capture-semantics 3).
constexpr std::uint32_t kHead = 0;
constexpr std::uint32_t kDefault = 0x7FFFFFFF;

BuiltModelPtr built_model_of(const ModelPtr& model) {
  auto built = std::dynamic_pointer_cast<BuiltModel>(model);
  check(built != nullptr, Code::kParamInvalid, "Model {} was captured; it is not built from streams.", model->id);
  return built;
}

// Returns null unless the stream is bound to the model.
BoundSink* find_sink(const BuiltModelPtr& model, const runtime::Stream& stream, const char* what)
    REQUIRES(runtime::scheduler_mutex) {
  check_not_capturing(stream, what);
  BoundSink* sink = find_bound_sink(stream);
  return sink && sink->model() == model ? sink : nullptr;
}

void check_bindable(runtime::Stream& stream) REQUIRES(runtime::scheduler_mutex) {
  const std::uint32_t flags = stream.options.flags;
  check((flags & runtime::kStreamDeviceUseOnly) == 0, Code::kRuntimeInternal,
        "Stream {} is DEVICE_USE_ONLY; it cannot be bound to a model.", stream.id);
  check((flags & runtime::kStreamFastLaunch) == 0, Code::kFeatureNotSupported,
        "Stream {} has the flag FAST_LAUNCH; it cannot be bound to a model.", stream.id);
  check(!stream.queue().errors().stops_at_failures(), Code::kFeatureNotSupported,
        "Stream {} belongs to a context that stops at failures; it cannot be bound to a model.", stream.id);
  check(!stream.is_default(), Code::kParamInvalid, "Stream {} is a default stream; it cannot be bound to a model.",
        stream.id);
  // Older runtimes bind any stream, and programs written for them rely on that.
  check(!config().strict() || (flags & runtime::kStreamPersistent) != 0, Code::kParamInvalid,
        "Stream {} is not PERSISTENT; only such streams are bound to a model.", stream.id);
}

}  // namespace

ModelPtr begin_build(std::uint32_t flag) {
  check(flag == 0, Code::kParamInvalid, "flag is {}; it is reserved and has to be 0.", flag);
  const auto model = std::make_shared<BuiltModel>(runtime::current_context());
  const SchedulerLock lock;
  register_model(model);
  return model;
}

void bind_stream(const ModelPtr& model, const runtime::StreamPtr& stream, std::uint32_t flag) {
  const BuiltModelPtr built = built_model_of(model);
  check(flag == kHead || flag == kDefault, Code::kParamInvalid,
        "flag is 0x{:x}; HEAD (0) or DEFAULT (0x7fffffff) is expected.", flag);
  check_own_context(*stream);
  check_own_context(*built);
  const SchedulerLock lock;
  stream->check_alive();
  check_not_capturing(*stream, "bind");
  const auto bound_to = stream->sink().bound_to();
  check(!bound_to, Code::kStreamModel, "Stream {} is bound to model {} already.", stream->id, bound_to.value_or(0));
  check_bindable(*stream);
  check(stream->executes(), Code::kTaskGroupStatus, "Stream {} is inside a task update, which has to end first.",
        stream->id);
  check(built->state() == Model::State::kUnderConstruction, Code::kParamInvalid,
        "Model {} is complete, or destroyed; no stream can join it.", built->id);
  stream->queue().batch().flush_now();
  built->bind(stream, flag == kHead);
}

void unbind_stream(const ModelPtr& model, const runtime::StreamPtr& stream) {
  const BuiltModelPtr built = built_model_of(model);
  check_own_context(*stream);
  check_own_context(*built);
  const SchedulerLock lock;
  const BoundSink* sink = find_sink(built, *stream, "unbind");
  check(sink != nullptr, Code::kStreamModel, "Stream {} is not bound to model {}.", stream->id, built->id);
  check(!built->running(), Code::kModelRunning, "Model {} is running; its streams cannot be taken away.", built->id);
  built->unbind(sink->lane());
}

void end_task(const ModelPtr& model, const runtime::StreamPtr& stream) {
  const BuiltModelPtr built = built_model_of(model);
  check_own_context(*stream);
  check_own_context(*built);
  const SchedulerLock lock;
  const BoundSink* sink = find_sink(built, *stream, "mark the end of a model on");
  check(sink != nullptr, Code::kRuntimeInternal, "Stream {} is not bound to model {}.", stream->id, built->id);
  built->add_end(sink->lane());
}

void end_build(const ModelPtr& model) {
  const BuiltModelPtr built = built_model_of(model);
  const runtime::ContextPtr context = check_own_context(*built);
  const SchedulerLock lock;
  check(built->has_streams(), Code::kStreamModel, "No stream is bound to model {}.", built->id);
  check(built->has_end(), Code::kModelExecute, "No stream of model {} has its end marked; aclmdlRIEndTask does that.",
        built->id);
  check(built->state() == Model::State::kUnderConstruction, Code::kParamInvalid, "Model {} is complete already.",
        built->id);
  built->finish();
}

}  // namespace aclvk::capture
