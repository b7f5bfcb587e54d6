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

/// Returns a number of repetitions: a tenth of `count` under sanitizers, which make tests many times slower.
constexpr int times(int count) { return kSanitized ? count / 10 : count; }

/// A stream until the end of the scope, for threads other than the test's.
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

/// Threads that are joined at the end of the scope or by join().
class Threads {
 public:
  Threads() = default;
  ~Threads() { join(); }
  Threads(const Threads&) = delete;
  Threads& operator=(const Threads&) = delete;

  void start(std::function<void()> body) { threads_.emplace_back(std::move(body)); }
  /// Starts `count` threads with the same function, which gets the thread's number.
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

/// Threads with device 0.
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

/// Threads in the context of the test, until the end of the scope.
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

/// A barrier for `size` threads, which may be used repeatedly (C++20 has std::barrier).
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

/// Runs `body` on `size` threads that begin at the same moment; returns when all have ended.
inline void all_at_once(int size, const std::function<void(int)>& body) {
  Barrier barrier(size);
  Threads threads;
  threads.start(size, [&](int thread) {
    barrier.wait();
    body(thread);
  });
}

/// Returns whether a call succeeded that several threads make and only one can; `otherwise` is the code of the others.
inline bool done_or(aclError otherwise, aclError code) {
  EXPECT_TRUE(code == 0 || code == otherwise) << code << ": " << aclGetRecentErrMsg();
  return code == 0;
}

/// The resources of the process.
struct Footprint {
  std::int64_t resident_bytes = 0;
  std::int64_t threads = 0;
  std::int64_t file_descriptors = 0;
};

inline Footprint footprint() {
  const auto entries = [](const char* folder) {
    return std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator());
  };
  malloc_trim(0);  // free memory of the allocator would hide a leak
  std::int64_t all_pages = 0;
  std::int64_t resident_pages = 0;
  std::ifstream("/proc/self/statm") >> all_pages >> resident_pages;
  return {resident_pages * sysconf(_SC_PAGESIZE), entries("/proc/self/task"), entries("/proc/self/fd")};
}

/// Expects that the process has at most `bytes` more memory than before, and no more threads and files.
inline void expect_not_grown(const Footprint& before, std::int64_t bytes) {
  // Lavapipe of Mesa 25 allocates and frees a block of this size at intervals; it is no leak.
  constexpr std::int64_t kDriverBlock = std::int64_t{1} << 20;
  const Footprint now = footprint();
  // Sanitizers keep data about each access and each freed block, which exceed any leak.
  if (!kSanitized) {
    EXPECT_LT(now.resident_bytes - before.resident_bytes, bytes + kDriverBlock);
  }
  EXPECT_LE(now.threads, before.threads);
  EXPECT_LE(now.file_descriptors, before.file_descriptors);
}

}  // namespace aclvk::test
