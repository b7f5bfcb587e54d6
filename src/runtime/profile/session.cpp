#include "runtime/profile/session.hpp"

#include <fmt/format.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/at_fork_lock.hpp"
#include "base/config.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "base/log_deferral.hpp"
#include "base/per_process.hpp"
#include "base/process_state.hpp"
#include "runtime/profile/task_times.hpp"

namespace aclvk::runtime::profile {

std::atomic<std::uint32_t> active{kUnknown};

namespace {

namespace fs = std::filesystem;

std::atomic<std::uint64_t> task_devices{0};

// Ids from 64 on have no bit: only a selection of all devices contains them.
bool contains(std::uint64_t devices, std::uint32_t device) {
  return device < 64 ? (devices >> device & 1U) != 0 : devices == Selection::kAllDevices;
}

void reset_active() {
  active = kUnknown;
  task_devices = 0;
  stream_observer = nullptr;
}

// The streams are observed while tasks are profiled.
void set_active(std::uint32_t categories) {
  at_process_end(StateId::kTraceActive, reset_active);
  active = categories;
  stream_observer = (categories & kTasks) != 0 ? &stream_profiler() : nullptr;
}

struct Sessions {
  Mutex mutex;
  std::vector<Session*> open GUARDED_BY(sessions_mutex());
  std::uint32_t models GUARDED_BY(sessions_mutex()) = 0;
  std::uint32_t files GUARDED_BY(sessions_mutex()) = 0;
};

Sessions& sessions() {
  // A forked child does not write to the traces that it inherits.
  static const int watched = pthread_atfork(nullptr, nullptr, [] { set_active(0); });
  static_cast<void>(watched);
  return PerProcess<Sessions, StateId::kTraceSessions>::get();
}

std::string replace_pid(std::string path) {
  const std::size_t at = path.find("%p");
  if (at != std::string::npos) path.replace(at, 2, std::to_string(getpid()));
  return path;
}

// Makes a new file name for a folder. Concatenates text and not fs::path: libstdc++'s path is not safe against a failed
// allocation while one is appended to another.
std::string file_path(const std::string& wanted) {
  std::string path = replace_pid(wanted);
  const bool names_folder = path.empty() || path.back() == '/';
  std::error_code ignored;
  if (!names_folder && !fs::is_directory(path, ignored)) return path;
  fs::create_directories(path, ignored);
  const LockGuard lock(sessions_mutex());
  return fmt::format("{}{}aclvk_{}_{}.json", path, names_folder ? "" : "/", getpid(), ++sessions().files);
}

// Registered at load time, so that it runs after quiesce_at_exit(), which reads the times of the last tasks.
[[maybe_unused]] const int registered = std::atexit(finish_files);

/// The trace of ACLVK_TRACE, which lives until the Process ends. A forked child inherits it, and opens no other.
struct TraceOfEnvironment {
  bool opened = false;
  bool begun = false;
  std::shared_ptr<Session> session;  // null without one
};

// Throws std::bad_alloc, so that the next call tries again.
void open_session(TraceOfEnvironment& trace) {
  if (config().trace.empty()) return;
  try {
    auto session = Session::open(config().trace);
    session->select(&trace, {kCalls | kTasks | kRanges});
    trace.session = std::move(session);
  } catch (const Error& exception) {
    log().error("ACLVK_TRACE is \"{}\": {}", config().trace, exception.what());
  }
}

}  // namespace

Mutex& sessions_mutex() { return sessions().mutex; }

// Combines the selections of all sessions in two atomics, which launches read without a lock.
void update_active() {
  Selection all{sessions().models > 0 ? kModels : 0U, 0};
  for (const Session* session : sessions().open) {
    const Selection one = session->combined();
    all.categories |= one.categories;
    all.devices |= one.devices;
  }
  task_devices = all.devices;
  set_active(all.categories);
}

Session::Session(std::string path, std::uint64_t limit) : file_(std::move(path), limit) {}

std::shared_ptr<Session> Session::open(const std::string& path, std::uint64_t limit) {
  std::shared_ptr<Session> session(new Session(file_path(path), limit));
  const LockGuard lock(sessions_mutex());
  sessions().open.push_back(session.get());
  return session;
}

Session::~Session() {
  const LockGuard lock(sessions_mutex());
  auto& open = sessions().open;
  open.erase(std::remove(open.begin(), open.end(), this), open.end());
  update_active();
}

void Session::finish() { file_.finish(); }

void finish_files() {
  const LogDeferral deferral;
  const LockGuard lock(sessions_mutex());
  for (Session* session : sessions().open) session->finish();
  set_active(0);
}

Selection Session::combined() const {
  Selection all{0, 0};
  for (const auto& [key, selection] : selections_) {
    all.categories |= selection.categories;
    if (selection.categories & kTasks) all.devices |= selection.devices;
  }
  return all;
}

void Session::select(const void* key, const Selection& selection) {
  const LockGuard lock(sessions_mutex());
  selections_[key] = selection;
  update_active();
}

bool Session::has(const void* key) const {
  const LockGuard lock(sessions_mutex());
  return selections_.count(key) > 0;
}

bool Session::deselect(const void* key) {
  if (!has(key)) return false;
  collect_all();
  bool whole = false;
  {
    const LogDeferral deferral;
    const LockGuard lock(sessions_mutex());
    selections_.erase(key);
    update_active();
    file_.flush();
    whole = file_.whole();
  }
  clear_if_unused();
  check_whole(whole);
  return true;
}

void Session::check_whole(bool whole) const {
  check(whole, Code::kInvalidFile, "The trace \"{}\" could not be written as a whole; the log says why.", file_.path());
}

// Ends the trace in any case, even if the last tasks cannot be read.
void Session::close() {
  try {
    collect_all();
  } catch (const std::exception& error) {
    log().warn("The last tasks are missing in the profile: {}", error.what());
  }
  bool whole = false;
  {
    const LogDeferral deferral;
    const LockGuard lock(sessions_mutex());
    selections_.clear();
    update_active();
    file_.finish();
    whole = file_.whole();
  }
  clear_if_unused();
  check_whole(whole);
}

// Defers the log until the lock is released: a log callback of the program may make API calls, which reenter here.
void deliver(Category category, const std::function<void(TraceFile&)>& write) {
  const LogDeferral deferral;
  const LockGuard lock(sessions_mutex());
  for (Session* session : sessions().open) {
    if (session->combined().categories & category) write(session->file_);
  }
}

void deliver_tasks(std::uint32_t device, const std::function<void(TraceFile&)>& write) {
  const LogDeferral deferral;
  const LockGuard lock(sessions_mutex());
  for (Session* session : sessions().open) {
    if (contains(session->combined().devices, device)) write(session->file_);
  }
}

bool times_tasks(std::uint32_t device) { return on(kTasks) && contains(task_devices, device); }

void require_model_tasks(bool wanted) {
  {
    const LockGuard lock(sessions_mutex());
    sessions().models = wanted ? sessions().models + 1 : sessions().models - 1;
    update_active();
  }
  clear_if_unused();
}

void begin_from_environment() {
  const NoFork no_fork;  // also keeps other threads out
  log();
  auto& trace = ProcessState<TraceOfEnvironment, StateId::kTraceOfEnvironment>::get();
  if (!trace.opened) {
    open_session(trace);
    trace.opened = true;
  }
  if (trace.begun) return;
  const LockGuard lock(sessions_mutex());
  update_active();
  trace.begun = true;
}

}  // namespace aclvk::runtime::profile
