// acl/rt/op_timeout.h: time limits of waits and tasks (runtime-semantics 11).
#include "runtime/failure/op_timeout.hpp"

#include <chrono>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"

using namespace aclvk;
using api::guard;
using api::require;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::seconds;

aclError aclrtSetOpWaitTimeout(uint32_t timeout) {
  return guard(__func__, [&] { runtime::set_default_wait_limit(runtime::WaitLimit(timeout)); });
}

aclError aclrtSetOpExecuteTimeOut(uint32_t timeout) {
  return guard(__func__, [&] { runtime::set_task_limit(seconds(timeout)); });
}

aclError aclrtSetOpExecuteTimeOutWithMs(uint32_t timeout) {
  return guard(__func__, [&] { runtime::set_task_limit(milliseconds(timeout)); });
}

// The limit is rounded up to a multiple of the step, and returned (runtime-semantics 11).
aclError aclrtSetOpExecuteTimeOutV2(uint64_t timeout, uint64_t* actualTimeout) {
  return guard(__func__, [&] {
    require(actualTimeout, "actualTimeout");
    const uint64_t most = microseconds::max().count();
    const microseconds wanted(static_cast<int64_t>(timeout < most ? timeout : most));
    *actualTimeout = static_cast<uint64_t>(runtime::set_task_limit(wanted).count());
  });
}

aclError aclrtGetOpTimeOutInterval(uint64_t* interval) {
  return guard(__func__, [&] {
    require(interval, "interval");
    *interval = static_cast<uint64_t>(runtime::kTaskLimitStep.count());
  });
}

aclError aclrtGetOpExecuteTimeout(uint32_t* const timeoutMs) {
  return guard(__func__, [&] {
    require(timeoutMs, "timeoutMs");
    *timeoutMs = static_cast<uint32_t>(std::chrono::duration_cast<milliseconds>(runtime::task_limit()).count());
  });
}
