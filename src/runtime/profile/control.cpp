#include "runtime/profile/control.hpp"

#include <unistd.h>

#include <filesystem>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/per_process.hpp"
#include "base/process_state.hpp"
#include "runtime/profile/subscription.hpp"

namespace aclvk::runtime::profile {
namespace {

struct Control {
  Mutex mutex;
  bool begun GUARDED_BY(mutex) = false;
  std::string folder GUARDED_BY(mutex);
  std::string next_folder GUARDED_BY(mutex);
  std::uint64_t limit GUARDED_BY(mutex) = 0;
  std::shared_ptr<Session> session GUARDED_BY(mutex);  // null until the first start()
  std::shared_ptr<Session> configured GUARDED_BY(mutex);
};

using ControlState = PerProcess<Control, StateId::kProfileControl>;

Control& control() { return ControlState::get(); }
[[maybe_unused]] const bool kWatched = ControlState::watch();  // at load time: this must not race with a fork

/// Makes the folder if it is missing, and returns it with a separator at the end.
std::string writable_folder(const std::string& folder, Code code = Code::kInvalidFile) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const bool usable = std::filesystem::is_directory(folder, error) && access(folder.c_str(), W_OK) == 0;
  check(usable, code, "\"{}\" is no folder that can be written.", folder);
  return folder + "/";
}

void check_begun(const Control& c, const char* what) REQUIRES(c.mutex) {
  check(c.begun, Code::kProfilingStands, "There is no profile to {}: aclprofInit comes first.", what);
}

std::shared_ptr<Session> take_session() {
  Control& c = control();
  const LockGuard lock(c.mutex);
  check_begun(c, "end");
  c.begun = false;
  return std::exchange(c.session, nullptr);
}

}  // namespace

ConfigHandles& config_handles() { return ProcessState<ConfigHandles, StateId::kProfileConfigHandles>::get(); }

SubscribeConfigHandles& subscribe_config_handles() {
  return ProcessState<SubscribeConfigHandles, StateId::kSubscribeConfigHandles>::get();
}

void begin(const std::string& folder) {
  Control& c = control();
  const LockGuard lock(c.mutex);
  check(!c.begun, Code::kProfilingRuns, "aclprofInit has been called already; aclprofFinalize ends that profile.");
  check(!any_subscribed(), Code::kProfilingConflict,
        "A model is subscribed to by aclprofModelSubscribe; a profile cannot be made at the same time.");
  c.folder = writable_folder(c.next_folder.empty() ? folder : c.next_folder);
  c.begun = true;
}

void end() {
  if (const auto session = take_session()) session->close();
}

// The first start opens the file, so that a profile without one leaves no file.
void start(const std::shared_ptr<Config>& config) {
  Control& c = control();
  const LockGuard lock(c.mutex);
  check_begun(c, "start");
  check(!c.session || !c.session->has(config.get()), Code::kProfilingRuns,
        "This configuration has been started already.");
  if (!c.session) c.session = Session::open(c.folder, c.limit);
  c.session->select(config.get(), config->selection);
}

void stop(const std::shared_ptr<Config>& config) {
  Control& c = control();
  std::shared_ptr<Session> session;
  {
    const LockGuard lock(c.mutex);
    check_begun(c, "stop");
    session = c.session;
  }
  check(session && session->deselect(config.get()), Code::kProfilingStands, "This configuration has not been started.");
}

bool started(const Config& config) {
  const LockGuard lock(control().mutex);
  return control().session && control().session->has(&config);
}

bool begun() {
  const LockGuard lock(control().mutex);
  return control().begun;
}

void set_folder(const std::string& folder) {
  const std::string usable = writable_folder(folder);
  const LockGuard lock(control().mutex);
  control().next_folder = folder;
  control().folder = usable;
}

void set_limit(std::uint64_t bytes) {
  const LockGuard lock(control().mutex);
  control().limit = bytes;
}

void begin_configured(const std::string& folder, std::uint32_t categories) {
  const auto session = Session::open(writable_folder(folder, Code::kInvalidProfilingConfig));
  // The key of this selection: no Config of the program has this address.
  session->select(&control(), {categories});
  const LockGuard lock(control().mutex);
  control().configured = session;
}

void end_configured() {
  std::shared_ptr<Session> session;
  {
    const LockGuard lock(control().mutex);
    session = std::exchange(control().configured, nullptr);
  }
  try {
    if (session) session->close();
  } catch (const Error&) {  // logged already, and aclFinalize has no error code for it
  }
}

}  // namespace aclvk::runtime::profile
