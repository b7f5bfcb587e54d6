#include "runtime/host/host_probe.hpp"

#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>

#include "base/host_page.hpp"
#include "runtime/host/process_map.hpp"

namespace aclvk::runtime {
namespace {

// MADV_POPULATE_READ and MADV_POPULATE_WRITE (Linux 5.14; absent from older headers): fault pages in as an access does,
// but return an error instead of raising a signal.
constexpr int kPopulateRead = 22;
constexpr int kPopulateWrite = 23;

/// Up to this size every page is touched, which costs as much as a query of the mapping and works on more kernels.
constexpr std::uint64_t kMaxTouched = 32 << 10;
/// From this size on the time to read /proc/self/maps is small against that of the copy.
constexpr std::uint64_t kMinForList = 4 << 20;

enum class Answer : std::uint8_t { kYes, kNo, kUnknown };

std::uint64_t page_of(std::uint64_t address) { return address / host_page_bytes() * host_page_bytes(); }

// Returns 0 or an errno: EFAULT past the end of a file, ENOMEM where nothing is mapped, EINVAL where the access is not
// allowed, for device mappings, and on kernels without these advices.
int touch(std::uint64_t first, std::uint64_t last, HostAccess access) {
  const std::uint64_t start = page_of(first);
  const std::uint64_t bytes = page_of(last) + host_page_bytes() - start;
  const int advice = access == HostAccess::kRead ? kPopulateRead : kPopulateWrite;
  return madvise(reinterpret_cast<void*>(start), bytes, advice) == 0 ? 0 : errno;
}

bool past_end_of_file(std::uint64_t address) { return touch(address, address, HostAccess::kRead) == EFAULT; }

// Checks the mappings of the range one after the other.
template <typename Find>
Answer all_mapped(std::uint64_t first, std::uint64_t last, HostAccess access, Find&& find) {
  for (std::uint64_t at = first; at <= last;) {
    const Mapping mapping = find(at);
    if (mapping.kind == Mapping::Kind::kUnknown) return Answer::kUnknown;
    if (mapping.kind == Mapping::Kind::kNothing) return Answer::kNo;
    if (!(access == HostAccess::kRead ? mapping.readable : mapping.writable)) return Answer::kNo;
    const std::uint64_t end = std::min(mapping.end - 1, last);
    if (mapping.of_file && past_end_of_file(end)) return Answer::kNo;
    at = end + 1;
  }
  return Answer::kYes;
}

// The check without queries of mappings: msync() fails with ENOMEM where a page of the range is not mapped, and the
// pages at both ends are touched.
Answer ends_accessible(std::uint64_t first, std::uint64_t last, HostAccess access) {
  const std::uint64_t start = page_of(first);
  const bool mapped = msync(reinterpret_cast<void*>(start), last - start + 1, MS_ASYNC) == 0 || errno != ENOMEM;
  if (!mapped) return Answer::kNo;
  for (const std::uint64_t at : {first, last}) {
    if (const int error = touch(at, at, access)) return error == EFAULT ? Answer::kNo : Answer::kUnknown;
  }
  return Answer::kYes;
}

Answer quick_answer(std::uint64_t first, std::uint64_t last, HostAccess access) {
  if (last - first < kMaxTouched) {
    const int error = touch(first, last, access);
    if (error == 0) return Answer::kYes;
    if (error == EFAULT) return Answer::kNo;
  }
  const Answer mapped = all_mapped(first, last, access, query_mapping);
  if (mapped != Answer::kUnknown || last - first >= kMinForList) return mapped;
  return ends_accessible(first, last, access);
}

// Returns whether the first and the last byte can be read: what is left where the operating system answers nothing
// about mappings.
bool ends_readable(std::uint64_t first, std::uint64_t last) {
  std::array<std::byte, 2> seen{};
  const iovec local{seen.data(), seen.size()};
  const std::array<iovec, 2> remote{{{reinterpret_cast<void*>(first), 1}, {reinterpret_cast<void*>(last), 1}}};
  const ssize_t read = process_vm_readv(getpid(), &local, 1, remote.data(), remote.size(), 0);
  if (read < 0) return errno != EFAULT;  // seccomp filters of containers may forbid the call
  return read == static_cast<ssize_t>(seen.size());
}

}  // namespace

const char* access_verb(HostAccess access) { return access == HostAccess::kRead ? "read" : "written to"; }

bool host_accessible(const void* pointer, std::uint64_t bytes, HostAccess access) {
  if (bytes == 0) return true;
  const auto first = reinterpret_cast<std::uintptr_t>(pointer);
  const std::uintptr_t last = first + bytes - 1;
  if (last < first) return false;
  Answer answer = quick_answer(first, last, access);
  if (answer == Answer::kUnknown) answer = all_mapped(first, last, access, read_mapping);
  if (answer == Answer::kUnknown) answer = ends_accessible(first, last, access);
  if (answer == Answer::kUnknown) return ends_readable(first, last);
  return answer == Answer::kYes;
}

}  // namespace aclvk::runtime
