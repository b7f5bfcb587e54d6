#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::api {

// Timeouts in milliseconds: -1 stands for no limit, 0 is refused (runtime-semantics 4.5 and 5.3.5). There are two
// checks, because a value below -1 is refused before the handle is checked, and 0 afterwards.

/// Throws kParamInvalid for values below -1.
void check_timeout_range(std::int32_t milliseconds);
/// Returns the limit, or none for -1. Throws kParamInvalid for 0.
runtime::Timeout timeout_of(std::int32_t milliseconds);

}  // namespace aclvk::api
