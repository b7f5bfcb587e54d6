#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aclvk {

/// Limits repeated lines of a program that fails in a loop. Counts a line of a kind and returns its number if the line
/// is to be written at its level: the first 100 lines, then each whose number is a power of ten. Returns 0 for the
/// others, which are logged for debugging only. `kind` is a text that is never freed, such as a string literal.
/// Allocates memory only for the first line of a kind. Thread safe.
std::uint64_t count_line(std::string_view kind, int code) noexcept;

/// Returns the suffix of a line with this number, which says how many lines of its kind there were; empty for the first
/// lines.
std::string limit_suffix(std::uint64_t number);

}  // namespace aclvk
