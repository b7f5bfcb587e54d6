#include "base/fork_held.hpp"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <new>
#include <vector>

namespace aclvk {
namespace {

struct All {
  std::recursive_mutex mutex;  // what is made without forks has such locks
  std::vector<ForkHeld*> held;
};

All& all() {
  static auto* all = new All;
  return *all;
}

void take() {
  all().mutex.lock();
  for (ForkHeld* one : all().held) one->lock();
}

void give_back() {
  for (ForkHeld* one : all().held) one->unlock();
  all().mutex.unlock();
}

void make_anew() {
  for (ForkHeld* one : all().held) one->renew();
  all().mutex.unlock();                     // to the thread sanitizer it is held by the child's thread,
  new (&all().mutex) std::recursive_mutex;  // and to the system by the parent's
}

// Before anybody can be in the library.
[[maybe_unused]] const int kWatched = pthread_atfork(take, give_back, make_anew);

}  // namespace

NoFork::NoFork() { all().mutex.lock(); }

NoFork::~NoFork() { all().mutex.unlock(); }

void ForkHeld::add() {
  const std::lock_guard lock(all().mutex);
  all().held.push_back(this);
}

ForkHeld::~ForkHeld() {
  const std::lock_guard lock(all().mutex);
  all().held.erase(std::find(all().held.begin(), all().held.end(), this));
}

}  // namespace aclvk
