#pragma once

#include <pthread.h>

#include <atomic>

namespace aclvk {

/// A singleton T of a process. Created at the first use and never destroyed, because threads of a program may still use
/// it while the process exits. A forked child gets a new one: the inherited one describes objects of the parent, and a
/// thread that does not exist in the child may hold its locks.
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
    Instance* parent;  // the parent process's instance; leak checkers find it from here
  };

  static void create() { current = new Instance{{}, current}; }

  static inline std::atomic<Instance*> current{nullptr};
};

}  // namespace aclvk
