// Callbacks for which memory has run out somewhere on their way.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <cstdint>
#include <thread>

#include "acl/acl.h"
#include "faults/host_allocations.hpp"

namespace aclvk::test {
namespace {

/// Processes what arrives for it, until the end of the scope.
class ProcessingThread {
 public:
  ProcessingThread()
      : thread_([this] {
          id_ = static_cast<std::uint64_t>(pthread_self());
          while (!stop_) aclrtProcessReport(20);
        }) {
    while (id_ == 0) std::this_thread::yield();
  }
  ~ProcessingThread() {
    stop_ = true;
    thread_.join();
  }
  ProcessingThread(const ProcessingThread&) = delete;
  ProcessingThread& operator=(const ProcessingThread&) = delete;

  std::uint64_t id() const { return id_; }

 private:
  std::atomic<std::uint64_t> id_{0};
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

TEST(LostCallback, BlocksNoLaterTask) {
  constexpr std::int32_t kPatience = 20'000;
  constexpr std::uint64_t kMost = 300;
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtSetDevice(0), 0);
  ASSERT_EQ(aclrtCreateStream(&stream), 0);
  const ProcessingThread thread;
  ASSERT_EQ(aclrtSubscribeReport(thread.id(), stream), 0);
  const auto nothing = [](void*) {};
  bool met = true;
  for (std::uint64_t at = 1; met && at <= kMost; ++at) {
    HostAllocations::arm(at);
    aclrtLaunchCallback(nothing, nullptr, ACL_CALLBACK_BLOCK, stream);
    aclrtSynchronizeStreamWithTimeout(stream, kPatience);
    const HostAllocations::Report report = HostAllocations::disarm();
    met = report.failed > 0;
    aclrtSynchronizeStreamWithTimeout(stream, kPatience);  // may tell of the failure
    ASSERT_EQ(aclrtSynchronizeStreamWithTimeout(stream, kPatience), 0) << "allocation " << at << report.place;
  }
  EXPECT_EQ(aclrtUnSubscribeReport(thread.id(), stream), 0);
  EXPECT_EQ(aclrtDestroyStream(stream), 0);
}

}  // namespace
}  // namespace aclvk::test
