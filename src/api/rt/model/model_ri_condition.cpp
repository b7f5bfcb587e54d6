// acl/rt/model_ri_condition.h: conditional tasks and their bodies (capture-semantics 15).
#include <algorithm>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "capture/captured/capture.hpp"
#include "capture/captured/captured_model.hpp"
#include "capture/captured/conditional.hpp"
#include "capture/model/checks.hpp"

using namespace aclvk;
using api::guard;
using api::require;
using api::stream_of;

namespace {

std::shared_ptr<capture::Conditional> conditional_of(aclmdlRICondHandle handle, Code null_code) {
  check(handle, null_code, "handle is NULL.");
  auto conditional = capture::conditional_handles().find(handle);
  check(conditional != nullptr, Code::kInvalidHandle, "handle {} is not a live condition.", handle);
  return conditional;
}

}  // namespace

aclError aclmdlRICondHandleCreate(aclmdlRI modelRI, uint32_t defaultLaunchValue, aclmdlRICondHandleFlag flag,
                                  aclmdlRICondHandle* handle) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    require(handle, "handle");
    *handle = capture::create_conditional(capture::captured_model_of(modelRI), defaultLaunchValue, flag)->handle;
  });
}

aclError aclmdlRICondHandleGetCondPtr(aclmdlRICondHandle handle, uint64_t** ptr) {
  return guard(__func__, [&] {
    require(handle, "handle");
    require(ptr, "ptr");
    *ptr = static_cast<uint64_t*>(conditional_of(handle, Code::kInvalidParam)->pointer);
  });
}

aclError aclmdlRIAddCondTask(aclmdlRICondTaskParams params, aclrtStream stream, uint32_t flags) {
  return guard(__func__, [&] {
    require(stream, "stream");
    check(flags == 0, Code::kParamInvalid, "flags is {}; it is reserved and has to be 0.", flags);
    check(params.modelRIArray, Code::kParamInvalid, "params.modelRIArray is NULL.");
    const auto conditional = conditional_of(params.handle, Code::kParamInvalid);
    const auto bodies = capture::add_conditional_task(stream_of(stream), conditional, params.type, params.size);
    std::copy(bodies.begin(), bodies.end(), params.modelRIArray);
  });
}

aclError aclmdlRICaptureToModelRIBegin(aclrtStream stream, aclmdlRI modelRI, aclmdlRICaptureMode mode) {
  return guard(__func__, [&] {
    require(stream, "stream");
    require(modelRI, "modelRI");
    capture::begin_capture_to(stream_of(stream), capture::model_of(modelRI), mode);
  });
}
