#include "vk_device/gpu/host_memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "base/host_page.hpp"

namespace aclvk::vk {
namespace {

// The file holds "max" when there is no limit; then no number is read.
std::uint64_t limit_in(const char* path) {
  std::ifstream file(path);
  std::uint64_t bytes = 0;
  return file >> bytes && bytes > 0 ? bytes : UINT64_MAX;
}

}  // namespace

std::uint64_t host_memory_bytes() {
  const auto pages = static_cast<std::uint64_t>(std::max(0L, sysconf(_SC_PHYS_PAGES)));
  // cgroup v2, and v1.
  const std::uint64_t limit =
      std::min(limit_in("/sys/fs/cgroup/memory.max"), limit_in("/sys/fs/cgroup/memory/memory.limit_in_bytes"));
  return std::min(pages * host_page_bytes(), limit);
}

}  // namespace aclvk::vk
