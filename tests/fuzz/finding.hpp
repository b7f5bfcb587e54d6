#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace aclvk::fuzz {

/// Ends the process with a sentence about what must not be: the fuzzer keeps the input.
template <typename... Args>
[[noreturn]] void finding(fmt::format_string<Args...> sentence, Args&&... args) {
  std::fputs((fmt::format(sentence, std::forward<Args>(args)...) + "\n").c_str(), stderr);
  std::abort();
}

template <typename... Args>
void expect(bool condition, fmt::format_string<Args...> sentence, Args&&... args) {
  if (!condition) finding(sentence, std::forward<Args>(args)...);
}

}  // namespace aclvk::fuzz
