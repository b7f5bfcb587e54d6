#include "api/base/not_supported.hpp"

#include "api/base/guard.hpp"
#include "base/error.hpp"

namespace aclvk::api {

int not_supported(const char* function) noexcept {
  return guard(function, [&] {
    fail(Code::kFeatureNotSupported, "{0} is not built in aclvk; \"aclvk support {0}\" says what is known about it.",
         function);
  });
}

}  // namespace aclvk::api
