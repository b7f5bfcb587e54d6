#pragma once

#include <cstdint>

#include "runtime/profile/active.hpp"
#include "runtime/profile/trace_file.hpp"

namespace aclvk::runtime::profile {

/// An API call that a thread is in.
struct Call {
  Track track;
  std::int64_t begin = 0;  ///< 0: none, or nobody polls
};

/// The call that the calling thread is in; its track alone while calls are not looked at.
Call current_call();

/// Shows an API call in the profiles that want it. The first one begins the profile that ACLVK_TRACE asks for. While
/// there are none it is one load and one branch.
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
  Call outer_;
};

/// While it lives, what the calling thread gives to streams does not come from its call: it goes on with what others
/// have given.
class NoCallScope {
 public:
  NoCallScope();
  ~NoCallScope();
  NoCallScope(const NoCallScope&) = delete;
  NoCallScope& operator=(const NoCallScope&) = delete;

 private:
  Call outer_;
};

/// Work of the host for a stream, as it was done by the calling thread.
void trace_host_work(const char* name, std::uint32_t stream, std::int64_t begin);

}  // namespace aclvk::runtime::profile
