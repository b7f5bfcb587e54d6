#include <cstring>

#include "securec/securec.hpp"

namespace aclvk::securec {
namespace {

errno_t emptied(char* dest, errno_t error) {
  *dest = '\0';
  return error;
}

/// Copies src, or its first `count` characters, to dest + offset.
errno_t append(char* dest, std::size_t offset, std::size_t size, const char* src, std::size_t count) {
  const std::size_t length = strnlen(src, count);
  if (length >= size - offset) return emptied(dest, ERANGE_AND_RESET);
  // The text that dest holds already counts as destination, too, so the range begins at dest. The terminating 0 of src
  // is read, and may overlap, only if it comes before `count` characters.
  const std::size_t read = length < count ? length + 1 : length;
  const bool overlaps = src < dest ? src + read > dest : dest + offset + length + 1 > src;
  if (src != dest + offset && read != 0 && overlaps) return emptied(dest, EOVERLAP_AND_RESET);
  std::memmove(dest + offset, src, length);
  dest[offset + length] = '\0';
  return EOK;
}

errno_t check(char* dest, std::size_t size, const char* src, std::size_t count) {
  if (!is_size(size)) return ERANGE;
  if (dest == nullptr) return EINVAL;
  if (src == nullptr) return emptied(dest, EINVAL_AND_RESET);
  return count > SECUREC_STRING_MAX_LEN ? emptied(dest, ERANGE_AND_RESET) : EOK;
}

errno_t copy(char* dest, std::size_t size, const char* src, std::size_t count) {
  const errno_t error = check(dest, size, src, count);
  return error == EOK ? append(dest, 0, size, src, count) : error;
}

errno_t concatenate(char* dest, std::size_t size, const char* src, std::size_t count) {
  if (const errno_t error = check(dest, size, src, count); error != EOK) return error;
  const std::size_t offset = strnlen(dest, size);
  return offset == size ? emptied(dest, EINVAL_AND_RESET) : append(dest, offset, size, src, count);
}

}  // namespace
}  // namespace aclvk::securec

errno_t strcpy_s(char* dest, size_t destMax, const char* src) {
  return aclvk::securec::copy(dest, destMax, src, SECUREC_STRING_MAX_LEN);
}

errno_t strncpy_s(char* dest, size_t destMax, const char* src, size_t count) {
  return aclvk::securec::copy(dest, destMax, src, count);
}

errno_t strcat_s(char* dest, size_t destMax, const char* src) {
  return aclvk::securec::concatenate(dest, destMax, src, SECUREC_STRING_MAX_LEN);
}

errno_t strncat_s(char* dest, size_t destMax, const char* src, size_t count) {
  return aclvk::securec::concatenate(dest, destMax, src, count);
}

char* strtok_s(char* token, const char* delimiters, char** context) {
  if (delimiters == nullptr || context == nullptr || (token == nullptr && *context == nullptr)) return nullptr;
  return strtok_r(token, delimiters, context);
}
