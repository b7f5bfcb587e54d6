#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <thread>

#include "acl/acl.h"

namespace aclvk::test {

/// A Process that has not called the API.
class Plain : public testing::Test {};

/// aclInit, device 0 set, one stream `s`. Every test has a Process of its own: a variable of a test source that is not
/// local has to be set at the beginning of each case (own_processes.cmake).
class OneStream : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclInit(nullptr), 0);
    ASSERT_EQ(aclrtSetDevice(0), 0);
    ASSERT_EQ(aclrtCreateStream(&s), 0);
  }

  void TearDown() override {
    aclrtResetDeviceForce(0);
    aclFinalize();
  }

  aclrtStream new_stream() {
    aclrtStream stream = nullptr;
    EXPECT_EQ(aclrtCreateStream(&stream), 0);
    return stream;
  }

  aclrtEvent new_event() {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEvent(&event), 0);
    return event;
  }

  aclrtEvent new_event_with(std::uint32_t flags) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventWithFlag(&event, flags), 0);
    return event;
  }

  aclrtEvent new_event_ex(std::uint32_t flags) {
    aclrtEvent event = nullptr;
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event, flags), 0);
    return event;
  }

  aclrtStream s = nullptr;
};

/// A stream on which a wait for a word of device memory is queued, until release() or the end of the scope.
class BlockedStream {
 public:
  explicit BlockedStream(aclrtStream stream = nullptr) : stream_(stream) {
    if (!stream_) {
      EXPECT_EQ(aclrtCreateStream(&stream_), 0);
    }
    EXPECT_EQ(aclrtMalloc(&flag_, sizeof(std::uint64_t), ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    EXPECT_EQ(aclrtMemset(flag_, sizeof(std::uint64_t), 0, sizeof(std::uint64_t)), 0);
    EXPECT_EQ(aclrtValueWait(flag_, 1, ACL_STREAM_WAIT_VALUE_EQ, stream_), 0);
    EXPECT_EQ(aclrtCreateStream(&releasing_), 0);
  }
  ~BlockedStream() { release(); }
  BlockedStream(const BlockedStream&) = delete;
  BlockedStream& operator=(const BlockedStream&) = delete;

  aclrtStream get() const { return stream_; }

  void release() {
    if (released_) return;
    released_ = true;
    EXPECT_EQ(aclrtValueWrite(flag_, 1, 0, releasing_), 0);
    EXPECT_EQ(aclrtSynchronizeStream(releasing_), 0);
  }

 private:
  aclrtStream stream_;
  aclrtStream releasing_ = nullptr;
  void* flag_ = nullptr;
  bool released_ = false;
};

/// Runs the function on a new thread and waits for its end.
inline void on_another_thread(const std::function<void()>& function) { std::thread(function).join(); }

}  // namespace aclvk::test
