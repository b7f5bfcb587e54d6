#include "base/fork_held.hpp"

#include <pthread.h>

#include <algorithm>
#include <mutex>
#include <vector>

namespace aclvk {
namespace {

struct All {
  std::mutex mutex;
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
  all().mutex.unlock();
}

}  // namespace

void ForkHeld::add() {
  static const int watched = pthread_atfork(take, give_back, make_anew);
  static_cast<void>(watched);
  const std::lock_guard lock(all().mutex);
  all().held.push_back(this);
}

ForkHeld::~ForkHeld() {
  const std::lock_guard lock(all().mutex);
  all().held.erase(std::find(all().held.begin(), all().held.end(), this));
}

}  // namespace aclvk
