#include "vk_device/memory/host_pages.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace aclvk::vk {
namespace {

// Truncating a mapped file makes accesses to it fail with SIGBUS, so both seals are required of other processes' files.
constexpr int kFixedSize = F_SEAL_SHRINK | F_SEAL_GROW;

}  // namespace

HostPages::HostPages(std::uint64_t bytes)
    : file_(memfd_create("aclvk", MFD_CLOEXEC | MFD_ALLOW_SEALING)), bytes_(bytes) {
  const bool made = file_.open() && ftruncate(file_.fd(), static_cast<off_t>(bytes)) == 0 &&
                    fcntl(file_.fd(), F_ADD_SEALS, kFixedSize | F_SEAL_SEAL) == 0;
  check(made, Code::kMemoryAllocation, "The system has no {} bytes of shareable memory: {}.", bytes,
        std::strerror(errno));
}

HostPages::HostPages(File file, std::uint64_t bytes) : file_(std::move(file)), bytes_(bytes) {
  struct stat status {};
  const bool sealed = file_.open() && (fcntl(file_.fd(), F_GET_SEALS) & kFixedSize) == kFixedSize;
  const bool whole = sealed && fstat(file_.fd(), &status) == 0 && static_cast<std::uint64_t>(status.st_size) == bytes;
  check(whole, Code::kParamInvalid, "The other process sent a file that is not {} bytes of shareable memory.", bytes);
}

File HostPages::export_file(SharedBacking& out) const {
  File file(dup(file_.fd()));
  check(file.open(), Code::kMemoryAllocation, "The file of {} shared bytes cannot be duplicated: {}.", bytes_,
        std::strerror(errno));
  out = {SharedBacking::Kind::kHostPages, bytes_, 0};
  return file;
}

}  // namespace aclvk::vk
