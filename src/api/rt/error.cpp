// acl/rt/error.h: past failures of the thread and of a device (runtime-semantics 0).
#include "base/error.hpp"

#include <optional>

#include "acl/acl_rt.h"
#include "api/base/error_state.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "runtime/device/device.hpp"
#include "runtime/failure/failed_task.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::require;

namespace {

void check_level(aclrtLastErrLevel level) {
  check(level == ACL_RT_THREAD_LEVEL, Code::kInvalidParam, "level is {}; 0 (thread) is expected.",
        static_cast<int>(level));
}

// Only codes 507xxx concern the device; others, such as the timeout of a wait, are errors of the program.
aclrtErrorType type_of(std::optional<uint32_t> code) {
  constexpr uint32_t kOfDevice = 507;
  if (!code || *code / 1000 != kOfDevice) return ACL_RT_NO_ERROR;
  const bool of_core =
      *code == static_cast<uint32_t>(Code::kAicoreException) || *code == static_cast<uint32_t>(Code::kAicoreTimeout);
  return of_core ? ACL_RT_ERROR_AICORE : ACL_RT_ERROR_OTHERS;
}

}  // namespace

// Works without a device and to the end of the process, like the two below: programs ask after failed calls.
const char* aclGetRecentErrMsg() {
  const char* sentences = nullptr;
  guard_host(__func__, [&] { sentences = api::take_sentences(); });
  return sentences;
}

// The result is the stored code itself, so a wrong level is returned in the same way.
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
    errorInfo->errorType = type_of(runtime::last_failure(static_cast<uint32_t>(deviceId)));
    if (errorInfo->errorType != ACL_RT_ERROR_AICORE) return;
    errorInfo->hasDetail = 1;
    errorInfo->detail.aicoreErrType = ACL_RT_AICORE_ERROR_UNKNOWN;
  });
}

aclError aclrtRepairError(int32_t deviceId, const aclrtErrorInfo* errorInfo) {
  return guard(__func__, [&] {
    require(errorInfo, "errorInfo");
    runtime::check_device_id(deviceId);
    check(errorInfo->errorType != ACL_RT_NO_ERROR, Code::kParamInvalid,
          "errorInfo has the type NO_ERROR; an error of device {} is expected.", deviceId);
    fail(Code::kFeatureNotSupported,
         "Errors of type {} cannot be repaired: Vulkan gives no access to a device's memory banks, caches and links. "
         "aclrtDeviceTaskAbort makes the device usable again after a failed task.",
         static_cast<int>(errorInfo->errorType));
  });
}
