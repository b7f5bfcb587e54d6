#pragma once

#include "runtime/profile/call.hpp"

namespace aclvk::api {

/// Whether a failure is one that aclrtGetLastError tells of. Some functions answer a question with a code ("no
/// context"); that is no failure and leaves no trace.
enum class Trace { kFailure, kAnswer };

/// What `guard` does with an exception: logs it once, keeps the sentence for aclGetRecentErrMsg and, for failures of
/// the runtime layer, the code for aclrtGetLastError. Called inside a catch block. Returns the code.
int report_current_exception(const char* function, Trace trace = Trace::kFailure) noexcept;

/// Waits while the process is locked for a snapshot. Throws kContextRelease once the process's exit handlers have run
/// (a driver must not be called after its own) and in a forked process whose parent has the devices.
void check_devices_usable();

/// A guard for functions that touch no device: they work to the very end of the process.
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

/// The shape of every exported function: runs the body and turns exceptions into codes. Nothing crosses the C boundary.
template <typename Body>
int guard(const char* function, Body&& body) noexcept {
  return guard_host(function, [&] {
    check_devices_usable();
    body();
  });
}

/// A guard for functions whose runtime codes are answers (Trace): aclrtGetDevice, aclrtGetCurrentContext.
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
