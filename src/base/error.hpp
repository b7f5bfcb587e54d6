#pragma once

#include <fmt/format.h>

#include <exception>
#include <string>
#include <utility>

#include "base/error_code.hpp"

namespace aclvk {

/// A failed check or a failed call below us, on its way to the C boundary, where `api::guard` turns it into a code and
/// keeps the sentence for aclGetRecentErrMsg. Sentences are in the present tense and name the object, its value, what
/// was given and what is expected: "out has shape (2, 3); self and other broadcast to (2, 4)."
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

/// `check(condition, code, "sentence", ...)`: fails with the sentence unless the condition holds.
template <typename... Args>
void check(bool holds, Code code, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) fail(code, format, std::forward<Args>(args)...);
}

}  // namespace aclvk
