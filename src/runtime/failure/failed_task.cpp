#include "runtime/failure/failed_task.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <mutex>
#include <new>
#include <vector>

#include "base/error.hpp"
#include "runtime/kernel/binary.hpp"
#include "runtime/kernel/function.hpp"

namespace aclvk::runtime {
namespace {

struct Registry {
  std::mutex mutex;
  FailureListener one = nullptr;
  std::vector<FailureListener> others;
  std::map<std::uint32_t, std::uint32_t> last_codes;  // by device
};

// Never destroyed: tasks may fail while the process exits. Takes no memory: a reset must not fail half way.
Registry& registry() {
  alignas(Registry) static std::byte place[sizeof(Registry)];
  static auto* registry = new (place) Registry;
  return *registry;
}

thread_local const FailedTask* told = nullptr;

// A listener may set others: the list must not be locked while it runs.
std::vector<FailureListener> listeners() {
  std::lock_guard lock(registry().mutex);
  std::vector<FailureListener> all = registry().others;
  if (registry().one) all.insert(all.begin(), registry().one);
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

std::uint32_t this_thread_id() {
  static thread_local const auto id = static_cast<std::uint32_t>(syscall(SYS_gettid));
  return id;
}

void set_failure_listener(FailureListener listener) {
  std::lock_guard lock(registry().mutex);
  registry().one = listener;
}

void add_failure_listener(FailureListener listener) {
  check_listener(listener);
  std::lock_guard lock(registry().mutex);
  auto& all = registry().others;
  if (std::find(all.begin(), all.end(), listener) == all.end()) all.push_back(listener);
}

void remove_failure_listener(FailureListener listener) {
  check_listener(listener);
  std::lock_guard lock(registry().mutex);
  auto& all = registry().others;
  all.erase(std::remove(all.begin(), all.end(), listener), all.end());
}

bool anyone_hears_failures() { return !listeners().empty() || binaries_have_failure_listener(); }

void tell(FailedTask failed) {
  told = &failed;
  for (const FailureListener listener : listeners()) listener(&failed);
  if (const BinaryPtr binary = binary_of_function(failed.function)) binary->notify_failure(failed);
  told = nullptr;
}

const FailedTask* told_failure() { return told; }

std::optional<std::uint32_t> last_failure(std::uint32_t device_id) {
  std::lock_guard lock(registry().mutex);
  const auto found = registry().last_codes.find(device_id);
  if (found == registry().last_codes.end()) return {};
  return found->second;
}

void note_failure(const FailedTask& failed) {
  std::lock_guard lock(registry().mutex);
  registry().last_codes[failed.device_id] = failed.code;
}

void forget_failure(std::uint32_t device_id) {
  std::lock_guard lock(registry().mutex);
  registry().last_codes.erase(device_id);
}

}  // namespace aclvk::runtime
