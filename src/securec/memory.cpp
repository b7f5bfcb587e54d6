#include <algorithm>
#include <cstdint>
#include <cstring>

#include "securec/securec.hpp"

namespace aclvk::securec {
namespace {

/// Returns EOK or the error of the arguments; on an error, zeroes the destination if it is valid.
errno_t check(void* dest, std::size_t size, const void* src, std::size_t count) {
  if (!is_size(size)) return ERANGE;
  if (dest == nullptr) return EINVAL;
  if (src != nullptr && count <= size) return EOK;
  std::memset(dest, 0, size);
  return src == nullptr ? EINVAL_AND_RESET : ERANGE_AND_RESET;
}

}  // namespace

bool overlap(const void* one, const void* other, std::size_t size) {
  const auto a = reinterpret_cast<std::uintptr_t>(one);
  const auto b = reinterpret_cast<std::uintptr_t>(other);
  return a != b && (a < b ? b - a : a - b) < size;
}

}  // namespace aclvk::securec

errno_t memcpy_s(void* dest, size_t destMax, const void* src, size_t count) {
  const errno_t error = aclvk::securec::check(dest, destMax, src, count);
  if (error != EOK || dest == src) return error;
  if (aclvk::securec::overlap(dest, src, count)) {
    std::memset(dest, 0, destMax);
    return EOVERLAP_AND_RESET;
  }
  std::memcpy(dest, src, count);
  return EOK;
}

errno_t memmove_s(void* dest, size_t destMax, const void* src, size_t count) {
  const errno_t error = aclvk::securec::check(dest, destMax, src, count);
  if (error == EOK) std::memmove(dest, src, count);
  return error;
}

errno_t memset_s(void* dest, size_t destMax, int c, size_t count) {
  if (!aclvk::securec::is_size(destMax)) return ERANGE;
  if (dest == nullptr) return EINVAL;
  std::memset(dest, c, std::min(count, destMax));
  return count > destMax ? ERANGE_AND_RESET : EOK;
}
