#include "base/fair_mutex.hpp"

#include <gtest/gtest.h>
#include <sched.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "support/one_processor.hpp"

namespace aclvk::test {
namespace {

/// A thread that locks and unlocks the mutex in a loop, so that it holds it nearly always.
class Loop {
 public:
  explicit Loop(FairMutex& mutex)
      : thread_([this, &mutex] {
          while (!over_) {
            const std::lock_guard lock(mutex);
            const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
            while (std::chrono::steady_clock::now() < end) {
            }
            ++rounds_;
          }
        }) {}
  ~Loop() {
    over_ = true;
    thread_.join();
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  std::int64_t rounds() const { return rounds_; }

 private:
  std::atomic<bool> over_{false};
  std::atomic<std::int64_t> rounds_{0};
  std::thread thread_;
};

TEST(FairMutex, BelongsToOneThreadAtATime) {
  constexpr int kThreads = 8;
  constexpr int kRounds = 20000;
  FairMutex mutex;
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        const std::lock_guard lock(mutex);
        ++count;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, kThreads * kRounds);
}

TEST(FairMutex, IsTriedInVainWhileAThreadHasIt) {
  FairMutex mutex;
  const auto try_on_another_thread = [&] {
    bool taken = false;
    std::thread([&] {
      taken = mutex.try_lock();
      if (taken) mutex.unlock();
    }).join();
    return taken;
  };
  EXPECT_TRUE(try_on_another_thread());
  mutex.lock();
  EXPECT_FALSE(try_on_another_thread());
  mutex.unlock();
  EXPECT_TRUE(try_on_another_thread());
}

TEST(FairMutex, WakesAllThatWait) {
  FairMutex mutex;
  std::atomic<int> passed{0};
  std::vector<std::thread> threads;
  mutex.lock();
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const std::lock_guard lock(mutex);
      ++passed;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  mutex.unlock();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(passed, 4);
}

// The loop holds the mutex at each context switch to the other thread.
TEST(FairMutex, ComesToAThreadBesideOneThatTakesItInALoop) {
  constexpr std::int64_t kMostRounds = 20000;  // some hundred pass between two context switches
  const OneProcessor processor;
  FairMutex mutex;
  const Loop loop(mutex);
  const GivesWay gives_way;
  for (int i = 0; i < 10; ++i) {
    const std::int64_t before = loop.rounds();
    mutex.lock();
    EXPECT_LE(loop.rounds() - before, kMostRounds);
    mutex.unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

}  // namespace
}  // namespace aclvk::test
