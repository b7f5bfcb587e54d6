#include "runtime/process/init.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/at_fork_lock.hpp"
#include "base/config.hpp"
#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/per_process.hpp"
#include "base/process_state.hpp"
#include "runtime/context/current.hpp"
#include "runtime/device/device_limits.hpp"
#include "runtime/dump/dump.hpp"
#include "runtime/process/config_file.hpp"
#include "runtime/profile/control.hpp"

namespace aclvk::runtime {
namespace {

constexpr int kOtherType = 65535;  // ACL_REG_TYPE_OTHER, the only type that takes several functions

template <typename Function>
class Callbacks {
 public:
  struct Entry {
    int type;
    Function function;
    void* user;
  };

  void add(int type, Function function, void* user) {
    check(function != nullptr, Code::kInvalidParam, "The callback function is NULL.");
    const bool taken = std::any_of(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.type == type; });
    check(!taken || type == kOtherType, Code::kInternalError, "Callback type {} has a function already.", type);
    entries_.push_back({type, function, user});
  }

  void remove(int type, Function function) {
    check(function != nullptr, Code::kInvalidParam, "The callback function is NULL.");
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& e) { return e.type == type && e.function == function; });
    check(found != entries_.end(), Code::kInternalError, "The function is not registered for callback type {}.", type);
    entries_.erase(found);
  }

  std::vector<Entry> entries() const { return entries_; }

 private:
  std::vector<Entry> entries_;
};

struct InitMutex {
  Mutex mutex;
};

using InitMutexState = PerProcess<InitMutex, StateId::kInitMutex>;

/// The state of initialisation. Its mutex is held for single reads and changes; InitLock serialises aclInit and
/// aclFinalize.
struct State {
  Mutex mutex;
  AtForkLock held{mutex};
  std::atomic<bool> messages_per_process{false};
  std::uint64_t references GUARDED_BY(mutex) = 0;
  bool finalized GUARDED_BY(mutex) = false;
  // Configuration of the first successful aclInit of the process.
  std::optional<std::string> first_text GUARDED_BY(InitMutexState::get().mutex);
  ConfigFile config GUARDED_BY(mutex);
  Callbacks<InitCallback> init_callbacks GUARDED_BY(mutex);
  Callbacks<FinalizeCallback> finalize_callbacks GUARDED_BY(mutex);
};

// Not destroyed at exit: aclFinalize is often called by destructors of the program's statics.
State& state() { return ProcessState<State, StateId::kInit>::get(); }

// At load time: these must not race with a fork.
[[maybe_unused]] const bool kMade = (state(), true);
[[maybe_unused]] const bool kWatched = InitMutexState::watch();

// Recursion depth of the calling thread, which only that thread may continue.
thread_local int lock_depth = 0;

/// Serialises aclInit and aclFinalize of all threads, their callbacks included. Recursive, because callbacks may call
/// both. In a forked child only the forking thread can hold it.
class SCOPED_CAPABILITY InitLock {
 public:
  InitLock() ACQUIRE(InitMutexState::get().mutex) : lock_(InitMutexState::get().mutex, std::defer_lock) {
    if (lock_depth++ == 0) lock_.lock();
  }
  ~InitLock() RELEASE() { --lock_depth; }
  InitLock(const InitLock&) = delete;
  InitLock& operator=(const InitLock&) = delete;

 private:
  std::unique_lock<Mutex> lock_;
};

void check_result(int result, const char* when) {
  check(result == 0, static_cast<Code>(result), "A callback of {} returns {}; 0 is expected.", when, result);
}

void check_first() {
  State& s = state();
  const LockGuard lock(s.mutex);
  if (s.references > 0) ++s.references;
  check(s.references == 0, Code::kRepeatInitialize, "aclInit has been called already; this is reference {}.",
        s.references);
}

void start_configured(const ConfigFile& config) REQUIRES(InitMutexState::get().mutex) {
  const auto& first = state().first_text;
  check(!first || *first == config.text, Code::kInvalidParam,
        "The configuration differs from the one of the first aclInit of this process; it must be the same.");
  start_configured_dump(config.dump);
  if (config.profile) profile::begin_configured(config.profile->folder, config.profile->categories);
  set_default_device(config.default_device);
  state().messages_per_process = config.messages_per_process;
  for (const auto& [limit, value] : config.limits) set_device_limit(limit, value);
}

/// Enters the initialised state and calls the callbacks, without the mutex because they may call the API.
void begin(ConfigFile&& config) REQUIRES(InitMutexState::get().mutex) {
  State& s = state();
  std::string text = config.text;
  UniqueLock lock(s.mutex);
  const auto callbacks = s.init_callbacks.entries();
  s.first_text = text;
  s.config = std::move(config);
  s.references = 1;
  s.finalized = false;
  lock.unlock();
  for (const auto& callback : callbacks) {
    check_result(callback.function(text.data(), text.size(), callback.user), "aclInit");
  }
}

void end() {
  profile::end_configured();
  end_all_dumps();
  set_default_device(-1);
  const LockGuard lock(state().mutex);
  state().references = 0;
}

void notify_and_end() {
  State& s = state();
  UniqueLock lock(s.mutex);
  const auto callbacks = s.finalize_callbacks.entries();
  lock.unlock();
  for (const auto& callback : callbacks) check_result(callback.function(callback.user), "aclFinalize");
  end();
  lock.lock();
  s.finalized = true;
}

}  // namespace

void init(const char* config_path) {
  const InitLock init_lock;
  check_settings();
  check_first();
  try {
    ConfigFile config = read_config_file(config_path);
    start_configured(config);
    begin(std::move(config));
  } catch (...) {
    end();
    throw;
  }
}

// Succeeds once without an aclInit (runtime-semantics 1.7).
void finalize() {
  const InitLock init_lock;
  {
    const LockGuard lock(state().mutex);
    check(!state().finalized, Code::kRepeatFinalize, "aclFinalize has been called already.");
  }
  notify_and_end();
}

void finalize_reference(std::uint64_t* left) {
  const InitLock init_lock;
  std::uint64_t references = 0;
  {
    const LockGuard lock(state().mutex);
    references = state().references;
    if (references > 1) --state().references;
  }
  if (left) *left = references > 0 ? references - 1 : 0;
  check(references > 0, Code::kRepeatFinalize, "No aclInit is left to take back.");
  if (references == 1) notify_and_end();
}

bool initialized() {
  const LockGuard lock(state().mutex);
  return state().references > 0;
}

bool messages_per_process() { return state().messages_per_process; }

void add_init_callback(int type, InitCallback callback, void* user) {
  std::string text;
  {
    const LockGuard lock(state().mutex);
    state().init_callbacks.add(type, callback, user);
    if (state().references == 0) return;
    text = state().config.text;
  }
  callback(text.data(), text.size(), user);
}

void add_finalize_callback(int type, FinalizeCallback callback, void* user) {
  const LockGuard lock(state().mutex);
  state().finalize_callbacks.add(type, callback, user);
}

void remove_init_callback(int type, InitCallback callback) {
  const LockGuard lock(state().mutex);
  state().init_callbacks.remove(type, callback);
}

void remove_finalize_callback(int type, FinalizeCallback callback) {
  const LockGuard lock(state().mutex);
  state().finalize_callbacks.remove(type, callback);
}

}  // namespace aclvk::runtime
