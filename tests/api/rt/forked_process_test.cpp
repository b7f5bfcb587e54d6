// What a process may do that was forked: everything, unless its parent has opened a device before.
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"
#include "support/memory_fixture.hpp"
#include "support/standard_error.hpp"

namespace aclvk::test {
namespace {

constexpr unsigned kPatience = 60;
constexpr std::size_t kBytes = 61;

/// How a child ends that does this work: 0 when it is content, SIGALRM when it hangs.
int status_of_child(const std::function<bool()>& work) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kPatience);
    _exit(work() ? 0 : 1);
  }
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

bool fills(aclrtStream stream, std::uint8_t value) {
  void* memory = nullptr;
  Bytes bytes(kBytes);
  return aclrtMalloc(&memory, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY) == 0 &&
         aclrtMemsetAsync(memory, kBytes, value, kBytes, stream) == 0 && aclrtSynchronizeStream(stream) == 0 &&
         aclrtMemcpy(bytes.data(), kBytes, memory, kBytes, ACL_MEMCPY_DEVICE_TO_HOST) == 0 &&
         bytes == Bytes(kBytes, value) && aclrtFree(memory) == 0;
}

struct Call {
  const char* name;
  std::function<aclError()> run;
};

class ForkedProcess : public OneStream {
 protected:
  void SetUp() override {
    OneStream::SetUp();
    ASSERT_EQ(aclrtMalloc(&memory_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY), 0);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtFree(memory_), 0);
    OneStream::TearDown();
  }

  std::vector<Call> calls() {
    return {
        {"SetDevice", [] { return aclrtSetDevice(0); }},
        {"ResetDevice", [] { return aclrtResetDevice(0); }},
        {"CreateStream", [this] { return aclrtCreateStream(&stream_); }},
        {"Malloc", [this] { return aclrtMalloc(&other_, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY); }},
        {"Free", [this] { return aclrtFree(memory_); }},
        {"MemsetAsync", [this] { return aclrtMemsetAsync(memory_, kBytes, 1, kBytes, s); }},
        {"SynchronizeStream", [this] { return aclrtSynchronizeStream(s); }},
        {"SynchronizeDevice", [] { return aclrtSynchronizeDevice(); }},
        {"CaptureBegin", [this] { return aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL); }},
    };
  }

  void* memory_ = nullptr;

 private:
  void* other_ = nullptr;
  aclrtStream stream_ = nullptr;
};

TEST_F(ForkedProcess, HearsThatTheDevicesAreThoseOfItsParent) {
  for (const Call& call : calls()) {
    EXPECT_EQ(status_of_child([&] { return call.run() == ACL_ERROR_RT_CONTEXT_RELEASE_ERROR; }), 0) << call.name;
  }
  EXPECT_TRUE(fills(s, 7)) << "the parent goes on";
}

TEST_F(ForkedProcess, GetsAMessageThatSaysWhatToDo) {
  EXPECT_EQ(status_of_child([this] {
              aclrtSynchronizeStream(s);
              const std::string sentence = aclGetRecentErrMsg();
              return sentence.find("forked from process " + std::to_string(getppid())) != std::string::npos &&
                     sentence.find("Fork before") != std::string::npos;
            }),
            0);
}

TEST_F(ForkedProcess, DoesNotWaitForTasksOfItsParent) {
  BlockedStream blocked;
  EXPECT_EQ(
      status_of_child([&] { return aclrtSynchronizeStream(blocked.get()) == ACL_ERROR_RT_CONTEXT_RELEASE_ERROR; }), 0);
}

TEST_F(ForkedProcess, DoesNotWaitForASnapshotOfItsParent) {
  ASSERT_EQ(aclrtSnapShotProcessLock(getpid(), nullptr), 0);
  std::thread not_the_locking_one([this] {
    EXPECT_EQ(status_of_child([this] { return aclrtSynchronizeStream(s) == ACL_ERROR_RT_CONTEXT_RELEASE_ERROR; }), 0);
  });
  not_the_locking_one.join();
  EXPECT_EQ(aclrtSnapShotProcessUnlock(getpid(), nullptr), 0);
}

/// What a child may do before its parent opens a device, and all of it takes a lock.
bool makes_a_tensor_and_an_error() {
  const std::int64_t size = 3;
  aclTensor* tensor = aclCreateTensor(&size, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, &size, 1, nullptr);
  return tensor && aclDestroyTensor(tensor) == 0 && aclDestroyTensor(tensor) != 0;
}

/// Whether such a child ends well, of a process two of whose threads do the same.
bool child_of_busy_process_is_content() {
  std::atomic<bool> done{false};
  std::atomic<bool> content{true};
  std::vector<std::thread> busy;
  for (int i = 0; i < 2; ++i) {
    busy.emplace_back([&] {
      while (!done) content = makes_a_tensor_and_an_error() && content;
    });
  }
  const int status = status_of_child(makes_a_tensor_and_an_error);
  done = true;
  for (std::thread& thread : busy) thread.join();
  return content && status == 0;
}

class ForkedWhileItLogs : Settings, public Plain {
 protected:
  ForkedWhileItLogs() : Settings({{"ASCEND_GLOBAL_LOG_LEVEL", "3"}}) {}
  const StandardError lines_;
};

TEST_F(ForkedWhileItLogs, DoesNotWaitForThreadsThatItLacks) {
  ASSERT_TRUE(makes_a_tensor_and_an_error());
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(child_of_busy_process_is_content());
}

using ForkedEarly = Plain;

TEST_F(ForkedEarly, HasDevicesOfItsOwn) {
  ASSERT_EQ(aclInit(nullptr), 0);
  const auto work = [] {
    aclrtStream stream = nullptr;
    return aclrtSetDevice(0) == 0 && aclrtCreateStream(&stream) == 0 && fills(stream, 5) && aclrtResetDevice(0) == 0;
  };
  EXPECT_EQ(status_of_child(work), 0);
  EXPECT_TRUE(work()) << "and so has the parent";
  EXPECT_EQ(aclFinalize(), 0);
}

TEST_F(ForkedEarly, DoesNotWaitForThreadsThatBeginAndEnd) {
  const auto begin_and_end = [] {
    const aclError code = aclInit(nullptr);
    return (code == 0 || code == ACL_ERROR_REPEAT_INITIALIZE) && aclFinalizeReference(nullptr) == 0;
  };
  std::atomic<bool> over{false};
  std::vector<std::thread> busy;
  for (int i = 0; i < 3; ++i) {
    busy.emplace_back([&] {
      while (!over) EXPECT_TRUE(begin_and_end());
    });
  }
  for (int i = 0; i < 100; ++i) EXPECT_EQ(status_of_child(begin_and_end), 0);
  over = true;
  for (std::thread& thread : busy) thread.join();
}

/// The first calls make what all others use. Each child is a process that has made none.
TEST_F(ForkedEarly, DoesNotWaitForThreadsThatWereAtTheirFirstCalls) {
  const auto begin = [] {
    return setenv("ASCEND_GLOBAL_LOG_LEVEL", "3", 1) == 0 && child_of_busy_process_is_content();
  };
  const StandardError lines;
  for (int i = 0; i < 30; ++i) EXPECT_EQ(status_of_child(begin), 0);
}

}  // namespace
}  // namespace aclvk::test
