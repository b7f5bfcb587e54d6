// The driver's interface, as far as programs look functions up in libascend_hal.so. Its codes are the driver's own.
#include "acl/acl_rt.h"
#include "api/loaded/loaded.hpp"

namespace {

constexpr std::int32_t kInvalidValue = 3;
constexpr std::int32_t kNoDevice = 1;
constexpr std::int32_t kNotSupported = 0xFFFE;

}  // namespace

std::int32_t halGetAPIVersion(std::int32_t* version) {
  if (version == nullptr) return kInvalidValue;
  *version = ACL_MAJOR_VERSION * 65536 + ACL_MINOR_VERSION * 256 + ACL_PATCH_VERSION;
  return 0;
}

// The numbers of these facts concern the inside of an NPU: its clock counter, its control processors.
std::int32_t halGetDeviceInfo(std::uint32_t, std::int32_t, std::int32_t, std::int64_t* value) {
  return value == nullptr ? kInvalidValue : kNotSupported;
}

std::int32_t drvGetDevNum(std::uint32_t* count) {
  if (count == nullptr) return kInvalidValue;
  return aclrtGetDeviceCount(count) == 0 ? 0 : kNoDevice;
}
