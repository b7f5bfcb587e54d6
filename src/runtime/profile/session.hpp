#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "runtime/profile/active.hpp"
#include "runtime/profile/trace_file.hpp"

namespace aclvk::runtime::profile {

/// What somebody wants to see.
struct Selection {
  static constexpr std::uint64_t kAllDevices = ~std::uint64_t{0};

  std::uint32_t categories = 0;         ///< a sum of Category
  std::uint64_t devices = kAllDevices;  ///< whose tasks; a bit for each id
};

/// A trace and what it shows now. Several may be open: that of ACLVK_TRACE, that of aclInit's configuration and that of
/// aclprofInit know nothing of each other. Thread safe; no member may be called with the scheduler's lock held.
class Session {
 public:
  /// Opens the trace. A folder gets a file whose name nobody else gives. Throws kInvalidFile.
  static std::shared_ptr<Session> open(const std::string& path, std::uint64_t limit = 0);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  const std::string& path() const { return file_.path(); }

  /// Begins to show this. `key` names the wish, so that it can be taken back.
  void select(const void* key, const Selection& selection);
  /// Waits for the tasks that have been given to streams, and shows no more for this wish. False when there was none.
  /// Throws kInvalidFile at its end when not all could be written.
  bool deselect(const void* key);
  bool has(const void* key) const;
  /// Waits for the tasks and ends the trace. Throws kInvalidFile at its end when not all could be written.
  void close();
  /// Ends the file as it is. Needs the lock of all sessions: for the end of the process.
  void finish();

 private:
  friend void deliver(Category category, const std::function<void(TraceFile&)>& write);
  friend void deliver_tasks(std::uint32_t device, const std::function<void(TraceFile&)>& write);
  friend void update_active();

  Session(std::string path, std::uint64_t limit);
  Selection sum() const;
  void check_whole(bool whole) const;

  TraceFile file_;
  std::map<const void*, Selection> selections_;
};

/// Lets every trace that shows such things write.
void deliver(Category category, const std::function<void(TraceFile&)>& write);
void deliver_tasks(std::uint32_t device, const std::function<void(TraceFile&)>& write);

/// Whether the tasks of the device are wanted.
bool times_tasks(std::uint32_t device);
/// Counts a wish for the tasks of models, which no trace shows.
void require_model_tasks(bool wanted);

/// Begins the trace that ACLVK_TRACE asks for, at the first call.
void begin_from_environment();
/// Ends the traces that nobody has closed. Runs by itself when the process ends.
void finish_files();

}  // namespace aclvk::runtime::profile
