#pragma once

#include <new>

#include "base/thread_annotations.hpp"

namespace aclvk {

/// Registers a mutex that a forked child may need. A child has only the thread that forked, so a mutex that another
/// thread held would stay locked there for ever. A pthread_atfork handler therefore locks all registered mutexes before
/// fork(), unlocks them in the parent and reinitializes them in the child. Precondition: no thread blocks while it
/// holds such a mutex, and a thread that holds one locks only ones that were registered later.
class AtForkLock {
 public:
  template <typename Mutex>
  explicit AtForkLock(Mutex& mutex)  // not analysed: fork() holds the mutex between the calls
      : mutex_(&mutex),
        lock_([](void* locked) NO_THREAD_SAFETY_ANALYSIS { static_cast<Mutex*>(locked)->lock(); }),
        unlock_([](void* locked) NO_THREAD_SAFETY_ANALYSIS { static_cast<Mutex*>(locked)->unlock(); }),
        reinitialize_([](void* locked) NO_THREAD_SAFETY_ANALYSIS {
          static_cast<Mutex*>(locked)->unlock();
          // A SharedSpinLock still counts the parent's waiting readers, which do not exist in the child.
          new (locked) Mutex;
        }) {
    add();
  }
  ~AtForkLock();
  AtForkLock(const AtForkLock&) = delete;
  AtForkLock& operator=(const AtForkLock&) = delete;

  void lock() { lock_(mutex_); }
  void unlock() { unlock_(mutex_); }
  void reinitialize() { reinitialize_(mutex_); }

 private:
  void add();

  void* const mutex_;
  void (*const lock_)(void*);
  void (*const unlock_)(void*);
  void (*const reinitialize_)(void*);
};

/// Blocks fork() during its lifetime. For state that a child would otherwise find half initialized for ever, such as a
/// function's static while another thread initializes it. Must be created before any registered mutex is locked.
class NoFork {
 public:
  NoFork();
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;
};

}  // namespace aclvk
