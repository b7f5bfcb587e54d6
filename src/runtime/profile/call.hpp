#pragma once

#include <cstdint>

#include "runtime/profile/active.hpp"
#include "runtime/profile/trace_file.hpp"

namespace aclvk::runtime::profile {

/// A running API call of a thread.
struct Call {
  Track track;
  std::int64_t begin = 0;  ///< 0 without a call, or while calls are not profiled
};

/// Returns the API call that the calling thread runs; only its track while calls are not profiled.
Call current_call();

/// Writes an API call, from construction to destruction, to the traces that show calls. The first one in a process
/// starts the trace of ACLVK_TRACE. Costs one load and one branch while nothing is profiled.
class CallTimer {
 public:
  explicit CallTimer(const char* function) noexcept {
    if (on(kCalls | kUnknown)) begin(function);
  }
  ~CallTimer() {
    if (function_) end();
  }
  CallTimer(const CallTimer&) = delete;
  CallTimer& operator=(const CallTimer&) = delete;

 private:
  void begin(const char* function) noexcept;
  void end() noexcept;

  const char* function_ = nullptr;
  std::int64_t outer_ = 0;  // begin of the call that contains this one
};

/// Writes work that the calling thread has done for a stream, a host function for instance, from `begin` to now.
void trace_host_work(const char* name, std::uint32_t stream, std::int64_t begin);

}  // namespace aclvk::runtime::profile
