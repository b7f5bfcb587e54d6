#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "base/error_code.hpp"

namespace aclvk {

/// The exception of the library: a failed check, or a failed call of Vulkan or the system. At the C boundary,
/// `api::guard` converts it into a return code and stores the sentence for aclGetRecentErrMsg. A sentence is in the
/// present tense and names the object, its value and the expectation: "out has shape (2, 3); self and other broadcast
/// to (2, 4)."
class Error : public std::exception {
 public:
  Error(Code code, std::string sentence) : code_(code), sentence_(std::move(sentence)) {}

  Code code() const noexcept { return code_; }
  const std::string& sentence() const noexcept { return sentence_; }
  const char* what() const noexcept override { return sentence_.c_str(); }

 private:
  Code code_;
  std::string sentence_;
};

/// Throws Error(code, fmt::format(format, args...)).
template <typename... Args>
[[noreturn]] void fail(Code code, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(code, fmt::format(format, std::forward<Args>(args)...));
}

/// Throws like fail() unless the condition holds.
template <typename... Args>
void check(bool holds, Code code, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) fail(code, format, std::forward<Args>(args)...);
}

}  // namespace aclvk
