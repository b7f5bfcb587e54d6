#pragma once

#include <optional>

#include "base/error.hpp"

namespace aclvk::runtime {

/// What the streams of a context do about tasks that fail (runtime-semantics 4.8). They go on; or, once the context is
/// told to stop, tasks behind a failed one do not run, and every stream refuses new ones with the error of the first.
/// Needs the scheduler's lock.
class Failures {
 public:
  bool stop() const { return stop_; }
  void set_stop() { stop_ = true; }

  /// A task has failed. True when its stream is to drop what follows.
  bool on_failure(const Error& error) {
    if (stop_ && !stopped_by_) stopped_by_ = error;
    return stop_;
  }
  /// The failure that the context has stopped at.
  const std::optional<Error>& stopped_by() const { return stopped_by_; }
  void resume() { stopped_by_.reset(); }

 private:
  bool stop_ = false;
  std::optional<Error> stopped_by_;
};

}  // namespace aclvk::runtime
