#include "runtime/dump/active_dumps.hpp"

#include <unistd.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>

#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"

namespace aclvk::runtime {
namespace detail {

std::atomic<int> target_count{-1};

}  // namespace detail
namespace {

struct State {
  std::mutex mutex;
  bool configured = false;
  std::vector<DumpTargetPtr> targets;
};

State& state() {
  static auto* const state = new State;  // leaked: tasks are dumped until the end of the process
  return *state;
}

std::string configured_folder() {
  std::string folder = config().record;
  const std::size_t position = folder.find("%p");
  if (position != std::string::npos) folder.replace(position, 2, std::to_string(getpid()));
  return folder;
}

// Only logs an error: a program must not fail because its recording cannot be written.
void add_configured(State& s) try {
  if (std::exchange(s.configured, true) || config().record.empty()) return;
  s.targets.push_back(std::make_shared<DumpTarget>(configured_folder(), DumpOptions{}));
} catch (const Error& error) {
  log().error("ACLVK_RECORD is ignored: {}", error.sentence());
}

void count(const State& s) { detail::target_count = static_cast<int>(s.targets.size()); }

}  // namespace

bool detail::find_targets() {
  if (target_count > 0) return true;
  std::lock_guard lock(state().mutex);
  add_configured(state());
  count(state());
  return target_count > 0;
}

std::vector<DumpTargetPtr> dump_targets() {
  std::lock_guard lock(state().mutex);
  return state().targets;
}

void add_dump_target(DumpTargetPtr target) {
  std::lock_guard lock(state().mutex);
  add_configured(state());
  state().targets.push_back(std::move(target));
  count(state());
}

void remove_dump_target(const DumpTargetPtr& target) {
  std::lock_guard lock(state().mutex);
  auto& targets = state().targets;
  targets.erase(std::remove(targets.begin(), targets.end(), target), targets.end());
  add_configured(state());
  count(state());
}

std::uint64_t next_call_number() {
  static std::atomic<std::uint64_t> number{0};
  return ++number;
}

}  // namespace aclvk::runtime
