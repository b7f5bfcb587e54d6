#pragma once

#include <cstdint>
#include <string>

namespace aclvk::api {

// What the functions that share things between processes have in common.

/// Throws kParamInvalid for flags above the largest one.
void check_share_flags(std::uint64_t flags, std::uint64_t largest);
/// The text that a program passes as a key; no more of it is read than a key has.
std::string key_of(const char* key);
/// Throws kFeatureNotSupported.
[[noreturn]] void refuse_other_servers();

}  // namespace aclvk::api
