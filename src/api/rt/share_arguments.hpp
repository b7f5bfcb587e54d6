#pragma once

#include <cstdint>
#include <string>

namespace aclvk::api {

// Checks of the functions that share memory, events and notifies between processes.

/// Throws kParamInvalid for flags that are neither 0 nor `largest`.
void check_share_flags(std::uint64_t flags, std::uint64_t largest);
/// Returns the text of a key; reads at most the size of a key.
std::string key_of(const char* key);
/// Throws kFeatureNotSupported: Vulkan shares memory within one machine only.
[[noreturn]] void refuse_other_servers();

}  // namespace aclvk::api
