#include "runtime/profile/call.hpp"

#include <fmt/format.h>

#include <exception>
#include <utility>

#include "base/log.hpp"
#include "runtime/host/host_time.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/stream/stream_observer.hpp"

namespace aclvk::runtime::profile {
namespace {

void log_missing(const char* function, const std::exception& why) noexcept {
  try {
    log().warn("A call of {} is missing in the profile: {}", function, why.what());
  } catch (const std::exception&) {  // the log cannot be opened for lack of memory
  }
}

}  // namespace

Call current_call() {
  if (!on(kCalls | kTasks | kModels)) return {};
  return {thread_track(), begin_of_api_call()};
}

// Calls nest: a callback of the program may call the API. A failure of the profile does not make the call fail.
void CallTimer::begin(const char* function) noexcept {
  try {
    if (on(kUnknown)) begin_from_environment();
    if (!on(kCalls)) return;
    outer_ = std::exchange(begin_of_api_call(), host_ns());
    function_ = function;
  } catch (const std::exception& exception) {
    log_missing(function, exception);
  }
}

void CallTimer::end() noexcept {
  const std::int64_t begin = std::exchange(begin_of_api_call(), outer_);
  try {
    const std::int64_t end = host_ns();
    const Track track = thread_track();
    deliver(kCalls, [&](TraceFile& file) { file.slice(track, "api", function_, begin, end); });
  } catch (const std::exception& exception) {
    log_missing(function_, exception);
  }
}

// A begin of 0 means that tasks were not profiled when the work began.
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
