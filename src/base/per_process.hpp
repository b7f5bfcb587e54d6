#pragma once

#include <pthread.h>

#include "base/process_state.hpp"

namespace aclvk {

/// A ProcessState of which a forked child gets a new one: the inherited one describes objects of the parent, and a
/// thread that does not exist in the child may hold its locks.
template <typename T, StateId kId>
class PerProcess {
 public:
  static T& get() {
    watch();
    return State::get().value;
  }

  /// Registers the handler of forks. A file that calls it at load time excludes that the registration races with a
  /// fork.
  static bool watch() {
    static const bool watched = pthread_atfork(nullptr, nullptr, leave_to_parent) == 0;
    return watched;
  }

 private:
  struct Instance {
    T value{};
    const Instance* parent = inherited;  // the parent process's instance; leak checkers find it from here
  };
  using State = ProcessState<Instance, kId>;

  static void leave_to_parent() {
    if (const Instance* left = State::leave()) inherited = left;
  }

  static inline const Instance* inherited = nullptr;
};

}  // namespace aclvk
