// acl/rt/count_notify.h: notifies that count.

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/context/handles.hpp"
#include "runtime/signal/event_use.hpp"

using namespace aclvk;
using api::count_notify_of;
using api::guard;
using api::own_stream_of;
using api::require;

aclError aclrtCntNotifyCreate(aclrtCntNotify* cntNotify, uint64_t flag) {
  return guard(__func__, [&] {
    require(cntNotify, "cntNotify");
    *cntNotify = runtime::create_count_notify(flag);
  });
}

aclError aclrtCntNotifyDestroy(aclrtCntNotify cntNotify) {
  return guard(__func__, [&] {
    count_notify_of(cntNotify);
    runtime::count_notify_handles().remove(cntNotify);
  });
}

aclError aclrtCntNotifyRecord(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyRecordInfo* info) {
  return guard(__func__, [&] {
    require(cntNotify, "cntNotify");
    require(info, "info");
    const auto found = count_notify_of(cntNotify);
    runtime::record_count(found, *own_stream_of(stream), info->mode, info->value);
  });
}

aclError aclrtCntNotifyWaitWithTimeout(aclrtCntNotify cntNotify, aclrtStream stream, aclrtCntNotifyWaitInfo* info) {
  return guard(__func__, [&] {
    require(cntNotify, "cntNotify");
    require(info, "info");
    const auto found = count_notify_of(cntNotify);
    runtime::wait_count(found, *own_stream_of(stream), {info->mode, info->value, info->timeout, info->isClear != 0});
  });
}

aclError aclrtCntNotifyReset(aclrtCntNotify cntNotify, aclrtStream stream) {
  return guard(__func__, [&] {
    const auto found = count_notify_of(cntNotify);
    runtime::reset_count(found, *own_stream_of(stream));
  });
}

aclError aclrtCntNotifyGetId(aclrtCntNotify cntNotify, uint32_t* notifyId) {
  return guard(__func__, [&] {
    require(cntNotify, "cntNotify");
    require(notifyId, "notifyId");
    *notifyId = count_notify_of(cntNotify)->id;
  });
}
