#pragma once

#include <pthread.h>

#include <atomic>

namespace aclvk {

/// A T that a process has once. It is made at its first use and never destroyed: threads of programs that never clean
/// up are still in it while the process exits. A forked process gets another one, because what is in the inherited one
/// lives in the parent, and a thread that the child lacks may hold its locks.
template <typename T>
class PerProcess {
 public:
  static T& get() {
    static const int watched = (create(), pthread_atfork(nullptr, nullptr, create));
    static_cast<void>(watched);
    return current.load()->value;
  }

 private:
  struct Instance {
    T value;
    Instance* parent;  // that of the parent, which leak checkers would not find otherwise
  };

  static void create() { current = new Instance{{}, current}; }

  static inline std::atomic<Instance*> current{nullptr};
};

}  // namespace aclvk
