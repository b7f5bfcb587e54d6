#include "base/at_fork_lock.hpp"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

namespace aclvk {
namespace {

struct Registry {
  std::recursive_mutex mutex;      // recursive: code inside a NoFork creates AtForkLocks
  std::vector<AtForkLock*> locks;  // in order of registration, which is the lock order
};

Registry& registry() {
  static auto* registry = new Registry;
  return *registry;
}

void lock_all() {
  registry().mutex.lock();
  for (AtForkLock* lock : registry().locks) lock->lock();
}

void unlock_all() {
  for (AtForkLock* lock : registry().locks) lock->unlock();
  registry().mutex.unlock();
}

void reinitialize_all() {
  for (AtForkLock* lock : registry().locks) lock->reinitialize();
  // Thread sanitizer regards the mutex as held by this thread, so it has to be unlocked; its owner is the parent's
  // thread id, so it has to be constructed again.
  registry().mutex.unlock();
  new (&registry().mutex) std::recursive_mutex;
}

// Registered during static initialization, before any thread calls the library.
[[maybe_unused]] const int kRegistered = pthread_atfork(lock_all, unlock_all, reinitialize_all);

}  // namespace

NoFork::NoFork() { registry().mutex.lock(); }

NoFork::~NoFork() { registry().mutex.unlock(); }

void AtForkLock::add() {
  const std::lock_guard lock(registry().mutex);
  registry().locks.push_back(this);
}

AtForkLock::~AtForkLock() {
  const std::lock_guard lock(registry().mutex);
  registry().locks.erase(std::find(registry().locks.begin(), registry().locks.end(), this));
}

}  // namespace aclvk
