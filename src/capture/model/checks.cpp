#include "capture/model/checks.hpp"

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

ModelPtr model_of(const void* handle) {
  auto model = model_handles().find(handle);
  check(model != nullptr, Code::kInvalidHandle, "modelRI {} is not a live model.", handle);
  return model;
}

}  // namespace aclvk::capture
