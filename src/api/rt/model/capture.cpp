// acl/rt/capture.h: a capture from begin to end, task groups and updates.
#include "capture/captured/capture.hpp"

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "capture/captured/task_group.hpp"
#include "runtime/context/capture_mode.hpp"

using aclvk::api::guard;
using aclvk::api::require;
using aclvk::api::stream_of;

aclError aclmdlRICaptureBegin(aclrtStream stream, aclmdlRICaptureMode mode) {
  return guard(__func__, [&] {
    require(stream, "stream");
    aclvk::capture::begin_capture(stream_of(stream), mode);
  });
}

// Either result may be NULL, not both (capture-semantics 4.3).
aclError aclmdlRICaptureGetInfo(aclrtStream stream, aclmdlRICaptureStatus* status, aclmdlRI* modelRI) {
  return guard(__func__, [&] {
    require(stream, "stream");
    if (!status) require(modelRI, "status and modelRI");
    const auto info = aclvk::capture::capture_info(*stream_of(stream));
    if (status) *status = static_cast<aclmdlRICaptureStatus>(info.status);
    if (modelRI) *modelRI = info.model;
  });
}

// A NULL modelRI is right for the body of a conditional task, so the capture checks it (capture-semantics 4.2, 15).
aclError aclmdlRICaptureEnd(aclrtStream stream, aclmdlRI* modelRI) {
  return guard(__func__, [&] {
    require(stream, "stream");
    aclvk::capture::end_capture(stream_of(stream), modelRI);
  });
}

aclError aclmdlRICaptureThreadExchangeMode(aclmdlRICaptureMode* mode) {
  return guard(__func__, [&] {
    require(mode, "mode");
    *mode = static_cast<aclmdlRICaptureMode>(aclvk::capture::exchange_thread_mode(*mode));
  });
}

aclError aclmdlRICaptureTaskGrpBegin(aclrtStream stream) {
  return guard(__func__, [&] {
    require(stream, "stream");
    aclvk::capture::begin_task_group(stream_of(stream));
  });
}

// The handle is NULL whenever the group ends with an error (capture-semantics 9.1).
aclError aclmdlRICaptureTaskGrpEnd(aclrtStream stream, aclrtTaskGrp* handle) {
  return guard(__func__, [&] {
    require(stream, "stream");
    require(handle, "handle");
    *handle = nullptr;
    *handle = aclvk::capture::end_task_group(stream_of(stream))->handle;
  });
}

aclError aclmdlRICaptureTaskUpdateBegin(aclrtStream stream, aclrtTaskGrp handle) {
  return guard(__func__, [&] {
    require(stream, "stream");
    require(handle, "handle");
    aclvk::capture::begin_update(stream_of(stream), aclvk::capture::task_group_of(handle));
  });
}

aclError aclmdlRICaptureTaskUpdateEnd(aclrtStream stream) {
  return guard(__func__, [&] {
    require(stream, "stream");
    aclvk::capture::end_update(stream_of(stream));
  });
}
