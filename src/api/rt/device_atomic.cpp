// acl/rt/device_atomic.h: which atomic operations devices can do on memory of the host and of each other.
#include <algorithm>

#include "acl/acl_rt.h"
#include "api/base/arrays.hpp"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/memory/memory_queries.hpp"

using namespace aclvk;
using namespace aclvk::api;

namespace {

void check_arrays(const uint32_t* capabilities, const aclrtAtomicOperation* operations, uint32_t count) {
  require(capabilities, "capabilities");
  require(operations, "operations");
  check(count != 0, Code::kParamInvalid, "count is 0; at least one operation is expected.");
  check_array(operations, count, "operations");
  check_array(capabilities, count, "capabilities");
}

}  // namespace

aclError aclrtDeviceGetHostAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations,
                                              const uint32_t count, int32_t deviceId) {
  return guard(__func__, [&] {
    check_arrays(capabilities, operations, count);
    runtime::check_device_id(deviceId);
    std::transform(operations, operations + count, capabilities,
                   [&](aclrtAtomicOperation operation) { return runtime::host_atomics(deviceId, operation); });
  });
}

aclError aclrtDeviceGetP2PAtomicCapabilities(uint32_t* capabilities, const aclrtAtomicOperation* operations,
                                             const uint32_t count, int32_t srcDeviceId, int32_t dstDeviceId) {
  return guard(__func__, [&] {
    check_arrays(capabilities, operations, count);
    runtime::check_device_id(srcDeviceId);
    runtime::check_device_id(dstDeviceId);
    std::transform(operations, operations + count, capabilities, [&](aclrtAtomicOperation operation) {
      return runtime::peer_atomics(srcDeviceId, dstDeviceId, operation);
    });
  });
}
