#include "acl/acl_rt.h"
#include "api/error_state.hpp"
#include "api/guard.hpp"
#include "api/handles.hpp"
#include "base/error.hpp"
#include "runtime/device.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::require;

namespace {

void check_level(aclrtLastErrLevel level) {
  check(level == ACL_RT_THREAD_LEVEL, Code::kInvalidParam, "level is {}; 0 (thread) is expected.",
        static_cast<int>(level));
}

}  // namespace

const char* aclGetRecentErrMsg() {
  const char* sentences = nullptr;
  guard_host(__func__, [&] { sentences = api::take_sentences(); });
  return sentences;
}

aclError aclrtPeekAtLastError(aclrtLastErrLevel level) {
  const aclError refused = guard_host(__func__, [&] { check_level(level); });
  return refused ? refused : api::peek_code();
}

aclError aclrtGetLastError(aclrtLastErrLevel level) {
  const aclError refused = guard_host(__func__, [&] { check_level(level); });
  return refused ? refused : api::take_code();
}

aclError aclrtGetErrorVerbose(int32_t deviceId, aclrtErrorInfo* errorInfo) {
  return guard(__func__, [&] {
    require(errorInfo, "errorInfo");
    runtime::check_device_id(deviceId);
    *errorInfo = {};
    errorInfo->errorType = ACL_RT_NO_ERROR;
  });
}
