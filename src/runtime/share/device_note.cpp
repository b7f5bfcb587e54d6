#include "runtime/share/device_note.hpp"

#include <cstring>

#include "base/error.hpp"

namespace aclvk::runtime {

void note_device(ShareNote& note, std::size_t at, const Device& device) {
  const auto& uuid = device.gpu().info().uuid;
  std::memcpy(&note[at], uuid.data(), uuid.size());
}

void check_noted_device(const ShareNote& note, std::size_t at, const Device& device) {
  const auto& uuid = device.gpu().info().uuid;
  check(std::memcmp(&note[at], uuid.data(), uuid.size()) == 0, Code::kParamInvalid,
        "The key is of memory of another device than device {}.", device.id);
}

}  // namespace aclvk::runtime
