// acl/rt/model_ri.h: what can be done with a captured model.
#include "acl/acl_rt.h"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "capture/capture.hpp"
#include "capture/trace.hpp"

using aclvk::api::guard;
using aclvk::api::require;
using aclvk::api::stream_of;
using aclvk::capture::model_of;

aclError aclmdlRIExecuteAsync(aclmdlRI modelRI, aclrtStream stream) {
  return guard(__func__, [&] {
    require(modelRI, "modelRI");
    aclvk::capture::execute(model_of(modelRI), stream_of(stream));
  });
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
