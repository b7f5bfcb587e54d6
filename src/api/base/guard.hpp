#pragma once

#include "runtime/profile/call.hpp"

namespace aclvk::api {

/// kFailure: the code is stored for aclrtGetLastError. kAnswer: the code answers a question ("no context"), so it is
/// not stored and only logged for debugging.
enum class Trace { kFailure, kAnswer };

/// Handles the current exception of a guard: logs it once, stores the sentence for aclGetRecentErrMsg and, for failures
/// of the runtime layer, the code for aclrtGetLastError. Returns the code. Called inside a catch block.
int report_current_exception(const char* function, Trace trace = Trace::kFailure) noexcept;

/// Waits while the process is locked for a snapshot. Throws kContextRelease after the exit handlers of the process have
/// run, because a driver must not be called after its own, and in a forked process whose parent has opened devices.
void check_devices_usable();

/// The guard of functions that use no device and therefore work until the process ends.
template <typename Body>
int guard_host(const char* function, Body&& body) noexcept {
  const runtime::profile::CallTimer timer(function);
  try {
    body();
    return 0;
  } catch (...) {
    return report_current_exception(function);
  }
}

/// The guard of exported functions: runs the body and returns 0, or the code of the exception that it throws. No
/// exception crosses the C boundary (docs/adr/0001).
template <typename Body>
int guard(const char* function, Body&& body) noexcept {
  return guard_host(function, [&] {
    check_devices_usable();
    body();
  });
}

/// The guard of functions whose runtime codes are answers (Trace::kAnswer): aclrtGetDevice, aclrtGetCurrentContext.
template <typename Body>
int guard_quiet(const char* function, Body&& body) noexcept {
  const runtime::profile::CallTimer timer(function);
  try {
    body();
    return 0;
  } catch (...) {
    return report_current_exception(function, Trace::kAnswer);
  }
}

}  // namespace aclvk::api
