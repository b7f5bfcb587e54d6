#include "api/acl/log_message.hpp"

#include <array>
#include <cstdio>

#include "base/log_types.h"

namespace aclvk::api {

std::string format_message(const char* format, va_list arguments) {
  constexpr std::size_t kMost = MSG_LENGTH;
  const std::string mark = "...[truncated]";
  std::array<char, kMost + 1> text{};
  const int length = std::vsnprintf(text.data(), text.size(), format, arguments);
  if (length < 0) return format;
  if (static_cast<std::size_t>(length) <= kMost) return text.data();
  return std::string(text.data(), kMost - mark.size()) + mark;
}

}  // namespace aclvk::api
