#include "runtime/dump/dump.hpp"

#include <unistd.h>

#include <chrono>
#include <ctime>
#include <memory>
#include <utility>

#include "base/at_fork_lock.hpp"
#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/dump/active_dumps.hpp"

namespace aclvk::runtime {
namespace {

constexpr std::uint32_t kOperatorArguments = 1;  // ACL_OP_DUMP_OP_AICORE_ARGS, the only type
constexpr const char* kExceptions = "extra-info/data-dump";

enum class Owner { kNone, kInit, kProgram };

/// The state of all dumps. The mutex is held for single reads and changes, not while folders are made or lines logged.
/// It is taken before the mutex of the active targets.
struct State {
  Mutex mutex;
  AtForkLock held{mutex};
  Owner owner GUARDED_BY(mutex) = Owner::kNone;
  std::optional<DumpConfig> config GUARDED_BY(mutex);
  DumpTargetPtr target GUARDED_BY(mutex);     // of the dump
  DumpTargetPtr arguments GUARDED_BY(mutex);  // of aclopStartDumpArgs
};

// Not destroyed at exit: aclFinalize is often called by destructors of the program's statics.
State& state() { return ProcessState<State, StateId::kDump>::get(); }
[[maybe_unused]] const bool kMade = (state(), true);  // at load time: this must not race with a fork

/// Returns <dump_path>/<time>_<process>, so that no dump overwrites files of another.
std::string new_folder(const std::string& path) {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm local{};
  localtime_r(&now, &local);
  char text[32];
  std::strftime(text, sizeof(text), "%Y%m%d%H%M%S", &local);
  return fmt::format("{}/{}_{}", path, text, getpid());
}

void drop(DumpTargetPtr& target) {
  if (target) remove_dump_target(target);
  target.reset();
}

void end(State& s) REQUIRES(s.mutex) {
  drop(s.target);
  s.config.reset();
  s.owner = Owner::kNone;
}

void check_running(const State& s) REQUIRES(s.mutex) {
  check(s.owner == Owner::kProgram, Code::kDumpNotRun, "{}",
        s.owner == Owner::kInit ? "The dump is that of aclInit's configuration, and ends with aclFinalize."
                                : "aclmdlInitDump has not been called.");
}

void check_no_argument_dump(const State& s) REQUIRES(s.mutex) {
  check(!s.arguments, Code::kDumpAlreadyRun, "Arguments are dumped to \"{}\" already.",
        s.arguments ? s.arguments->folder : "");
}

void log_start(const DumpConfig& config, const DumpTargetPtr& target) {
  if (target) {
    log().info("Operators are dumped to \"{}\".", target->folder);
  } else if (config.scene.empty()) {
    log().warn("The dump section switches nothing on; operators are dumped with \"dump_op_switch\": \"on\".");
  }
}

void start(const DumpConfig& config, Owner owner) {
  dump_active();  // reads ACLVK_RECORD first, and logs an error of it, before the mutex is taken
  DumpTargetPtr made;
  if (config.operators) made = std::make_shared<DumpTarget>(new_folder(config.path), config.options);
  State& s = state();
  {
    const LockGuard lock(s.mutex);
    if (owner == Owner::kProgram) check_running(s);  // another thread may have ended it
    drop(s.target);
    s.config = config;
    s.target = made;
    s.owner = owner;
    if (made) add_dump_target(made);
  }
  log_start(config, made);
}

std::string scene_of(DumpKind kind) {
  switch (kind) {
    case DumpKind::kBriefException: return "aic_err_brief_dump";
    case DumpKind::kNormalException: return "aic_err_norm_dump";
    case DumpKind::kDetailedException: return "aic_err_detail_dump";
    case DumpKind::kData:
    case DumpKind::kOverflow: break;
  }
  return "";
}

}  // namespace

void open_program_dump() {
  const LockGuard lock(state().mutex);
  check(state().owner == Owner::kNone, Code::kDumpAlreadyRun, "{}",
        state().owner == Owner::kInit ? "aclInit's configuration has a dump section; that dump runs."
                                      : "aclmdlInitDump has been called already.");
  state().owner = Owner::kProgram;
}

void check_program_dump() {
  const LockGuard lock(state().mutex);
  check_running(state());
}

void start_program_dump(const DumpConfig& config) { start(config, Owner::kProgram); }

void close_program_dump() {
  const LockGuard lock(state().mutex);
  check_running(state());
  end(state());
}

void start_configured_dump(const std::optional<DumpConfig>& config) {
  if (config) start(*config, Owner::kInit);
}

void end_all_dumps() {
  const LockGuard lock(state().mutex);
  end(state());
  drop(state().arguments);
}

void start_argument_dump(std::uint32_t type, const char* path) {
  check(type == kOperatorArguments, Code::kInvalidParam, "dumpType is {}; {} is expected.", type, kOperatorArguments);
  check(path != nullptr && *path != '\0', Code::kInvalidParam, "path names no folder.");
  dump_active();  // as above
  State& s = state();
  {
    const LockGuard lock(s.mutex);
    check_no_argument_dump(s);  // before the new target, which truncates the file of a running dump to the same folder
  }
  DumpOptions options;
  options.values = DumpOptions::Values::kNone;
  options.to_listener = true;
  auto made = std::make_shared<DumpTarget>(path, std::move(options));
  const LockGuard lock(s.mutex);
  check_no_argument_dump(s);  // another thread may have started one
  add_dump_target(made);
  s.arguments = std::move(made);
}

void stop_argument_dump(std::uint32_t type) {
  check(type == kOperatorArguments, Code::kInvalidParam, "dumpType is {}; {} is expected.", type, kOperatorArguments);
  const LockGuard lock(state().mutex);
  check(state().arguments != nullptr, Code::kDumpNotRun, "aclopStartDumpArgs has not been called.");
  drop(state().arguments);
}

// A dump of overflows is a dump of data with another name; "lite_exception" is another name of "aic_err_brief_dump".
std::string dump_folder(DumpKind kind) {
  State& s = state();
  const LockGuard lock(s.mutex);
  if (kind == DumpKind::kData) return s.target && !s.target->options.only_overflow ? s.target->folder : "";
  if (kind == DumpKind::kOverflow) return s.target && s.target->options.only_overflow ? s.target->folder : "";
  if (!s.config || s.config->path.empty()) return "";
  const std::string scene = s.config->scene == "lite_exception" ? "aic_err_brief_dump" : s.config->scene;
  return !scene.empty() && scene == scene_of(kind) ? fmt::format("{}/{}", s.config->path, kExceptions) : "";
}

std::string exception_folder(std::uint32_t device) {
  std::string base = config().work_path.empty() ? "." : config().work_path;
  const LockGuard lock(state().mutex);
  if (state().config && !state().config->scene.empty() && !state().config->path.empty()) base = state().config->path;
  return fmt::format("{}/{}/{}", base, kExceptions, device);
}

}  // namespace aclvk::runtime
