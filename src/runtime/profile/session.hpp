#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/mutex.hpp"
#include "runtime/profile/active.hpp"
#include "runtime/profile/trace_file.hpp"
#include "runtime/task/scheduler_mutex.hpp"

namespace aclvk::runtime::profile {

/// The categories and devices of one request to profile.
struct Selection {
  static constexpr std::uint64_t kAllDevices = ~std::uint64_t{0};

  std::uint32_t categories = 0;         ///< a sum of Category
  std::uint64_t devices = kAllDevices;  ///< devices whose tasks are shown, a bit for each id
};

/// The mutex of all sessions. Their functions do not lock the scheduler while they hold it.
Mutex& sessions_mutex();

/// A trace file and its selections. Several sessions may be open, independent of each other: those of ACLVK_TRACE, of
/// aclInit's configuration and of aclprofInit. Thread safe.
class Session {
 public:
  /// Opens the trace. For a folder the file gets a unique name. Throws kInvalidFile.
  static std::shared_ptr<Session> open(const std::string& path, std::uint64_t limit = 0);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& path() const { return file_.path(); }

  /// Adds a selection. `key` identifies it for deselect().
  void select(const void* key, const Selection& selection) EXCLUDES(scheduler_mutex);
  /// Waits for the tasks that have been launched, and removes the selection. Returns false when there is none. Then
  /// throws kInvalidFile when a write has failed.
  bool deselect(const void* key) EXCLUDES(scheduler_mutex);
  bool has(const void* key) const EXCLUDES(scheduler_mutex);
  /// Waits for the tasks that have been launched, and ends the trace. Then throws kInvalidFile when a write has failed.
  void close() EXCLUDES(scheduler_mutex);
  /// Completes the file without waiting. For the end of the process.
  void finish() REQUIRES(sessions_mutex()) EXCLUDES(scheduler_mutex);

 private:
  friend void deliver(Category category, const std::function<void(TraceFile&)>& write);
  friend void deliver_tasks(std::uint32_t device, const std::function<void(TraceFile&)>& write);
  friend void update_active() REQUIRES(sessions_mutex());

  Session(std::string path, std::uint64_t limit);
  Selection combined() const REQUIRES(sessions_mutex());
  void check_whole(bool whole) const;

  TraceFile file_;  // the mutex of all sessions guards it, except for its path
  std::map<const void*, Selection> selections_ GUARDED_BY(sessions_mutex());
};

/// Calls `write` for every trace that shows the category.
void deliver(Category category, const std::function<void(TraceFile&)>& write);
/// Calls `write` for every trace that shows tasks of the device.
void deliver_tasks(std::uint32_t device, const std::function<void(TraceFile&)>& write);

/// Returns whether tasks of the device are profiled.
bool times_tasks(std::uint32_t device);
/// Increments or decrements the number of subscribers to models, for which tasks of models are timed without a trace.
void require_model_tasks(bool wanted);

/// Starts the trace of ACLVK_TRACE at the first call.
void begin_from_environment();
/// Completes the traces that are still open. Registered as an exit handler.
void finish_files();

}  // namespace aclvk::runtime::profile
