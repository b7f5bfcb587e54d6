// acl/rt/device_id.h. There are three numberings: the user's (devices that ASCEND_RT_VISIBLE_DEVICES leaves,
// renumbered), the logical and the physical one. The last two are both the index of the device in the list of this
// machine.
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "runtime/device/device.hpp"

using namespace aclvk;
using api::guard;
using api::require;

namespace {

int translate(const char* function, int32_t* result, const char* name, int32_t (*translation)(int32_t), int32_t id) {
  return guard(function, [&] {
    require(result, name);
    *result = translation(id);
  });
}

int32_t same_if_visible(int32_t logical) { return runtime::logical_id(runtime::visible_id(logical)); }

}  // namespace

aclError aclrtGetLogicDevIdByUserDevId(const int32_t userDevid, int32_t* const logicDevId) {
  return translate(__func__, logicDevId, "logicDevId", runtime::logical_id, userDevid);
}

aclError aclrtGetUserDevIdByLogicDevId(const int32_t logicDevId, int32_t* const userDevid) {
  return translate(__func__, userDevid, "userDevid", runtime::visible_id, logicDevId);
}

aclError aclrtGetLogicDevIdByPhyDevId(const int32_t phyDevId, int32_t* const logicDevId) {
  return translate(__func__, logicDevId, "logicDevId", same_if_visible, phyDevId);
}

aclError aclrtGetPhyDevIdByLogicDevId(const int32_t logicDevId, int32_t* const phyDevId) {
  return translate(__func__, phyDevId, "phyDevId", same_if_visible, logicDevId);
}

aclError aclrtGetUserDevIdByPhyDevId(const int32_t phyDevId, int32_t* const userDevId) {
  return translate(__func__, userDevId, "userDevId", runtime::visible_id, phyDevId);
}

aclError aclrtGetPhyDevIdByUserDevId(const int32_t userDevId, int32_t* const phyDevId) {
  return translate(__func__, phyDevId, "phyDevId", runtime::logical_id, userDevId);
}
