#include "runtime/device/device_process.hpp"

#include <pthread.h>
#include <unistd.h>

#include <atomic>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

std::atomic<bool> ended{false};
std::atomic<pid_t> owner{0};
std::atomic<pid_t> owner_of_parent{0};  // in a forked child: the ancestor that owns the devices; else 0

void register_fork_handler() {
  pthread_atfork(nullptr, nullptr, [] { owner_of_parent = owner.load(); });
}

}  // namespace

// The process that opens a device first owns all devices. It registers the handler once.
void own_devices() {
  pid_t none = 0;
  if (owner.compare_exchange_strong(none, getpid())) register_fork_handler();
}

bool owns_devices() { return getpid() == owner; }

void end_use_of_devices() { ended = true; }

bool process_exiting() { return ended; }

void check_process_has_devices() {
  check(!ended, Code::kContextRelease, "The process is ending; its devices are at rest for good.");
  const pid_t parent = owner_of_parent.load(std::memory_order_relaxed);
  if (parent == 0) return;  // on the path of every call: getpid() would be a system call
  fail(Code::kContextRelease,
       "Process {} was forked from process {}, which had opened a device; devices and streams stay there. Fork before "
       "the first use of a device, or start a new program (exec; in Python the start method \"spawn\").",
       getpid(), parent);
}

}  // namespace aclvk::runtime
