#include "api/not_supported.hpp"

#include "api/guard.hpp"
#include "base/error.hpp"

namespace aclvk::api {

int not_supported(const char* function) noexcept {
  return guard(function, [&] {
    fail(Code::kFeatureNotSupported, "{} is not built in aclvk yet; docs/support.md lists what is.", function);
  });
}

}  // namespace aclvk::api
