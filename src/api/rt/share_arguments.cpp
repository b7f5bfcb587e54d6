#include "api/rt/share_arguments.hpp"

#include <cstring>

#include "base/error.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::api {

void check_share_flags(std::uint64_t flags, std::uint64_t largest) {
  check(flags == 0 || flags == largest, Code::kParamInvalid, "flags is {}; 0 or {} is expected.", flags, largest);
}

std::string key_of(const char* key) { return {key, strnlen(key, runtime::ShareKey::kTextSize)}; }

void refuse_other_servers() {
  fail(Code::kFeatureNotSupported,
       "Vulkan shares memory between processes of one machine; processes of other servers cannot open it.");
}

}  // namespace aclvk::api
