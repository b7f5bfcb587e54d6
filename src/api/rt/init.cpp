// acl/rt/init.h: aclInit and aclFinalize (runtime-semantics 1).

#include "runtime/process/init.hpp"

#include "acl/acl.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/config.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::require;

aclError aclInit(const char* configPath) {
  return guard(__func__, [&] { runtime::init(configPath); });
}

// Finalising uses no device, so that it works in exit handlers, too.
aclError aclFinalize() {
  return guard_host(__func__, [] { runtime::finalize(); });
}

aclError aclFinalizeReference(uint64_t* refCount) {
  return guard_host(__func__, [&] { runtime::finalize_reference(refCount); });
}

aclError aclInitCallbackRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc, void* userData) {
  return guard(__func__, [&] { runtime::add_init_callback(type, cbFunc, userData); });
}

aclError aclInitCallbackUnRegister(aclRegisterCallbackType type, aclInitCallbackFunc cbFunc) {
  return guard(__func__, [&] { runtime::remove_init_callback(type, cbFunc); });
}

aclError aclFinalizeCallbackRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc, void* userData) {
  return guard(__func__, [&] { runtime::add_finalize_callback(type, cbFunc, userData); });
}

aclError aclFinalizeCallbackUnRegister(aclRegisterCallbackType type, aclFinalizeCallbackFunc cbFunc) {
  return guard(__func__, [&] { runtime::remove_finalize_callback(type, cbFunc); });
}

aclError aclrtGetVersion(int32_t* majorVersion, int32_t* minorVersion, int32_t* patchVersion) {
  return guard(__func__, [&] {
    require(majorVersion, "majorVersion");
    require(minorVersion, "minorVersion");
    require(patchVersion, "patchVersion");
    *majorVersion = ACL_MAJOR_VERSION;
    *minorVersion = ACL_MINOR_VERSION;
    *patchVersion = ACL_PATCH_VERSION;
  });
}

const char* aclrtGetSocName() { return config().soc_name.c_str(); }
