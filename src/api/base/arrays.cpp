#include "api/base/arrays.hpp"

#include "runtime/host/host_probe.hpp"

namespace aclvk::api::detail {

void check_bytes(const void* first, std::size_t count, std::size_t element_bytes, const char* name, Code code) {
  constexpr std::size_t kTrusted = 4096;  // bytes; nearly all arrays are shorter, and the check is a system call
  std::size_t bytes = 0;
  const bool possible = !__builtin_mul_overflow(count, element_bytes, &bytes);
  if (possible && bytes <= kTrusted) return;
  check(possible && runtime::host_accessible(first, bytes, runtime::HostAccess::kRead), code,
        "{} ({}) with {} elements of {} bytes is not memory of this process.", name, first, count, element_bytes);
}

}  // namespace aclvk::api::detail
