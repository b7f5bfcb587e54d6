// acl/rt/group.h: groups of cores. A device is one group.
#include <cstring>
#include <memory>

#include "acl/acl_rt.h"
#include "api/base/created.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/context/core_group.hpp"

using namespace aclvk;
using api::created;
using api::guard;
using api::guard_host;
using api::require;
using runtime::group_info_handles;

namespace {

std::shared_ptr<runtime::GroupInfo> info_of(const aclrtGroupInfo* handle) {
  require(handle, "groupInfo");
  auto info = group_info_handles().find(handle);
  check(info != nullptr, Code::kInvalidParam, "groupInfo {} is not a live description of groups.",
        static_cast<const void*>(handle));
  return info;
}

}  // namespace

aclError aclrtSetGroup(int32_t groupId) {
  return guard(__func__, [&] { runtime::check_core_group(groupId); });
}

aclError aclrtGetGroupCount(uint32_t* count) {
  return guard(__func__, [&] {
    require(count, "count");
    *count = static_cast<uint32_t>(runtime::core_groups().size());
  });
}

aclrtGroupInfo* aclrtCreateGroupInfo() {
  return created<aclrtGroupInfo>(__func__,
                                 [] { return group_info_handles().insert(std::make_shared<runtime::GroupInfo>()); });
}

aclError aclrtDestroyGroupInfo(aclrtGroupInfo* groupInfo) {
  return guard_host(__func__, [&] {
    info_of(groupInfo);
    group_info_handles().remove(groupInfo);
  });
}

aclError aclrtGetAllGroupInfo(aclrtGroupInfo* groupInfo) {
  return guard(__func__, [&] {
    const auto info = info_of(groupInfo);
    info->groups = runtime::core_groups();
  });
}

aclError aclrtGetGroupInfoDetail(const aclrtGroupInfo* groupInfo, int32_t groupIndex, aclrtGroupAttr attr,
                                 void* attrValue, size_t valueLen, size_t* paramRetSize) {
  return guard_host(__func__, [&] {
    const auto info = info_of(groupInfo);
    require(attrValue, "attrValue");
    require(paramRetSize, "paramRetSize");
    const int32_t value = runtime::group_attribute(*info, groupIndex, static_cast<int>(attr));
    check(valueLen >= sizeof(value), Code::kInvalidParam, "valueLen is {}; the attribute has {} bytes.", valueLen,
          sizeof(value));
    std::memcpy(attrValue, &value, sizeof(value));
    *paramRetSize = sizeof(value);
  });
}
