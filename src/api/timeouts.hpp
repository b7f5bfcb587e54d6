#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::api {

// Timeouts in milliseconds, where -1 means for ever and 0 is refused (runtime-semantics 4.5 and 5.3.5). The two checks
// happen at different moments: a value below -1 is found before the handle is looked at, 0 afterwards.

void check_timeout_range(std::int32_t milliseconds);
runtime::Timeout timeout_of(std::int32_t milliseconds);

}  // namespace aclvk::api
