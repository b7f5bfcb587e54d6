// acl/rt/memory_fault.h: memory cells that the hardware reported as broken.
#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/device/device.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

void check_array(const aclrtMemUceInfo* infos, size_t size) {
  require(infos, "memUceInfoArray");
  check(size > 0 && size <= MAX_MEM_UCE_INFO_ARRAY_SIZE, Code::kParamInvalid, "arraySize is {}; expected 1 to {}.",
        size, MAX_MEM_UCE_INFO_ARRAY_SIZE);
}

}  // namespace

// A Vulkan device is lost as a whole and never reports single cells, so the list is empty.
aclError aclrtGetMemUceInfo(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize, size_t* retSize) {
  return guard(__func__, [&] {
    require(retSize, "retSize");
    check_array(memUceInfoArray, arraySize);
    runtime::check_device_id(deviceId);
    *retSize = 0;
  });
}

aclError aclrtMemUceRepair(int32_t deviceId, aclrtMemUceInfo* memUceInfoArray, size_t arraySize) {
  return guard(__func__, [&] {
    check_array(memUceInfoArray, arraySize);
    runtime::check_device_id(deviceId);
    fail(Code::kFeatureNotSupported,
         "Address {} cannot be repaired: Vulkan neither reports nor replaces broken memory cells.",
         memUceInfoArray[0].addr);
  });
}
