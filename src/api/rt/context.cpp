// acl/rt/context.h: contexts and their options (runtime-semantics 3).
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/context/sys_params.hpp"

using namespace aclvk;
using api::guard;
using api::guard_quiet;
using api::require;

namespace {

void check_option(aclSysParamOpt option, aclSysParamOpt last) {
  check(option >= ACL_OPT_DETERMINISTIC && option <= last, Code::kInvalidParam, "opt is {}; 0..{} is expected.",
        static_cast<int>(option), static_cast<int>(last));
}

}  // namespace

aclError aclrtCreateContext(aclrtContext* context, int32_t deviceId) {
  return guard(__func__, [&] {
    require(context, "context");
    *context = runtime::create_context(deviceId)->handle();
  });
}

// An unknown context is 107002 here and 107000 in aclrtSetCurrentContext (runtime-semantics 3.3, 3.5), so context_of
// does not fit.
aclError aclrtDestroyContext(aclrtContext context) {
  return guard(__func__, [&] {
    require(context, "context");
    const runtime::ContextPtr found = runtime::context_handles().find(context);
    check(found != nullptr, Code::kContextNull, "context ({}) is not a live context.", context);
    runtime::destroy_context(found);
  });
}

aclError aclrtSetCurrentContext(aclrtContext context) {
  return guard(__func__, [&] { runtime::set_current_context(api::context_of(context)); });
}

// The answer "no context" is not stored as the last error (runtime-semantics 3.4).
aclError aclrtGetCurrentContext(aclrtContext* context) {
  return guard_quiet(__func__, [&] {
    require(context, "context");
    *context = runtime::current_context()->handle();
  });
}

aclError aclrtCtxGetCurrentDefaultStream(aclrtStream* stream) {
  return guard(__func__, [&] {
    require(stream, "stream");
    *stream = runtime::current_context()->default_stream()->handle;
  });
}

aclError aclrtCtxSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return guard(__func__, [&] {
    check_option(opt, ACL_OPT_STRONG_CONSISTENCY);
    runtime::current_context()->params.set(opt, value);
  });
}

aclError aclrtCtxGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    check_option(opt, ACL_OPT_STRONG_CONSISTENCY);
    *value = runtime::current_context()->params.get(opt);
  });
}

aclError aclrtSetSysParamOpt(aclSysParamOpt opt, int64_t value) {
  return guard(__func__, [&] {
    check_option(opt, ACL_OPT_ENABLE_KERNEL_EARLY_START);
    runtime::process_params().set(opt, value);
  });
}

aclError aclrtGetSysParamOpt(aclSysParamOpt opt, int64_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    check_option(opt, ACL_OPT_ENABLE_KERNEL_EARLY_START);
    *value = runtime::process_params().get_or_zero(opt);
  });
}

aclError aclrtGetPrimaryCtxState(int32_t deviceId, uint32_t* flags, int32_t* active) {
  return guard(__func__, [&] {
    check(!flags, Code::kInvalidParam, "flags is {}; it is reserved, NULL is expected.", static_cast<void*>(flags));
    require(active, "active");
    *active = runtime::primary_references(deviceId) > 0 ? 1 : 0;
  });
}
