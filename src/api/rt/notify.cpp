// acl/rt/notify.h: notifies (runtime-semantics 6).
#include <memory>
#include <vector>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/signal/event_use.hpp"

using namespace aclvk;
using api::check_array;
using api::guard;
using api::notify_of;
using api::own_stream_of;
using api::require;

aclError aclrtCreateNotify(aclrtNotify* notify, uint64_t flag) {
  return guard(__func__, [&] {
    require(notify, "notify");
    *notify = runtime::create_notify(flag);
  });
}

aclError aclrtDestroyNotify(aclrtNotify notify) {
  return guard(__func__, [&] {
    notify_of(notify);
    runtime::destroy_notify(notify);
  });
}

aclError aclrtRecordNotify(aclrtNotify notify, aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = notify_of(notify);
    runtime::record_notify(found, *own_stream_of(stream));
  });
}

// 0 and UINT32_MAX both stand for no limit (runtime-semantics 6).
aclError aclrtWaitAndResetNotify(aclrtNotify notify, aclrtStream stream, uint32_t timeout) {
  return guard(__func__, [&] {
    const auto found = notify_of(notify);
    const bool forever = timeout == UINT32_MAX;
    runtime::wait_notify(found, *own_stream_of(stream), runtime::WaitLimit(forever ? 0 : timeout));
  });
}

aclError aclrtGetNotifyId(aclrtNotify notify, uint32_t* notifyId) {
  return guard(__func__, [&] {
    require(notify, "notify");
    require(notifyId, "notifyId");
    *notifyId = notify_of(notify)->id;
  });
}

aclError aclrtNotifyBatchReset(aclrtNotify* notifies, size_t num) {
  return guard(__func__, [&] {
    check(num > 0, Code::kParamInvalid, "num is 0; at least one notify is expected.");
    require(notifies, "notifies");
    check_array(notifies, num, "notifies");
    std::vector<std::shared_ptr<runtime::Notify>> found;  // all are checked before the first is reset
    for (size_t i = 0; i < num; ++i) found.push_back(notify_of(notifies[i]));
    for (const auto& notify : found) runtime::reset_notify(*notify);
  });
}
