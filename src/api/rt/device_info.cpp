// acl/rt/device_info.h: attributes, topology and limits of devices (runtime-semantics 2.9).
#include <algorithm>
#include <string>

#include "acl/acl_rt.h"
#include "api/base/guard.hpp"
#include "api/base/handles.hpp"
#include "base/config.hpp"
#include "base/error.hpp"
#include "runtime/device/device.hpp"
#include "runtime/device/device_attributes.hpp"
#include "runtime/device/device_limits.hpp"
#include "runtime/device/pci.hpp"
#include "runtime/host/process.hpp"
#include "runtime/memory/cache.hpp"

using namespace aclvk;
using api::guard;
using api::guard_host;
using api::require;

aclError aclrtGetDeviceCapability(int32_t deviceId, aclrtDevFeatureType devFeatureType, int32_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    *value = runtime::feature_of_device(deviceId, static_cast<int>(devFeatureType));
  });
}

aclError aclrtDeviceGetUuid(int32_t deviceId, aclrtUuid* uuid) {
  return guard(__func__, [&] {
    require(uuid, "uuid");
    const auto& bytes = runtime::device_info(deviceId).uuid;
    static_assert(sizeof(uuid->bytes) == sizeof(bytes));
    std::copy(bytes.begin(), bytes.end(), uuid->bytes);
  });
}

aclError aclrtDeviceSetLimit(aclrtDeviceLimit limit, size_t value) {
  return guard_host(__func__, [&] { runtime::set_device_limit(static_cast<int>(limit), value); });
}

aclError aclrtDeviceGetLimit(aclrtDeviceLimit limit, size_t* value) {
  return guard_host(__func__, [&] {
    require(value, "value");
    *value = runtime::device_limit(static_cast<int>(limit));
  });
}

aclError aclrtDeviceGetPCIBusId(int32_t deviceId, char* pciBusId, int32_t len) {
  return guard(__func__, [&] {
    require(pciBusId, "pciBusId");
    check(len > 0, Code::kInvalidParam, "len is {}; a positive number of bytes is expected.", len);
    const std::string address = runtime::pci_address(deviceId);
    check(address.size() < static_cast<size_t>(len), Code::kInvalidParam, "len is {}; \"{}\" needs {} bytes.", len,
          address, address.size() + 1);
    pciBusId[address.copy(pciBusId, address.size())] = '\0';
  });
}

aclError aclrtDeviceGetByPCIBusId(const char* pciBusId, int32_t* deviceId) {
  return guard(__func__, [&] {
    require(pciBusId, "pciBusId");
    require(deviceId, "deviceId");
    *deviceId = runtime::device_at_pci_address(pciBusId);
  });
}

aclError aclrtGetDevicesTopo(uint32_t deviceId, uint32_t otherDeviceId, uint64_t* value) {
  return guard(__func__, [&] {
    require(value, "value");
    const auto way = runtime::topology_of(static_cast<int32_t>(deviceId), static_cast<int32_t>(otherDeviceId));
    *value = static_cast<uint64_t>(way);
  });
}

// Programs look up kernels by the name of a chip; the one chip here is that of aclrtGetSocName.
aclError aclrtCheckArchCompatibility(const char* socVersion, int32_t* canCompatible) {
  return guard_host(__func__, [&] {
    require(socVersion, "socVersion");
    require(canCompatible, "canCompatible");
    *canCompatible = socVersion == config().soc_name ? 1 : 0;
  });
}

aclError aclrtGetHardwareSyncAddr(void** addr) {
  return guard(__func__, [&] {
    require(addr, "addr");
    runtime::current_context();
    fail(
        Code::kFeatureNotSupported,
        "The cores of a Vulkan device have no synchronisation unit with an address; kernels use barriers and atomics.");
  });
}

aclError aclrtDeviceGetBareTgid(int32_t* pid) {
  return guard_host(__func__, [&] {
    require(pid, "pid");
    *pid = runtime::host_process_id();
  });
}

aclError aclrtDeviceL2CacheFlush(void* rsv) {
  return guard(__func__, [&] {
    check(!rsv, Code::kInvalidParam, "rsv is {}; it is reserved, NULL is expected.", rsv);
    runtime::flush_caches(runtime::current_context()->device());
  });
}
