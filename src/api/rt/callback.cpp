// acl/rt/callback.h: host functions in a stream, and the threads that run them (runtime-semantics 8).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/context/report.hpp"
#include "runtime/context/stream_use.hpp"

using namespace aclvk;
using api::guard;
using api::own_stream_of;
using api::stream_of;
using runtime::Reports;

namespace {

void check_report_timeout(int32_t timeout) {
  check(timeout > 0 || timeout == -1, Code::kInvalidParam,
        "timeout is {} ms; -1 (for ever) or a positive number is expected.", timeout);
}

runtime::Timeout limit(int32_t timeout) {
  if (timeout < 0) return {};
  return std::chrono::milliseconds{timeout};
}

// Wrong arguments are refused before a missing context.
void check_launch(const void* function, aclrtStream stream) {
  if (stream) stream_of(stream);
  check(function, Code::kParamInvalid, "fn is NULL.");
}

}  // namespace

aclError aclrtLaunchHostFunc(aclrtStream stream, aclrtHostFunc fn, void* args) {
  return guard(__func__, [&] {
    check_launch(reinterpret_cast<const void*>(fn), stream);
    runtime::launch_host_function(*own_stream_of(stream), [fn, args] { fn(args); });
  });
}

aclError aclrtLaunchCallback(aclrtCallback fn, void* userData, aclrtCallbackBlockType blockType, aclrtStream stream) {
  return guard(__func__, [&] {
    const bool known = blockType == ACL_CALLBACK_NO_BLOCK || blockType == ACL_CALLBACK_BLOCK;
    check(known, Code::kInvalidParam, "blockType is {}; 0 or 1 is expected.", static_cast<int>(blockType));
    check_launch(reinterpret_cast<const void*>(fn), stream);
    runtime::launch_report(
        *own_stream_of(stream), [fn, userData] { fn(userData); }, blockType == ACL_CALLBACK_BLOCK);
  });
}

aclError aclrtSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return guard(__func__, [&] { runtime::subscribe(Reports::kCallbacks, threadId, *stream_of(stream)); });
}

aclError aclrtUnSubscribeReport(uint64_t threadId, aclrtStream stream) {
  return guard(__func__, [&] { runtime::unsubscribe(Reports::kCallbacks, threadId, *stream_of(stream)); });
}

aclError aclrtProcessReport(int32_t timeout) {
  return guard(__func__, [&] {
    check_report_timeout(timeout);
    runtime::process(Reports::kCallbacks, limit(timeout));
  });
}

aclError aclrtSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return guard(__func__, [&] { runtime::subscribe(Reports::kHostFunctions, hostFuncThreadId, *stream_of(exeStream)); });
}

aclError aclrtUnSubscribeHostFunc(uint64_t hostFuncThreadId, aclrtStream exeStream) {
  return guard(__func__,
               [&] { runtime::unsubscribe(Reports::kHostFunctions, hostFuncThreadId, *stream_of(exeStream)); });
}

aclError aclrtProcessHostFunc(int32_t timeout) {
  return guard(__func__, [&] {
    check_report_timeout(timeout);
    runtime::process(Reports::kHostFunctions, limit(timeout));
  });
}
