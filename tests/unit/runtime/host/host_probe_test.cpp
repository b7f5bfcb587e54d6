#include "runtime/host/host_probe.hpp"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/folder.hpp"

namespace aclvk::runtime {
namespace {

// Ranges of up to 32 KiB, of up to 4 MiB and of more are checked in different ways.
constexpr std::uint64_t kSizes[] = {100, std::uint64_t{1} << 20, std::uint64_t{8} << 20};

enum class Outcome : int { kRight, kRefused, kAccepted, kNoRoot };

Outcome probe_all_sizes() {
  for (const std::uint64_t bytes : kSizes) {
    std::vector<std::byte> memory(bytes);
    for (const HostAccess access : {HostAccess::kRead, HostAccess::kWrite}) {
      if (!host_accessible(memory.data(), bytes, access)) return Outcome::kRefused;
    }
    void* const gone = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    munmap(gone, bytes);
    if (host_accessible(gone, bytes, HostAccess::kRead)) return Outcome::kAccepted;
  }
  return Outcome::kRight;
}

/// Probes in a child whose root folder is empty, so that it has no /proc.
Outcome probe_without_proc(const test::Folder& empty) {
  const pid_t child = fork();
  if (child == 0) {
    const bool moved =
        chroot(empty.path().c_str()) == 0 || (unshare(CLONE_NEWUSER) == 0 && chroot(empty.path().c_str()) == 0);
    _exit(static_cast<int>(moved ? probe_all_sizes() : Outcome::kNoRoot));
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  return static_cast<Outcome>(WEXITSTATUS(status));
}

TEST(HostProbe, KnowsWhatIsMapped) { EXPECT_EQ(probe_all_sizes(), Outcome::kRight); }

TEST(HostProbe, AcceptsMemoryWithoutProc) {
  const test::Folder empty;
  const Outcome outcome = probe_without_proc(empty);
  if (outcome == Outcome::kNoRoot) GTEST_SKIP() << "the process may not change its root folder";
  EXPECT_EQ(outcome, Outcome::kRight);
}

}  // namespace
}  // namespace aclvk::runtime
