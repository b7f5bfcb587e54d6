#include "runtime/dump/active_dumps.hpp"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace detail {

std::atomic<int> target_count{-1};

}  // namespace detail
namespace {

struct State {
  Mutex mutex;
  bool configured GUARDED_BY(mutex) = false;
  std::atomic<std::uint64_t> calls{0};
  std::vector<DumpTargetPtr> targets GUARDED_BY(mutex);
};

State& state() { return ProcessState<State, StateId::kActiveDumps>::get(); }

std::string configured_folder() {
  std::string folder = config().record;
  const std::size_t position = folder.find("%p");
  if (position != std::string::npos) folder.replace(position, 2, std::to_string(getpid()));
  return folder;
}

// Only logs an error: a program must not fail because its recording cannot be written.
void add_configured(State& s) REQUIRES(s.mutex) {
  try {
    if (std::exchange(s.configured, true) || config().record.empty()) return;
    s.targets.push_back(std::make_shared<DumpTarget>(configured_folder(), DumpOptions{}));
  } catch (const Error& error) {
    log().error("ACLVK_RECORD is ignored: {}", error.sentence());
  }
}

void count(const State& s) REQUIRES(s.mutex) {
  at_process_end(StateId::kDumpCount, [] { detail::target_count = -1; });
  detail::target_count = static_cast<int>(s.targets.size());
}

}  // namespace

bool detail::find_targets() {
  if (target_count > 0) return true;
  const LogDeferral deferral;  // a log listener may launch operators
  const LockGuard lock(state().mutex);
  add_configured(state());
  count(state());
  return target_count > 0;
}

std::vector<DumpTargetPtr> dump_targets() {
  const LockGuard lock(state().mutex);
  return state().targets;
}

void add_dump_target(DumpTargetPtr target) {
  const LogDeferral deferral;  // a log listener may launch operators
  const LockGuard lock(state().mutex);
  add_configured(state());
  state().targets.push_back(std::move(target));
  count(state());
}

void remove_dump_target(const DumpTargetPtr& target) {
  const LogDeferral deferral;
  const LockGuard lock(state().mutex);
  auto& targets = state().targets;
  targets.erase(std::remove(targets.begin(), targets.end(), target), targets.end());
  add_configured(state());
  count(state());
}

std::uint64_t next_call_number() { return ++state().calls; }

}  // namespace aclvk::runtime
