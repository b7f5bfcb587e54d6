#pragma once

#include <malloc.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

/// How often a story repeats itself. Sanitizers make everything many times slower.
constexpr int times(int count) { return kSanitized ? count / 10 : count; }

/// A stream to the end of the scope, for threads other than the test's.
class OwnStream {
 public:
  OwnStream() { EXPECT_EQ(aclrtCreateStream(&stream_), 0); }
  ~OwnStream() { EXPECT_EQ(aclrtDestroyStream(stream_), 0); }
  OwnStream(const OwnStream&) = delete;
  OwnStream& operator=(const OwnStream&) = delete;

  operator aclrtStream() const { return stream_; }

 private:
  aclrtStream stream_ = nullptr;
};

/// Threads that have come to their end at the end of the scope, or after join().
class Threads {
 public:
  Threads() = default;
  ~Threads() { join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void start(std::function<void()> body) { threads_.emplace_back(std::move(body)); }
  /// So many that do the same; each knows its number.
  void start(int count, const std::function<void(int)>& body) {
    for (int thread = 0; thread < count; ++thread) threads_.emplace_back(body, thread);
  }
  void join() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

 private:
  std::vector<std::thread> threads_;
};

/// The same on device 0.
class DeviceThreads {
 public:
  void start(std::function<void()> body) {
    threads_.start([body = std::move(body)] {
      EXPECT_EQ(aclrtSetDevice(0), 0);
      body();
      EXPECT_EQ(aclrtResetDevice(0), 0);
    });
  }
  void join() { threads_.join(); }

 private:
  Threads threads_;
};

/// The same that all work in the context of the test, from the beginning of the scope on.
class Crowd {
 public:
  Crowd(int size, const std::function<void(int)>& body) {
    aclrtContext context = nullptr;
    EXPECT_EQ(aclrtGetCurrentContext(&context), 0);
    threads_.start(size, [context, body](int thread) {
      EXPECT_EQ(aclrtSetCurrentContext(context), 0);
      body(thread);
    });
  }

 private:
  Threads threads_;
};

/// Where so many threads wait for each other, again and again: what follows begins on all of them at about the same
/// time.
class Barrier {
 public:
  explicit Barrier(int size) : size_(size) {}

  void wait() {
    const int round = round_;
    if (++arrived_ == size_) {
      arrived_ = 0;
      ++round_;
    }
    while (round_ == round) std::this_thread::yield();
  }

 private:
  const int size_;
  std::atomic<int> arrived_{0};
  std::atomic<int> round_{0};
};

/// So many threads that begin at the same moment; returns when all have come to their end.
inline void all_at_once(int size, const std::function<void(int)>& body) {
  Barrier barrier(size);
  Threads threads;
  threads.start(size, [&](int thread) {
    barrier.wait();
    body(thread);
  });
}

/// Whether a call that several threads make has done it; else another was first, which is the other answer.
inline bool done_or(aclError otherwise, aclError code) {
  EXPECT_TRUE(code == 0 || code == otherwise) << code << ": " << aclGetRecentErrMsg();
  return code == 0;
}

/// What the process holds now.
struct Footprint {
  std::int64_t resident_bytes = 0;
  std::int64_t threads = 0;
  std::int64_t file_descriptors = 0;
};

inline Footprint footprint() {
  const auto entries = [](const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  };
  malloc_trim(0);  // a leak would hide in what is free
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;
  return {resident_pages * sysconf(_SC_PAGESIZE), entries("/proc/self/task"), entries("/proc/self/fd")};
}

/// The process holds at most this much more memory than before, and not one thread or file more.
inline void expect_not_grown(const Footprint& before, std::int64_t bytes) {
  // Lavapipe of Mesa 25 has it at one moment and not at another, however long it goes on.
  constexpr std::int64_t kDriverBlock = std::int64_t{1} << 20;
  const Footprint now = footprint();
  // What a sanitizer keeps about each access and each freed block is more than any leak.
  if (!kSanitized) {
    EXPECT_LT(now.resident_bytes - before.resident_bytes, bytes + kDriverBlock);
  }
  EXPECT_LE(now.threads, before.threads);
  EXPECT_LE(now.file_descriptors, before.file_descriptors);
}

}  // namespace aclvk::test
