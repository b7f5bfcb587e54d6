#include "runtime/failure/failed_task.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <vector>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/kernel/binary.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::runtime {
namespace {

struct Registry {
  Mutex mutex;
  FailureListener primary GUARDED_BY(mutex) = nullptr;
  std::vector<FailureListener> additional GUARDED_BY(mutex);
  std::map<std::uint32_t, std::uint32_t> last_codes GUARDED_BY(mutex);  // by device
};

using State = ProcessState<Registry, StateId::kFailures>;

Registry& registry() { return State::get(); }
[[maybe_unused]] const bool kMade = (registry(), true);  // when the library is loaded: a failure may be one of memory

// The failure that a listener on this thread handles, for the calls that ask about it.
thread_local const FailedTask* current = nullptr;

/// Sets the failure that is passed to the calling thread's listeners. A listener of a program in C++ may throw.
class CurrentFailure {
 public:
  explicit CurrentFailure(const FailedTask& failed) { current = &failed; }
  ~CurrentFailure() { current = nullptr; }
  CurrentFailure(const CurrentFailure&) = delete;
  CurrentFailure& operator=(const CurrentFailure&) = delete;
};

// Returns a copy: a listener may add and remove listeners, so the registry is not locked while it runs.
std::vector<FailureListener> listeners() {
  const LockGuard lock(registry().mutex);
  std::vector<FailureListener> all = registry().additional;
  if (registry().primary) all.insert(all.begin(), registry().primary);
  return all;
}

void check_listener(FailureListener listener) { check(listener, Code::kParamInvalid, "callback is NULL."); }

}  // namespace

void describe(const Task& task, FailedTask& failed) {
  const auto* kernel = std::get_if<KernelTask>(&task);
  if (!kernel || !kernel->function) return;
  failed.function = kernel->function;
  if (auto block = Function::pack(*kernel); !block.empty()) {
    failed.arguments = std::make_shared<std::vector<std::byte>>(std::move(block));
  }
}

// aclrtExceptionInfo has the Linux thread id. Cached, because each launch needs it.
std::uint32_t this_thread_id() {
  static thread_local const auto id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return id;
}

void set_failure_listener(FailureListener listener) {
  const LockGuard lock(registry().mutex);
  registry().primary = listener;
}

void add_failure_listener(FailureListener listener) {
  check_listener(listener);
  const LockGuard lock(registry().mutex);
  auto& all = registry().additional;
  if (std::find(all.begin(), all.end(), listener) == all.end()) all.push_back(listener);
}

void remove_failure_listener(FailureListener listener) {
  check_listener(listener);
  const LockGuard lock(registry().mutex);
  auto& all = registry().additional;
  all.erase(std::remove(all.begin(), all.end(), listener), all.end());
}

void remove_failure_listeners() {
  const LockGuard lock(registry().mutex);
  registry().primary = nullptr;
  registry().additional.clear();
}

bool has_failure_listeners() { return !listeners().empty() || binaries_have_failure_listener(); }

// Takes a copy of the failure: a listener gets a mutable pointer to it.
void call_failure_listeners(FailedTask failed) {
  const CurrentFailure scope(failed);
  for (const FailureListener listener : listeners()) listener(&failed);
  if (const BinaryPtr binary = binary_of_function(failed.function)) binary->notify_failure(failed);
}

const FailedTask* current_failure() { return current; }

std::optional<std::uint32_t> last_failure(std::uint32_t device_id) {
  const LockGuard lock(registry().mutex);
  const auto found = registry().last_codes.find(device_id);
  if (found == registry().last_codes.end()) return {};
  return found->second;
}

void set_last_failure(const FailedTask& failed) {
  const LockGuard lock(registry().mutex);
  registry().last_codes[failed.device_id] = failed.code;
}

// Creates no registry in a later Process: aclrtResetDevice calls this when it can no longer fail for lack of memory.
void clear_last_failure(std::uint32_t device_id) {
  Registry* existing = State::find();
  if (!existing) return;
  const LockGuard lock(existing->mutex);
  existing->last_codes.erase(device_id);
}

}  // namespace aclvk::runtime
