#include "runtime/memory/host_probe.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>

namespace aclvk::runtime {

bool host_readable(const void* pointer, std::uint64_t bytes) {
  const auto first = reinterpret_cast<std::uintptr_t>(pointer);
  const std::uintptr_t last = first + bytes - 1;
  if (last < first) return false;
  std::array<std::byte, 2> seen{};
  const iovec local{seen.data(), seen.size()};
  const std::array<iovec, 2> remote{{{reinterpret_cast<void*>(first), 1}, {reinterpret_cast<void*>(last), 1}}};
  const ssize_t read = process_vm_readv(getpid(), &local, 1, remote.data(), remote.size(), 0);
  if (read < 0) return errno != EFAULT;  // containers may forbid the call altogether
  return read == static_cast<ssize_t>(seen.size());
}

}  // namespace aclvk::runtime
