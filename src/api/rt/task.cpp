// acl/rt/task.h: the last task of a thread, and information that programs attach to it (capture-semantics 16.3).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "capture/model/attribution.hpp"
#include "runtime/stream/holding_sink.hpp"

using namespace aclvk;
using namespace aclvk::api;

aclError aclrtCacheLastTaskOpInfo(const void* const infoPtr, const size_t infoSize) {
  return guard(__func__, [&] {
    require(infoPtr, "infoPtr");
    capture::store_op_info(infoPtr, infoSize);
  });
}

aclError aclrtCacheLastTaskExtendInfo(const char* const extendInfoPtr, const size_t infoSize) {
  return guard(__func__, [&] {
    require(extendInfoPtr, "extendInfoPtr");
    capture::store_extend_info(extendInfoPtr, infoSize);
  });
}

aclError aclrtGetThreadLastTaskId(uint32_t* taskId) {
  return guard(__func__, [&] {
    require(taskId, "taskId");
    runtime::current_context();
    *taskId = runtime::last_task_of_thread();
  });
}

aclError aclrtTaskUpdateAsync(aclrtStream taskStream, uint32_t taskId, aclrtTaskUpdateInfo* info,
                              aclrtStream execStream) {
  return guard(__func__, [&] {
    require(taskStream, "taskStream");
    require(info, "info");
    stream_of(taskStream);
    own_stream_of(execStream);
    check(info->id == ACL_RT_UPDATE_RANDOM_TASK || info->id == ACL_RT_UPDATE_AIC_AIV_TASK, Code::kParamInvalid,
          "Update id {} is unknown; expected RANDOM_TASK (1) or AIC_AIV_TASK (2).", static_cast<int>(info->id));
    fail(Code::kFeatureNotSupported,
         "Task {} cannot be changed from device memory: what a device would write there (entries of functions, "
         "parameters in the layout of an Ascend chip) means nothing to Vulkan. Use aclmdlRICaptureTaskUpdateBegin or "
         "aclmdlRITaskSetParams, or random parameters by address.",
         taskId);
  });
}

aclError aclrtPersistentTaskClean(aclrtStream stream) {
  return guard(__func__, [&] { runtime::drop_held_tasks(*own_stream_of(stream)); });
}
