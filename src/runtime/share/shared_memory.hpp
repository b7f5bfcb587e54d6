#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

// Device memory that several processes use (runtime-semantics 7.6).

constexpr std::size_t kKeyBytes = ShareKey::kTextSize + 1;  ///< of a key in text, with its end

/// A key for the bytes, which lie in one allocation of aclrtMalloc. Throws kParamInvalid.
std::string export_memory(void* pointer, std::uint64_t bytes, bool to_all);
/// The pointer to the bytes that another process exported, on the current device. A key that is open already gives the
/// same pointer, and has to be closed once more.
void* open_memory(const std::string& key);
/// In the process that exported it, nobody can open it any more; in one that opened it, the pointer ends.
void close_memory(const std::string& key);
void allow_memory(const std::string& key, const std::vector<pid_t>& processes);
/// Throws kParamInvalid for a key that this process has neither exported nor opened.
void check_memory_key(const std::string& key);

}  // namespace aclvk::runtime
