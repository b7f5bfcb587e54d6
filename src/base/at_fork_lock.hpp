#pragma once

#include <new>

namespace aclvk {

/// The lock of something that a forked child may use. The child has none of the other threads, so what they hold at the
/// fork stays locked there: the thread that forks takes this lock before, gives it back in the parent, and makes it
/// anew in the child. For locks under which nobody is waited for, and no other of the kind is taken but one that came
/// later.
class AtForkLock {
 public:
  template <typename Mutex>
  explicit AtForkLock(Mutex& mutex)
      : mutex_(&mutex),
        lock_([](void* locked) { static_cast<Mutex*>(locked)->lock(); }),
        unlock_([](void* locked) { static_cast<Mutex*>(locked)->unlock(); }),
        reinitialize_([](void* locked) {
          static_cast<Mutex*>(locked)->unlock();
          // A lock that readers share still counts those who wait for it: to them it would belong now.
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

/// While it lives the process is not forked. For what a child would find half made for ever, as the statics of a
/// function that another thread is in for the first time. To be taken before any lock of the kind above.
class NoFork {
 public:
  NoFork();
  ~NoFork();
  NoFork(const NoFork&) = delete;
  NoFork& operator=(const NoFork&) = delete;
};

}  // namespace aclvk
