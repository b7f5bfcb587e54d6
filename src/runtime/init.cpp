#include "runtime/init.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "runtime/config_file.hpp"
#include "runtime/current.hpp"
#include "runtime/device/device_limits.hpp"
#include "runtime/profile/control.hpp"
#include "runtime/record/dump.hpp"

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

struct State {
  std::mutex mutex;
  std::uint64_t references = 0;
  bool finalized = false;
  std::optional<std::string> first_text;  // of the first aclInit of the process that went well
  ConfigFile config;
  Callbacks<InitCallback> init_callbacks;
  Callbacks<FinalizeCallback> finalize_callbacks;
};

// Leaked: aclFinalize is often called by destructors of the program's statics.
State& state() {
  static auto* state = new State;
  return *state;
}

thread_local int turns = 0;  // that the thread has

/// The beginnings and ends of several threads come one after the other, each with the functions that it tells. Those
/// may begin and end, too: their thread has its turn already.
class Turn {
 public:
  Turn() {
    if (turns == 0) mutex().lock();
    ++turns;
  }
  ~Turn() {
    if (--turns == 0) mutex().unlock();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;

 private:
  static std::mutex& mutex() {
    static auto* mutex = new std::mutex;  // leaked, like the state
    return *mutex;
  }
};

std::atomic<bool> process_messages{false};

void check_result(int result, const char* when) {
  check(result == 0, static_cast<Code>(result), "A callback of {} returns {}.", when, result);
}

/// Enters the initialised state, and returns the functions to tell. They run without the lock: they may call the API.
std::vector<Callbacks<InitCallback>::Entry> begin_init(const char* path) {
  State& s = state();
  std::lock_guard lock(s.mutex);
  ++s.references;
  check(s.references == 1, Code::kRepeatInitialize, "aclInit has been called already; this is reference {}.",
        s.references);
  try {
    ConfigFile config = read_config_file(path);
    check(!s.first_text || *s.first_text == config.text, Code::kInvalidParam,
          "The configuration differs from the one of the first aclInit of this process; it must be the same.");
    start_configured_dump(config.dump);
    if (config.profile) profile::begin_configured(config.profile->folder, config.profile->what);
    s.first_text = config.text;
    s.config = std::move(config);
  } catch (...) {
    s.references = 0;
    end_all_dumps();
    throw;
  }
  s.finalized = false;
  set_default_device(s.config.default_device);
  process_messages = s.config.messages_per_process;
  for (const auto& [limit, value] : s.config.limits) set_device_limit(limit, value);
  return s.init_callbacks.entries();
}

void end_references() {
  State& s = state();
  std::lock_guard lock(s.mutex);
  end_all_dumps();  // first, as it may fail
  s.references = 0;
  s.finalized = true;
  set_default_device(-1);
}

void tell_and_finalize() {
  std::unique_lock lock(state().mutex);
  const auto callbacks = state().finalize_callbacks.entries();
  lock.unlock();
  for (const auto& callback : callbacks) check_result(callback.function(callback.user), "aclFinalize");
  profile::end_configured();
  end_references();
}

}  // namespace

void init(const char* config_path) {
  const Turn turn;
  const auto callbacks = begin_init(config_path);
  std::string text;
  {
    std::lock_guard lock(state().mutex);
    text = state().config.text;
  }
  try {
    for (const auto& callback : callbacks) {
      check_result(callback.function(text.data(), text.size(), callback.user), "aclInit");
    }
  } catch (const Error&) {
    profile::end_configured();
    std::lock_guard lock(state().mutex);
    state().references = 0;
    set_default_device(-1);
    end_all_dumps();
    throw;
  }
}

void finalize() {
  const Turn turn;
  {
    std::lock_guard lock(state().mutex);
    check(!state().finalized, Code::kRepeatFinalize, "aclFinalize has been called already.");
  }
  tell_and_finalize();
}

void finalize_reference(std::uint64_t* left) {
  const Turn turn;
  std::uint64_t references = 0;
  {
    std::lock_guard lock(state().mutex);
    references = state().references;
    if (references > 1) --state().references;
  }
  if (left) *left = references > 0 ? references - 1 : 0;
  check(references > 0, Code::kRepeatFinalize, "No aclInit is left to take back.");
  if (references == 1) tell_and_finalize();
}

bool initialized() {
  std::lock_guard lock(state().mutex);
  return state().references > 0;
}

bool messages_per_process() { return process_messages; }

void add_init_callback(int type, InitCallback callback, void* user) {
  std::string text;
  {
    std::lock_guard lock(state().mutex);
    state().init_callbacks.add(type, callback, user);
    if (state().references == 0) return;
    text = state().config.text;
  }
  callback(text.data(), text.size(), user);
}

void add_finalize_callback(int type, FinalizeCallback callback, void* user) {
  std::lock_guard lock(state().mutex);
  state().finalize_callbacks.add(type, callback, user);
}

void remove_init_callback(int type, InitCallback callback) {
  std::lock_guard lock(state().mutex);
  state().init_callbacks.remove(type, callback);
}

void remove_finalize_callback(int type, FinalizeCallback callback) {
  std::lock_guard lock(state().mutex);
  state().finalize_callbacks.remove(type, callback);
}

}  // namespace aclvk::runtime
