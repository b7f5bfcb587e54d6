#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

// Device memory that several processes share (runtime-semantics 7.6, docs/adr/0017).

constexpr std::size_t kKeyBytes = ShareKey::kTextSize + 1;  ///< size of a key as text, with its terminating zero

/// Returns a key for a range inside one allocation of aclrtMalloc. Throws kParamInvalid for other memory.
std::string export_memory(void* pointer, std::uint64_t bytes, bool to_all);
/// Imports the range that another process has exported, on the current device. A key that is open already gives the
/// same pointer and counts one more use.
void* open_memory(const std::string& key);
/// In the exporting process, withdraws the key. In an importing process, drops one use; the last one ends the pointer.
void close_memory(const std::string& key);
void allow_memory(const std::string& key, const std::vector<pid_t>& processes);
/// Throws kParamInvalid for a key that this process has neither exported nor opened.
void check_memory_key(const std::string& key);

}  // namespace aclvk::runtime
