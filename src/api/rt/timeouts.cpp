#include "api/rt/timeouts.hpp"

#include "base/error.hpp"

namespace aclvk::api {

void check_timeout_range(std::int32_t milliseconds) {
  check(milliseconds >= -1, Code::kParamInvalid, "timeout is {} ms; -1 (for ever) or a positive number is expected.",
        milliseconds);
}

runtime::Timeout timeout_of(std::int32_t milliseconds) {
  check(milliseconds != 0, Code::kParamInvalid, "timeout is 0 ms; -1 (for ever) or a positive number is expected.");
  if (milliseconds < 0) return {};
  return std::chrono::milliseconds{milliseconds};
}

}  // namespace aclvk::api
