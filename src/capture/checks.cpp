#include "capture/checks.hpp"

#include "runtime/context/current.hpp"

namespace aclvk::capture {

runtime::ContextPtr check_own_context(const Model& model) {
  runtime::ContextPtr current = runtime::current_context();
  check(model.context() == current, Code::kModelContext, "Model {} belongs to another context.", model.id);
  return current;
}

runtime::ContextPtr live_context(const Model& model) {
  runtime::ContextPtr context = model.context();
  check(context != nullptr, Code::kContextNull, "The context of model {} has been destroyed.", model.id);
  return context;
}

void check_no_sub_model(const Model& model, const char* what) {
  check(!model.is_sub_model(), Code::kFeatureNotSupported, "Cannot {} model {}: it is the body of a conditional task.",
        what, model.id);
}

CaptureSink& capture_sink_of(const runtime::Stream& stream) {
  CaptureSink* sink = find_capture_sink(stream);
  check(sink != nullptr, Code::kStreamNotCaptured, "Stream {} is not being captured.", stream.id);
  return *sink;
}

ModelPtr model_of(const void* handle) {
  auto model = model_handles().find(handle);
  check(model != nullptr, Code::kInvalidHandle, "modelRI {} is not a live model.", handle);
  return model;
}

std::shared_ptr<TaskGroup> task_group_of(const void* handle) {
  auto group = task_group_handles().find(handle);
  check(group != nullptr, Code::kInvalidHandle, "handle {} is not a live task group.", handle);
  return group;
}

CapturedModelPtr captured_model_of(const void* handle) {
  const ModelPtr model = model_of(handle);
  auto captured = std::dynamic_pointer_cast<CapturedModel>(model);
  check(captured != nullptr, Code::kFeatureNotSupported, "Model {} was built from streams, not captured.", model->id);
  return captured;
}

}  // namespace aclvk::capture
