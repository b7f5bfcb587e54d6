#include <algorithm>
#include <cstdio>
#include <cstring>

#include "securec/securec.hpp"

namespace aclvk::securec {
namespace {

/// Returns whether the format contains %n, which is refused because it writes through a pointer.
bool writes_back(const char* format) {
  for (; (format = std::strchr(format, '%')) != nullptr; ++format) {
    // Skips flags, width, precision and length modifiers.
    format += 1 + std::strspn(format + 1, "0123456789 .*+-#'$hlLjztq");
    if (*format == 'n') return true;
    if (*format == '\0') return false;
  }
  return false;
}

/// Prints at most `count` characters. Returns -1 for a longer text: the destination then holds its first `count`
/// characters, or an empty string if `size` was the limit.
int print(char* dest, std::size_t size, std::size_t count, const char* format, va_list arguments) {
  if (dest == nullptr || !is_size(size)) return -1;
  *dest = '\0';
  if (format == nullptr || count > SECUREC_STRING_MAX_LEN || writes_back(format)) return -1;
  const std::size_t capacity = std::min(size, count + 1);
  const int length = std::vsnprintf(dest, capacity, format, arguments);
  if (length >= 0 && static_cast<std::size_t>(length) < capacity) return length;
  if (length < 0 || count >= size) *dest = '\0';
  return -1;
}

}  // namespace
}  // namespace aclvk::securec

int vsprintf_s(char* dest, size_t destMax, const char* format, va_list arguments) {
  return aclvk::securec::print(dest, destMax, SECUREC_STRING_MAX_LEN, format, arguments);
}

int vsnprintf_s(char* dest, size_t destMax, size_t count, const char* format, va_list arguments) {
  return aclvk::securec::print(dest, destMax, count, format, arguments);
}

int sprintf_s(char* dest, size_t destMax, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsprintf_s(dest, destMax, format, arguments);
  va_end(arguments);
  return length;
}

int snprintf_s(char* dest, size_t destMax, size_t count, const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf_s(dest, destMax, count, format, arguments);
  va_end(arguments);
  return length;
}
