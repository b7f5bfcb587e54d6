// Functions that a program registers with the library: several threads register them and take them away, while others
// do what they are notified of.
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <string>
#include <utility>
#include <vector>

#include "support/failure_fixture.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 6;
constexpr int kRounds = 20;

using InitThreads = Plain;

std::atomic<int> init_calls{0};
std::atomic<int> finalize_calls{0};

aclError note_init(const char*, size_t, void*) {
  ++init_calls;
  return 0;
}
aclError note_finalize(void*) {
  ++finalize_calls;
  return 0;
}

TEST_F(InitThreads, EachReferenceIsTakenBackByWhoAddedIt) {
  std::atomic<int> first{0};
  std::atomic<int> last{0};
  all_at_once(kThreads, [&](int) {
    for (int round = 0; round < 5 * kRounds; ++round) {
      if (done_or(ACL_ERROR_REPEAT_INITIALIZE, aclInit(nullptr))) ++first;
      std::uint64_t left = 0;
      EXPECT_EQ(aclFinalizeReference(&left), 0) << aclGetRecentErrMsg();
      if (left == 0) ++last;
    }
  });
  EXPECT_EQ(first, last);
  EXPECT_EQ(aclFinalizeReference(nullptr), ACL_ERROR_REPEAT_FINALIZE);
}

TEST_F(InitThreads, OneOfAllEndsTheLibrary) {
  EXPECT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, nullptr), 0);
  for (int round = 1; round <= kRounds; ++round) {
    EXPECT_EQ(aclInit(nullptr), 0);
    std::atomic<int> ended{0};
    all_at_once(kThreads, [&](int) {
      if (done_or(ACL_ERROR_REPEAT_FINALIZE, aclFinalize())) ++ended;
    });
    EXPECT_EQ(ended, 1);
    EXPECT_EQ(finalize_calls, round);
  }
}

TEST_F(InitThreads, CallbacksComeAndGo) {
  ASSERT_EQ(aclInit(nullptr), 0);
  all_at_once(kThreads, [&](int) {
    for (int round = 0; round < kRounds; ++round) {
      EXPECT_EQ(aclInitCallbackRegister(ACL_REG_TYPE_OTHER, note_init, nullptr), 0);
      EXPECT_EQ(aclFinalizeCallbackRegister(ACL_REG_TYPE_OTHER, note_finalize, nullptr), 0);
      EXPECT_EQ(aclInitCallbackUnRegister(ACL_REG_TYPE_OTHER, note_init), 0);
      if (round > 0) {
        EXPECT_EQ(aclFinalizeCallbackUnRegister(ACL_REG_TYPE_OTHER, note_finalize), 0);
      }
    }
  });
  EXPECT_EQ(init_calls, kThreads * kRounds) << "each is notified at once of what has happened already";
  EXPECT_EQ(aclFinalize(), 0);
  EXPECT_EQ(finalize_calls, kThreads) << "each thread has left one";
}

/// What a listener has been notified of.
struct Notified {
  std::atomic<int> streams{0};
  std::atomic<int> devices{0};
};

void note_stream(aclrtStream, aclrtStreamState, void* notified) { ++static_cast<Notified*>(notified)->streams; }
void note_device(std::int32_t, aclrtDeviceState, void* notified) { ++static_cast<Notified*>(notified)->devices; }

using CallbackThreads = CaptureTest;

TEST_F(CallbackThreads, ListenersOfStreamsAndDevicesHearWhatTheirThreadDoes) {
  std::array<Notified, kThreads> all;  // who has just been taken away may still be notified of something
  const Crowd crowd(kThreads, [&](int thread) {
    Notified& notified = all[static_cast<std::size_t>(thread)];
    const std::string name = "listener " + std::to_string(thread);
    for (int round = 1; round <= kRounds; ++round) {
      EXPECT_EQ(aclrtRegStreamStateCallback(name.c_str(), note_stream, &notified), 0);
      EXPECT_EQ(aclrtRegDeviceStateCallback(name.c_str(), note_device, &notified), 0);
      { const OwnStream stream; }
      EXPECT_EQ(aclrtSetDevice(0), 0);
      EXPECT_EQ(aclrtResetDevice(0), 0);
      EXPECT_EQ(aclrtRegStreamStateCallback(name.c_str(), nullptr, nullptr), 0);
      EXPECT_EQ(aclrtRegDeviceStateCallback(name.c_str(), nullptr, nullptr), 0);
      EXPECT_GE(notified.streams, 2 * round);
      EXPECT_GE(notified.devices, 2 * round);
    }
  });
}

