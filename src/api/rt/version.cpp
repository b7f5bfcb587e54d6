// acl/rt/version.h: versions of the CANN packages that aclvk replaces.
#include <string>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "runtime/process/package.hpp"

using namespace aclvk;
using api::guard_host;
using api::require;

namespace {

/// Copies as much of the text as fits, and a NUL.
void copy_text(char* to, std::size_t room, const std::string& text) { to[text.copy(to, room - 1)] = '\0'; }

}  // namespace

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion* version) {
  return guard_host(__func__, [&] {
    require(version, "version");
    const runtime::Version found = runtime::version_of_package(static_cast<int>(name));
    *version = {};
    copy_text(version->version, sizeof(version->version), found.text);
    copy_text(version->majorVersion, sizeof(version->majorVersion), found.major);
    copy_text(version->minorVersion, sizeof(version->minorVersion), found.minor);
    copy_text(version->releaseVersion, sizeof(version->releaseVersion), found.release);
    copy_text(version->patchVersion, sizeof(version->patchVersion), found.patch);
  });
}

aclError aclsysGetVersionStr(char* pkgName, char* versionStr) {
  return guard_host(__func__, [&] {
    require(pkgName, "pkgName");
    require(versionStr, "versionStr");
    copy_text(versionStr, ACL_PKG_VERSION_MAX_SIZE, runtime::version_of_package(pkgName).text);
  });
}

aclError aclsysGetVersionNum(char* pkgName, int32_t* versionNum) {
  return guard_host(__func__, [&] {
    require(pkgName, "pkgName");
    require(versionNum, "versionNum");
    *versionNum = runtime::version_of_package(pkgName).number();
  });
}
