#include "base/shared_spin_lock.hpp"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <functional>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 20000;

void run(int threads, const std::function<void(int)>& body) {
  std::vector<std::thread> started;
  for (int i = 0; i < threads; ++i) started.emplace_back(body, i);
  for (std::thread& thread : started) thread.join();
}

TEST(SharedSpinLock, BelongsToOneWriterAtATime) {
  SharedSpinLock lock;
  int count = 0;
  run(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      const std::unique_lock held(lock);
      ++count;
    }
  });
  EXPECT_EQ(count, kThreads * kRounds);
}

TEST(SharedSpinLock, ReadersNeverSeeHalfOfAWrite) {
  SharedSpinLock lock;
  std::array<int, 16> numbers{};
  std::atomic<int> torn{0};
  run(kThreads, [&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      if (thread == 0) {
        const std::unique_lock held(lock);
        for (int& number : numbers) ++number;
      } else {
        const std::shared_lock held(lock);
        for (const int number : numbers) torn += number != numbers[0];
      }
    }
  });
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(numbers[0], kRounds);
}

TEST(SharedSpinLock, LetsReadersInTogether) {
  SharedSpinLock lock;
  std::atomic<int> inside{0};
  run(kThreads, [&](int) {
    const std::shared_lock held(lock);
    ++inside;
    while (inside < kThreads) std::this_thread::yield();
  });
  EXPECT_EQ(inside, kThreads);
}

TEST(SharedSpinLock, AWriterWaitsForReadersAndKeepsNewOnesOut) {
  SharedSpinLock lock;
  std::atomic<bool> written{false};
  std::atomic<bool> read{false};
  lock.lock_shared();
  std::thread writer([&] {
    const std::unique_lock held(lock);
    EXPECT_FALSE(read) << "a reader came in although a writer waited";
    written = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(written);
  std::thread reader([&] {
    const std::shared_lock held(lock);
    read = true;
    EXPECT_TRUE(written);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_FALSE(read);
  lock.unlock_shared();
  writer.join();
  reader.join();
  EXPECT_TRUE(read);
}

}  // namespace
}  // namespace aclvk::test
