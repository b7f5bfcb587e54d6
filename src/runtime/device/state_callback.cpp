#include "runtime/device/state_callback.hpp"

#include <exception>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"

namespace aclvk::runtime {
namespace {

template <typename Function>
class Listeners {
 public:
  void set(const std::string& name, Function function, void* user) {
    const LockGuard lock(mutex_);
    if (function) {
      listeners_[name] = {function, user};
    } else {
      listeners_.erase(name);
    }
  }

  // Does not throw: the change has happened, and a lack of memory for its notification does not undo it.
  template <typename Object>
  void notify(Object object, int state) const noexcept {
    try {
      for (const auto& [name, listener] : copy()) listener.first(object, state, listener.second);
    } catch (const std::exception& error) {
      log().error("Listeners are not told of a change to state {}: {}", state, error.what());
    }
  }

  void clear() {
    const LockGuard lock(mutex_);
    listeners_.clear();
  }

  using Map = std::map<std::string, std::pair<Function, void*>>;

  // Listeners run on a copy, without the lock, because they may register others.
  Map copy() const {
    const LockGuard lock(mutex_);
    return listeners_;
  }

 private:
  mutable Mutex mutex_;
  Map listeners_ GUARDED_BY(mutex_);
};

// Not destroyed at exit: programs destroy streams from destructors of their statics.
Listeners<StreamListener>& streams() {
  return ProcessState<Listeners<StreamListener>, StateId::kStreamListeners>::get();
}

Listeners<DeviceListener>& devices() {
  return ProcessState<Listeners<DeviceListener>, StateId::kDeviceListeners>::get();
}

Listeners<TaskAbortListener>& task_aborts() {
  return ProcessState<Listeners<TaskAbortListener>, StateId::kTaskAbortListeners>::get();
}

}  // namespace

void listen_to_streams(const std::string& name, StreamListener listener, void* user) {
  streams().set(name, listener, user);
}

void listen_to_devices(const std::string& name, DeviceListener listener, void* user) {
  devices().set(name, listener, user);
}

void listen_to_task_aborts(const std::string& name, TaskAbortListener listener, void* user) {
  task_aborts().set(name, listener, user);
}

void remove_listeners() {
  streams().clear();
  devices().clear();
  task_aborts().clear();
}

void notify_listeners(void* stream, StreamState state) { streams().notify(stream, static_cast<int>(state)); }

void notify_listeners(std::int32_t device, DeviceState state) { devices().notify(device, static_cast<int>(state)); }

void notify_listeners(std::int32_t device, TaskAbortStage stage, std::uint32_t timeout_ms) {
  for (const auto& [name, listener] : task_aborts().copy()) {
    const std::int32_t answer = listener.first(device, static_cast<int>(stage), timeout_ms, listener.second);
    check(answer == 0, Code::kRuntimeInternal,
          "Callback \"{}\" returns {} at the {} of the task abort of device {}; 0 is expected.", name, answer,
          stage == TaskAbortStage::kBefore ? "beginning" : "end", device);
  }
}

}  // namespace aclvk::runtime
