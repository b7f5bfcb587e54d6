// acl/rt/stream.h, acl/rt/stream_control.h, acl/rt/state_callback.h: streams (runtime-semantics 4).
#include <algorithm>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "api/rt/timeouts.hpp"
#include "base/error.hpp"
#include "runtime/context/label.hpp"
#include "runtime/context/stream_use.hpp"
#include "runtime/device/device_attributes.hpp"
#include "runtime/device/state_callback.hpp"

using namespace aclvk;
using api::guard;
using api::own_stream_of;
using api::require;
using api::stream_of;

namespace {

runtime::StreamPtr required_stream(aclrtStream stream) {
  require(stream, "stream");
  return own_stream_of(stream);
}

}  // namespace

aclError aclrtCreateStream(aclrtStream* stream) { return aclrtCreateStreamWithConfig(stream, 0, 0); }

aclError aclrtCreateStreamWithConfig(aclrtStream* stream, uint32_t priority, uint32_t flag) {
  return guard(__func__, [&] {
    require(stream, "stream");
    *stream = runtime::create_stream(priority, flag)->handle;
  });
}

aclError aclrtDestroyStream(aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = required_stream(stream);
    context_of(*found)->destroy_stream(found, false);
  });
}

aclError aclrtDestroyStreamForce(aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = required_stream(stream);
    context_of(*found)->destroy_stream(found, true);
  });
}

// Synchronisation and queries accept streams of other contexts (runtime-semantics 4.5), so they use stream_of and not
// own_stream_of.
aclError aclrtSynchronizeStream(aclrtStream stream) {
  return guard(__func__, [&] { runtime::synchronize_stream(*stream_of(stream)); });
}

aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout) {
  return guard(__func__, [&] {
    api::check_timeout_range(timeout);
    if (stream) stream_of(stream);  // wrong arguments are refused before a missing context
    const runtime::Timeout limit = api::timeout_of(timeout);
    runtime::synchronize_stream(*stream_of(stream), limit);
  });
}

aclError aclrtStreamQuery(aclrtStream stream, aclrtStreamStatus* status) {
  return guard(__func__, [&] {
    require(status, "status");
    *status = runtime::stream_done(*stream_of(stream)) ? ACL_STREAM_STATUS_COMPLETE : ACL_STREAM_STATUS_NOT_READY;
  });
}

// NULL stands for the default stream in all queries.
aclError aclrtStreamGetId(aclrtStream stream, int32_t* streamId) {
  return guard(__func__, [&] {
    require(streamId, "streamId");
    *streamId = static_cast<int32_t>(stream_of(stream)->id);
  });
}

aclError aclrtStreamGetPriority(aclrtStream stream, uint32_t* priority) {
  return guard(__func__, [&] {
    require(priority, "priority");
    *priority = stream_of(stream)->priority;
  });
}

aclError aclrtStreamGetFlags(aclrtStream stream, uint32_t* flags) {
  return guard(__func__, [&] {
    require(flags, "flags");
    *flags = stream_of(stream)->options.flags;
  });
}

aclError aclrtGetStreamAvailableNum(uint32_t* streamCount) {
  return guard(__func__, [&] {
    require(streamCount, "streamCount");
    *streamCount = runtime::available_streams(runtime::current_context()->device());
  });
}

aclError aclrtStreamAbort(aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = own_stream_of(stream);
    found->check_not_bound("abort", aclvk::Code::kFeatureNotSupported);
    found->abort();
  });
}

aclError aclrtRegStreamStateCallback(const char* regName, aclrtStreamStateCallback callback, void* args) {
  return guard(__func__, [&] {
    require(regName, "regName");
    runtime::listen_to_streams(regName, reinterpret_cast<runtime::StreamListener>(callback), args);
  });
}

aclError aclrtRegDeviceStateCallback(const char* regName, aclrtDeviceStateCallback callback, void* args) {
  return guard(__func__, [&] {
    require(regName, "regName");
    runtime::listen_to_devices(regName, reinterpret_cast<runtime::DeviceListener>(callback), args);
  });
}

aclError aclrtSetDeviceTaskAbortCallback(const char* regName, aclrtDeviceTaskAbortCallback callback, void* args) {
  return guard(__func__, [&] {
    require(regName, "regName");
    runtime::listen_to_task_aborts(regName, reinterpret_cast<runtime::TaskAbortListener>(callback), args);
  });
}

// These two are tasks of built models: the streams have to be bound to one (capture-semantics 13).
aclError aclrtActiveStream(aclrtStream activeStream, aclrtStream stream) {
  return guard(__func__, [&] {
    require(activeStream, "activeStream");
    const auto from = required_stream(stream);
    runtime::activate_stream(*from, own_stream_of(activeStream));
  });
}

aclError aclrtSwitchStream(void* leftValue, aclrtCondition cond, void* rightValue, aclrtCompareDataType dataType,
                           aclrtStream trueStream, aclrtStream falseStream, aclrtStream stream) {
  return guard(__func__, [&] {
    require(leftValue, "leftValue");
    require(rightValue, "rightValue");
    require(trueStream, "trueStream");
    check(!falseStream, Code::kInvalidParam, "falseStream is {}; it is reserved and has to be NULL.", falseStream);
    const auto from = required_stream(stream);
    runtime::switch_stream(*from, leftValue, cond, rightValue, dataType, own_stream_of(trueStream));
  });
}
