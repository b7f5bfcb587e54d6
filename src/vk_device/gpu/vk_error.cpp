#include "vk_device/gpu/vk_error.hpp"

#include <fcntl.h>

#include <cerrno>

#include "base/file.hpp"

namespace aclvk::vk {

namespace {

// Returns true when the process has no free file descriptors. Drivers that open one for each allocation then report a
// lack of memory.
bool out_of_files() {
  const File file(open("/dev/null", O_RDONLY | O_CLOEXEC));
  return !file.open() && (errno == EMFILE || errno == ENFILE);
}

}  // namespace

void fail_vulkan(::vk::Result result, const std::string& doing) {
  const bool memory = result == ::vk::Result::eErrorOutOfHostMemory || result == ::vk::Result::eErrorOutOfDeviceMemory;
  check(!memory || !out_of_files(), Code::kMemoryAllocation,
        "Vulkan answers {} when {}; the process may not open more files (ulimit -n), of which each block of memory is "
        "one.",
        ::vk::to_string(result), doing);
  fail(memory ? Code::kMemoryAllocation : Code::kDriverError, "Vulkan answers {} when {}.", ::vk::to_string(result),
       doing);
}

}  // namespace aclvk::vk
