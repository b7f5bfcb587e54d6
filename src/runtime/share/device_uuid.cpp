#include "runtime/share/device_uuid.hpp"

#include <cstring>

#include "base/error.hpp"

namespace aclvk::runtime {

void write_device_uuid(ShareMetadata& metadata, std::size_t at, const Device& device) {
  const auto& uuid = device.gpu().info().uuid;
  std::memcpy(&metadata[at], uuid.data(), uuid.size());
}

void check_device_uuid(const ShareMetadata& metadata, std::size_t at, const Device& device) {
  const auto& uuid = device.gpu().info().uuid;
  check(std::memcmp(&metadata[at], uuid.data(), uuid.size()) == 0, Code::kParamInvalid,
        "The key is of memory of another device than device {}.", device.id);
}

}  // namespace aclvk::runtime
