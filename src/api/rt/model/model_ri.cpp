// acl/rt/model_ri.h: running, naming, printing and destroying models, and building them (capture-semantics 10 to 13).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "capture/built/build.hpp"
#include "capture/inspect/trace.hpp"
#include "capture/model/checks.hpp"
#include "capture/model/execute.hpp"

using aclvk::api::guard;
using aclvk::api::require;
using aclvk::api::stream_of;
using aclvk::capture::model_of;

namespace {

// NULL gets the runtime's code, 107000, from these functions (capture-semantics 1).
aclvk::capture::ModelPtr given_model(aclmdlRI modelRI) {
  aclvk::check(modelRI, aclvk::Code::kParamInvalid, "modelRI is NULL.");
  return model_of(modelRI);
}

}  // namespace

// capture::execute checks the stream's context after its other states (capture-semantics 10.1), so stream_of and not
// own_stream_of is right here.
aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::execute(model_of(modelRI), stream_of(stream));
  });
}

aclError aclmdlRIExecute(aclmdlRI modelRI, int32_t timeout) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::execute_and_wait(model_of(modelRI), timeout);
  });
}

aclError aclmdlRIAbort(aclmdlRI modelRI) {
  return guard(__func__, [&] { aclvk::capture::abort(given_model(modelRI)); });
}

aclError aclmdlRIDestroyRegisterCallback(aclmdlRI modelRI, aclrtCallback func, void* userData) {
  return guard(__func__, [&] { aclvk::capture::add_destroy_callback(given_model(modelRI), {func, userData}); });
}

aclError aclmdlRIDestroyUnregisterCallback(aclmdlRI modelRI, aclrtCallback func) {
  return guard(__func__, [&] { aclvk::capture::remove_destroy_callback(given_model(modelRI), func); });
}

aclError aclmdlRIDestroy(aclmdlRI modelRI) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::destroy(model_of(modelRI));
  });
}

aclError aclmdlRIDebugPrint(aclmdlRI modelRI) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::print_tasks(*model_of(modelRI));
  });
}

// Other flags than VERBOSE are ignored (capture-semantics 16.1).
aclError aclmdlRIDebugJsonPrint(aclmdlRI modelRI, const char* path, uint32_t flags) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    require(path, "path");
    const bool verbose = (flags & ACL_MDLRI_DEBUG_JSON_PRINT_VERBOSE) != 0;
    aclvk::capture::write_trace(*model_of(modelRI), path, verbose);
  });
}

aclError aclmdlRISetName(aclmdlRI modelRI, const char* name) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    require(name, "name");
    aclvk::capture::set_name(*model_of(modelRI), name);
  });
}

aclError aclmdlRIGetName(aclmdlRI modelRI, uint32_t maxLen, char* name) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    require(name, "name");
    aclvk::capture::copy_name(*model_of(modelRI), name, maxLen);
  });
}

aclError aclmdlRIGetId(aclmdlRI modelRI, uint32_t* id) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    require(id, "id");
    *id = model_of(modelRI)->id;
  });
}

aclError aclmdlRIBuildBegin(aclmdlRI* modelRI, uint32_t flag) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    *modelRI = aclvk::capture::begin_build(flag)->handle;
  });
}

aclError aclmdlRIBindStream(aclmdlRI modelRI, aclrtStream stream, uint32_t flag) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::bind_stream(model_of(modelRI), stream_of(stream), flag);
  });
}

aclError aclmdlRIEndTask(aclmdlRI modelRI, aclrtStream stream) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::end_task(model_of(modelRI), stream_of(stream));
  });
}

aclError aclmdlRIBuildEnd(aclmdlRI modelRI, void* reserve) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::check(!reserve, aclvk::Code::kInvalidParam, "reserve is {}; NULL is expected.", reserve);
    aclvk::capture::end_build(model_of(modelRI));
  });
}

aclError aclmdlRIUnbindStream(aclmdlRI modelRI, aclrtStream stream) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::unbind_stream(model_of(modelRI), stream_of(stream));
  });
}
