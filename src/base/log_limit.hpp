#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace aclvk {

/// A program that fails in a loop would fill the log. Counts a line of a kind, and returns its number when it is to be
/// written as what it is: the first 100 are, and then each whose number is a power of ten. 0 for the others, which are
/// for who debugs. `kind` lives for ever: a function's name, a string literal. Takes no memory once the kind is known.
std::uint64_t count_line(std::string_view kind, int code) noexcept;

/// What is added to a line with such a number: which of its kind it is, and that others are left out.
std::string limit_suffix(std::uint64_t number);

}  // namespace aclvk
