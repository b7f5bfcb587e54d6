#include "runtime/host/process_map.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <sys/ioctl.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <string>

#include "base/file.hpp"

namespace aclvk::runtime {
namespace {

constexpr const char* kMapsPath = "/proc/self/maps";

// struct procmap_query of linux/fs.h, which older headers lack.
struct ProcmapQuery {
  std::uint64_t size = sizeof(ProcmapQuery);
  std::uint64_t flags = 0;  // 0: only a mapping that contains the address
  std::uint64_t address = 0;
  std::uint64_t start = 0;
  std::uint64_t end = 0;
  std::uint64_t access = 0;
  std::uint64_t page_bytes = 0;
  std::uint64_t offset = 0;
  std::uint64_t inode = 0;
  std::uint32_t device_major = 0;
  std::uint32_t device_minor = 0;
  std::uint32_t name_bytes = 0;
  std::uint32_t build_id_bytes = 0;
  std::uint64_t name = 0;
  std::uint64_t build_id = 0;
};
static_assert(sizeof(ProcmapQuery) == 104);

constexpr auto kProcmapQuery = _IOC(_IOC_READ | _IOC_WRITE, 'f', 17, sizeof(ProcmapQuery));
constexpr std::uint64_t kReadable = 1;
constexpr std::uint64_t kWritable = 2;

/// The descriptor of /proc/self/maps; negative before the first query. A forked child opens one of its own: the
/// inherited descriptor shows the memory of the parent.
std::atomic<int> maps_file{-1};

// Returns 0 or an errno. ENOENT means that nothing is mapped at the address; open() fails with it too where /proc is
// not mounted, so that case returns EAGAIN. The program may have closed the descriptor, as daemons close all of theirs,
// and its number may belong to another file by now. Then this opens a new one and does not close the old number.
int run_query(ProcmapQuery& query) {
  static const int watched = pthread_atfork(nullptr, nullptr, [] { maps_file = -1; });
  static_cast<void>(watched);
  const int known = maps_file;
  if (known >= 0 && ioctl(known, kProcmapQuery, &query) == 0) return 0;
  if (known >= 0 && errno == ENOENT) return ENOENT;
  File file(open(kMapsPath, O_RDONLY | O_CLOEXEC));
  if (!file.open()) return errno == ENOENT ? EAGAIN : errno;
  if (ioctl(file.fd(), kProcmapQuery, &query) != 0) return errno;
  int expected = known;
  if (maps_file.compare_exchange_strong(expected, file.fd())) file.release();
  return 0;
}

}  // namespace

Mapping query_mapping(std::uint64_t address) {
  static std::atomic<bool> unknown_to_kernel{false};
  if (unknown_to_kernel) return {};
  ProcmapQuery query;
  query.address = address;
  Mapping found;
  const int error = run_query(query);
  if (error == 0) {
    found = {Mapping::Kind::kMapped, query.end, (query.access & kReadable) != 0, (query.access & kWritable) != 0,
             query.inode != 0};
  } else if (error == ENOENT) {
    found.kind = Mapping::Kind::kNothing;
  } else if (error == ENOTTY || error == EACCES || error == EPERM || error == ENOSYS) {
    unknown_to_kernel = true;
  }
  return found;
}

Mapping read_mapping(std::uint64_t address) {
  std::ifstream list(kMapsPath);
  if (!list) return {};
  Mapping found{Mapping::Kind::kNothing};
  for (std::string line; std::getline(list, line);) {
    unsigned long long start = 0;
    unsigned long long end = 0;
    unsigned long long inode = 0;
    char access[5] = {};
    if (std::sscanf(line.c_str(), "%llx-%llx %4s %*s %*s %llu", &start, &end, access, &inode) != 4) return {};
    if (address < start || address >= end) continue;
    return {Mapping::Kind::kMapped, end, access[0] == 'r', access[1] == 'w', inode != 0};
  }
  return list.eof() ? found : Mapping{};
}

}  // namespace aclvk::runtime
