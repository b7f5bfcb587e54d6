#include "runtime/profile/call.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "base/log.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/profile/session.hpp"

namespace aclvk::runtime::profile {
namespace {

thread_local Call call;

void log_missing(const char* function, const std::exception& why) noexcept {
  try {
    log().warn("A call of {} is missing in the profile: {}", function, why.what());
  } catch (const std::exception&) {  // the log cannot be opened for lack of memory
  }
}

}  // namespace

Call current_call() {
  if (!on(kCalls | kTasks | kModels)) return {};
  return call.begin != 0 ? call : Call{thread_track(), 0};
}

void CallTimer::begin(const char* function) noexcept {
  try {
    if (on(kUnknown)) begin_from_environment();
    if (!on(kCalls)) return;
    outer_ = std::exchange(call, Call{thread_track(), host_ns()});
    function_ = function;
  } catch (const std::exception& exception) {
    log_missing(function, exception);
  }
}

void CallTimer::end() noexcept {
  const Call done = std::exchange(call, outer_);
  try {
    const std::int64_t end = host_ns();
    deliver(kCalls, [&](TraceFile& file) { file.slice(done.track, "api", function_, done.begin, end); });
  } catch (const std::exception& exception) {
    log_missing(function_, exception);
  }
}

NoCallScope::NoCallScope() : outer_(std::exchange(call, {})) {}

NoCallScope::~NoCallScope() { call = outer_; }

void trace_host_work(const char* name, std::uint32_t stream, std::int64_t begin) {
  if (begin == 0) return;
  try {
    const std::int64_t end = host_ns();
    deliver(kTasks, [&](TraceFile& file) {
      file.slice(thread_track(), "host work", name, begin, end, fmt::format("\"stream\":{}", stream));
    });
  } catch (const std::exception& exception) {
    log_missing(name, exception);
  }
}

}  // namespace aclvk::runtime::profile