TEST_F(CallbackThreads, EachThreadServesAStreamOfItsOwn) {
  std::atomic<int> ran{0};
  const auto count = [](void* target) { ++*static_cast<std::atomic<int>*>(target); };
  {
    const Crowd crowd(kThreads, [&](int) {
      const auto self = static_cast<std::uint64_t>(pthread_self());
      const OwnStream stream;
      for (int round = 0; round < kRounds; ++round) {
        const auto block = round % 2 == 0 ? ACL_CALLBACK_BLOCK : ACL_CALLBACK_NO_BLOCK;
        EXPECT_EQ(aclrtSubscribeReport(self, stream), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(aclrtLaunchCallback(count, &ran, block, stream), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(aclrtProcessReport(30000), 0) << aclGetRecentErrMsg();
        sync(stream);
        EXPECT_EQ(aclrtUnSubscribeReport(self, stream), 0);
      }
    });
  }
  EXPECT_EQ(ran, kThreads * kRounds);
}

std::atomic<int> failures{0};

void count_failure(aclrtExceptionInfo*) { ++failures; }

template <int>
void hear_failure(aclrtExceptionInfo* info) {
  EXPECT_EQ(aclrtGetErrorCodeFromExceptionInfo(info), static_cast<std::uint32_t>(kFailed));
}

constexpr std::array<aclrtExceptionInfoCallback, 3> kHearers{hear_failure<0>, hear_failure<1>, hear_failure<2>};

using FailingThreads = Failure;

TEST_F(FailingThreads, ListenersComeAndGoWhileTasksFail) {
  EXPECT_EQ(aclrtExceptionInfoCallbackRegister(count_failure), 0);
  {
    const Crowd crowd(kThreads, [](int thread) {
      const aclrtExceptionInfoCallback own = kHearers[static_cast<std::size_t>(thread) % kHearers.size()];
      const Cell cell;
      for (int round = 0; round < kRounds; ++round) {
        const OwnStream stream;
        EXPECT_EQ(aclrtExceptionInfoCallbackRegister(own), 0);
        EXPECT_EQ(aclrtSetExceptionInfoCallback(round % 2 == 0 ? own : nullptr), 0);
        fail(cell, stream);
        EXPECT_EQ(aclrtSynchronizeStream(stream), kFailed);
        EXPECT_EQ(aclrtExceptionInfoCallbackUnregister(own), 0);
      }
    });
  }
  EXPECT_EQ(failures, kThreads * kRounds);
  EXPECT_EQ(aclrtSetExceptionInfoCallback(nullptr), 0);
}

/// Many devices, whose limits have not been queried yet.
class LimitThreads : Settings, public Plain {
 protected:
  LimitThreads() : Settings({{"ACLVK_DEVICES_PER_GPU", "16"}}) {}
  static constexpr std::int32_t kDevices = 16;
};

TEST_F(LimitThreads, AllThreadsAskAtOnceForTheLimitOfADevice) {
  ASSERT_EQ(aclInit(nullptr), 0);
  for (std::int32_t device = 0; device < kDevices; ++device) {
    ASSERT_EQ(aclrtSetDevice(device), 0) << aclGetRecentErrMsg();
    std::array<std::uint32_t, kThreads> cores{};
    all_at_once(kThreads, [&](int thread) {
      aclrtGetDeviceResLimit(device, ACL_RT_DEV_RES_CUBE_CORE, &cores[static_cast<std::size_t>(thread)]);
    });
    EXPECT_GT(cores[0], 0U);
    for (const std::uint32_t notified : cores) EXPECT_EQ(notified, cores[0]);
    EXPECT_EQ(aclrtResetDevice(device), 0);
  }
  EXPECT_EQ(aclFinalize(), 0);
}

std::atomic<int> lock_calls{0};

template <int>
std::uint32_t note_lock(std::int32_t, void*) {
  ++lock_calls;
  return 0;
}

constexpr std::array<aclrtSnapShotCallBack, 4> kLockListeners{note_lock<0>, note_lock<1>, note_lock<2>, note_lock<3>};

// Threads without the lock continue; calls wait where it is locked.
TEST_F(CallbackThreads, SnapshotsAreTakenByOneThreadAtATime) {
  const Watchdog watchdog(std::chrono::seconds(100), "A snapshot does not come to its end.");
  std::atomic<int> inside{0};
  std::atomic<int> locks{0};
  const auto lock_and_unlock = [&] {
    if (!done_or(ACL_ERROR_SNAPSHOT_LOCK_FAILED, aclrtSnapShotProcessLock(getpid(), nullptr))) return;
    EXPECT_EQ(++inside, 1);
    ++locks;
    --inside;
    while (aclrtSnapShotProcessUnlock(getpid(), nullptr) != 0) std::this_thread::yield();  // another asks for a lock
  };
  {
    const Crowd crowd(static_cast<int>(kLockListeners.size()), [&](int thread) {
      const aclrtSnapShotCallBack own = kLockListeners[static_cast<std::size_t>(thread)];
      const Cell cell;
      for (int round = 1; round <= kRounds; ++round) {
        EXPECT_EQ(aclrtSnapShotCallbackRegister(ACL_RT_SNAPSHOT_LOCK_PRE, own, nullptr), 0);
        cell.value();
        lock_and_unlock();
        EXPECT_EQ(increment(cell, nullptr), 0);
        EXPECT_EQ(aclrtSnapShotCallbackUnregister(ACL_RT_SNAPSHOT_LOCK_PRE, own), 0);
      }
      EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
      EXPECT_EQ(cell.value(), kRounds);
    });
  }
  EXPECT_GT(locks, 0);
  EXPECT_GE(lock_calls, locks);
}

}  // namespace
}  // namespace aclvk::test
