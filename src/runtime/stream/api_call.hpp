#pragma once

#include <cstdint>
#include <utility>

namespace aclvk::runtime {

/// Refers to the time at which the API call that the calling thread runs has begun, by host_ns(). The time is 0 without
/// a call, and while calls are not profiled. The profiler (runtime/profile/call.hpp) sets it.
inline std::int64_t& begin_of_api_call() {
  static thread_local std::int64_t begin = 0;
  return begin;
}

/// Detaches the calling thread's tasks from its API call during a scope. For threads that submit pending tasks of other
/// threads.
class NoCallScope {
 public:
  NoCallScope() : outer_(std::exchange(begin_of_api_call(), 0)) {}
  ~NoCallScope() { begin_of_api_call() = outer_; }
  NoCallScope(const NoCallScope&) = delete;
  NoCallScope& operator=(const NoCallScope&) = delete;

 private:
  const std::int64_t outer_;
};

}  // namespace aclvk::runtime
