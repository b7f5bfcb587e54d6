#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>
#include <vector>

#include "support/acl_fixture.hpp"

namespace {

using aclvk::test::on_another_thread;

uint64_t this_thread() { return static_cast<uint64_t>(pthread_self()); }

void count_up(void* target) { ++*static_cast<std::atomic<int>*>(target); }

class Callback : public aclvk::test::OneStream {
 protected:
  std::atomic<int> ran{0};
};

TEST_F(Callback, T207_AHostFunctionMustExist) {
  EXPECT_EQ(aclrtLaunchHostFunc(s, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
}

TEST_F(Callback, T207_AHostFunctionRunsBeforeTheStreamIsDone) {
  EXPECT_EQ(aclrtLaunchHostFunc(s, count_up, &ran), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(ran, 1);
}

TEST_F(Callback, AHostFunctionRunsOnTheDefaultStream) {
  EXPECT_EQ(aclrtLaunchHostFunc(nullptr, count_up, &ran), 0);
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), 0);
  EXPECT_EQ(ran, 1);
}

TEST_F(Callback, HostFunctionsRunInOrder) {
  static std::vector<int> order;
  for (int i = 0; i < 10; ++i) {
    const auto note = [](void* value) { order.push_back(static_cast<int>(reinterpret_cast<uintptr_t>(value))); };
    EXPECT_EQ(aclrtLaunchHostFunc(s, note, reinterpret_cast<void*>(static_cast<uintptr_t>(i))), 0);
  }
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST_F(Callback, AHostFunctionMayWaitForThatOfAnotherStream) {
  const auto wait = [](void* target) {
    while (*static_cast<std::atomic<int>*>(target) == 0) std::this_thread::yield();
  };
  EXPECT_EQ(aclrtLaunchHostFunc(s, wait, &ran), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(new_stream(), count_up, &ran), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
}

TEST_F(Callback, HostFunctionsNeedAContext) {
  on_another_thread([] {
    EXPECT_EQ(aclrtLaunchHostFunc(
                  nullptr, [](void*) {}, nullptr),
              ACL_ERROR_RT_CONTEXT_NULL);
  });
}

TEST_F(Callback, ArgumentsAreCheckedBeforeTheContext) {
  on_another_thread([this] {
    EXPECT_EQ(aclrtLaunchHostFunc(nullptr, nullptr, nullptr), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, nullptr), ACL_ERROR_RT_PARAM_INVALID);
    EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, nullptr), ACL_ERROR_RT_CONTEXT_NULL);
    EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), ACL_ERROR_RT_CONTEXT_NULL);
  });
  const aclrtEvent no_stream = new_event();
  EXPECT_EQ(aclrtLaunchHostFunc(no_stream, nullptr, nullptr), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, no_stream), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Callback, T201_AStreamIsSubscribedOnce) {
  EXPECT_EQ(aclrtSubscribeReport(1, s), 0);
  EXPECT_EQ(aclrtSubscribeReport(1, s), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtSubscribeReport(1, new_stream()), 0);
}

TEST_F(Callback, T202_ProcessingChecksItsTimeout) {
  EXPECT_EQ(aclrtProcessReport(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProcessReport(-2), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtProcessHostFunc(0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtProcessHostFunc(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST_F(Callback, T203_ProcessingWaitsNoLongerThanTheTimeout) {
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  EXPECT_EQ(aclrtProcessReport(50), ACL_ERROR_RT_REPORT_TIMEOUT);
}

TEST_F(Callback, OrderOfTheLaunchChecks) {
  const auto bad_type = static_cast<aclrtCallbackBlockType>(2);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, bad_type, s), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(aclrtLaunchCallback(nullptr, nullptr, ACL_CALLBACK_BLOCK, s), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), ACL_ERROR_RT_STREAM_NO_CB_REG);
}

TEST_F(Callback, KindsOfSubscriptionDoNotMix) {
  const aclrtStream other = new_stream();
  ASSERT_EQ(aclrtSubscribeHostFunc(1, s), 0);
  ASSERT_EQ(aclrtSubscribeReport(1, other), 0);
  EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  EXPECT_EQ(aclrtLaunchHostFunc(other, count_up, &ran), ACL_ERROR_RT_STREAM_SUBSCRIBE);
}

TEST_F(Callback, AStreamMayHaveAThreadOfEachKind) {
  std::atomic<bool> ready{false};
  std::atomic<bool> stop{false};
  std::atomic<int> by_host_thread{0};
  std::thread host_thread([&] {
    while (!ready) std::this_thread::yield();
    while (!stop) aclrtProcessHostFunc(20);
  });
  std::thread report_thread([&] {
    while (!ready) std::this_thread::yield();
    while (!stop) aclrtProcessReport(20);
  });
  const auto id_of = [](std::thread& thread) { return static_cast<uint64_t>(thread.native_handle()); };
  ASSERT_EQ(aclrtSubscribeReport(id_of(report_thread), s), 0);
  ASSERT_EQ(aclrtSubscribeHostFunc(id_of(host_thread), s), 0);
  EXPECT_EQ(aclrtSubscribeHostFunc(id_of(host_thread), s), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ready = true;
  EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(s, count_up, &by_host_thread), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(by_host_thread, 1);
  EXPECT_EQ(aclrtUnSubscribeReport(id_of(report_thread), s), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(s, count_up, &by_host_thread), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  EXPECT_EQ(by_host_thread, 2);
  stop = true;
  host_thread.join();
  report_thread.join();
  EXPECT_EQ(aclrtUnSubscribeHostFunc(1, s), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

// A loop of calls by a thread that is not subscribed yet would log an error for each.
TEST_F(Callback, AThreadThatProcessesEarlyWaitsForItsSubscription) {
  std::atomic<int> result{-1};
  std::atomic<int> calls{0};
  std::thread early([&] {
    while (result != 0) {
      ++calls;
      result = aclrtProcessReport(30000);
    }
  });
  while (calls == 0) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  ASSERT_EQ(aclrtSubscribeReport(static_cast<uint64_t>(early.native_handle()), s), 0);
  EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  early.join();
  EXPECT_EQ(ran, 1);
  EXPECT_LT(calls, 20);
}

TEST_F(Callback, AThreadWithoutSubscriptionWaitsAWhileOnly) {
  for (const auto process : {aclrtProcessReport, aclrtProcessHostFunc}) {
    EXPECT_EQ(process(-1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    EXPECT_EQ(process(60000), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  }
}

TEST_F(Callback, AThreadWaitsForASubscriptionOfItsKind) {
  std::atomic<bool> subscribed{false};
  std::atomic<int> calls{0};
  std::thread early([&] {
    while (!subscribed) {
      ++calls;
      EXPECT_EQ(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    }
    EXPECT_EQ(aclrtProcessHostFunc(30000), 0);
  });
  while (calls == 0) std::this_thread::yield();
  EXPECT_EQ(aclrtSubscribeHostFunc(static_cast<uint64_t>(early.native_handle()), s), 0);
  EXPECT_EQ(aclrtLaunchHostFunc(s, count_up, &ran), 0);
  subscribed = true;
  early.join();
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 30000), 0);
  EXPECT_EQ(ran, 1);
}

class StrictCallback : public Callback {
 protected:
  StrictCallback() { setenv("ACLVK_COMPATIBILITY", "strict", 1); }
};

TEST_F(StrictCallback, AThreadThatProcessesEarlyIsRefusedAtOnce) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 40; ++i) {
    EXPECT_EQ(aclrtProcessReport(60000), ACL_ERROR_RT_THREAD_SUBSCRIBE);
    EXPECT_EQ(aclrtProcessHostFunc(-1), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));  // half of what waiting takes
}

TEST_F(Callback, ACallbackRunsOnTheSubscribedThread) {
  static uint64_t runner = 0;
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  const auto note = [](void*) { runner = this_thread(); };
  ASSERT_EQ(aclrtLaunchCallback(note, nullptr, ACL_CALLBACK_BLOCK, s), 0);
  EXPECT_EQ(aclrtProcessReport(5000), 0);
  EXPECT_EQ(runner, this_thread());
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(aclrtUnSubscribeReport(this_thread(), s), 0);
}

TEST_F(Callback, ABlockingCallbackHoldsItsStream) {
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  ASSERT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtProcessReport(5000), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(ran, 1);
}

TEST_F(Callback, OneOfARunThatWasDroppedLetsNoLaterRunGo) {
  static aclrtStream running = nullptr;
  running = new_stream();
  const auto drop_first_run = [](void* counter) {
    if (++*static_cast<std::atomic<int>*>(counter) > 1) return;
    EXPECT_EQ(aclrtStreamAbort(running), 0);
  };
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRICaptureBegin(s, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL), 0);
  ASSERT_EQ(aclrtLaunchCallback(drop_first_run, &ran, ACL_CALLBACK_BLOCK, s), 0);
  ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
  ASSERT_EQ(aclmdlRIExecuteAsync(model, running), 0);
  ASSERT_EQ(aclrtProcessReport(5000), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(running, 5000), ACL_ERROR_RT_STREAM_ABORT);
  ASSERT_EQ(aclmdlRIExecuteAsync(model, running), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(running, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(aclrtProcessReport(5000), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(running, 5000), 0);
  EXPECT_EQ(ran, 2);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(Callback, T205_AnotherCallbackDoesNotHoldItsStream) {
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  ASSERT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_NO_BLOCK, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(aclrtProcessReport(5000), 0);
  EXPECT_EQ(ran, 1);
}

TEST_F(Callback, T206_UnsubscribingNamesStreamAndThread) {
  EXPECT_EQ(aclrtUnSubscribeReport(1, s), ACL_ERROR_RT_STREAM_SUBSCRIBE);
  ASSERT_EQ(aclrtSubscribeReport(1, s), 0);
  EXPECT_EQ(aclrtUnSubscribeReport(2, s), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  EXPECT_EQ(aclrtUnSubscribeReport(1, s), 0);
  EXPECT_EQ(aclrtUnSubscribeReport(1, s), ACL_ERROR_RT_STREAM_SUBSCRIBE);
}

TEST_F(Callback, UnsubscribingLetsTheStreamContinue) {
  ASSERT_EQ(aclrtSubscribeReport(1, s), 0);
  ASSERT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), 0);
  EXPECT_EQ(aclrtUnSubscribeReport(1, s), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 5000), 0);
  EXPECT_EQ(ran, 0);
}

TEST_F(Callback, OneThatThrowsBlocksNoStreamAndTheOthersAreNotLost) {
  const auto throwing = [](void*) { throw std::runtime_error("of the program"); };
  const aclrtStream held = new_stream();
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), held), 0);
  ASSERT_EQ(aclrtLaunchCallback(throwing, nullptr, ACL_CALLBACK_NO_BLOCK, s), 0);
  ASSERT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_NO_BLOCK, s), 0);
  ASSERT_EQ(aclrtSynchronizeStream(s), 0);  // both have arrived
  EXPECT_NE(aclrtProcessReport(5000), 0);
  EXPECT_EQ(aclrtProcessReport(5000), 0);
  EXPECT_EQ(ran, 1);
  ASSERT_EQ(aclrtLaunchCallback(throwing, nullptr, ACL_CALLBACK_BLOCK, held), 0);
  EXPECT_NE(aclrtProcessReport(5000), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(held, 5000), 0);
}

/// In a process of its own, which ends: what a program does that lets an exception out of a host function.
template <typename Exception>
void launch_throwing(Exception exception) {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "3", 1);
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  static Exception thrown = exception;
  aclrtLaunchHostFunc(
      stream, [](void*) { throw thrown; }, nullptr);
  aclrtSynchronizeStream(stream);
}

TEST(HostFunctionDeathTest, AnExceptionEndsTheProcessAndIsReportedFirst) {
  EXPECT_EXIT(launch_throwing(std::runtime_error("of the program")), testing::KilledBySignal(SIGABRT),
              "The host function of stream [0-9]+, task [0-9]+, threw an exception \\(of the program\\)");
}

TEST(HostFunctionDeathTest, SoDoesOneThatIsNoStdException) {
  EXPECT_EXIT(launch_throwing(7), testing::KilledBySignal(SIGABRT), "threw an exception \\(no std::exception\\)");
}

/// The same by a model that was captured and runs for the second time.
void replay_throwing() {
  setenv("ASCEND_GLOBAL_LOG_LEVEL", "3", 1);
  aclInit(nullptr);
  aclrtSetDevice(0);
  aclrtStream stream = nullptr;
  aclrtCreateStream(&stream);
  static int runs = 0;
  aclmdlRI model = nullptr;
  aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL);
  aclrtLaunchHostFunc(
      stream,
      [](void*) {
        if (++runs == 2) throw std::runtime_error("of the second run");
      },
      nullptr);
  aclmdlRICaptureEnd(stream, &model);
  for (int i = 0; i < 2; ++i) aclmdlRIExecuteAsync(model, stream);
  aclrtSynchronizeStream(stream);
}

TEST(HostFunctionDeathTest, SoDoesOneOfAReplayedModel) {
  EXPECT_EXIT(replay_throwing(), testing::KilledBySignal(SIGABRT),
              "The host function of .*threw an exception \\(of the second run\\)");
}

TEST_F(Callback, DestroyingTheStreamEndsItsSubscription) {
  ASSERT_EQ(aclrtSubscribeReport(this_thread(), s), 0);
  EXPECT_EQ(aclrtDestroyStream(s), 0);
  EXPECT_EQ(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
  const aclrtStream other = new_stream();
  EXPECT_EQ(aclrtSubscribeReport(this_thread(), other), 0);
  EXPECT_EQ(aclrtDestroyStreamForce(other), 0);
  EXPECT_EQ(aclrtProcessReport(10), ACL_ERROR_RT_THREAD_SUBSCRIBE);
}

TEST_F(Callback, HostFunctionsCanBeSubscribedTo) {
  ASSERT_EQ(aclrtSubscribeHostFunc(this_thread(), s), 0);
  ASSERT_EQ(aclrtLaunchHostFunc(s, count_up, &ran), 0);
  EXPECT_EQ(aclrtSynchronizeStreamWithTimeout(s, 50), ACL_ERROR_RT_STREAM_SYNC_TIMEOUT);
  EXPECT_EQ(ran, 0);
  EXPECT_EQ(aclrtProcessHostFunc(5000), 0);
  EXPECT_EQ(ran, 1);
  EXPECT_EQ(aclrtUnSubscribeHostFunc(this_thread(), s), 0);
}

TEST_F(Callback, AThreadOfItsOwnProcessesUntilItIsStopped) {
  std::atomic<bool> stop{false};
  std::atomic<uint64_t> id{0};
  std::thread processing([&] {
    id = this_thread();
    while (!stop) aclrtProcessReport(20);
  });
  while (id == 0) std::this_thread::yield();
  ASSERT_EQ(aclrtSubscribeReport(id, s), 0);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(aclrtLaunchCallback(count_up, &ran, ACL_CALLBACK_BLOCK, s), 0);
  EXPECT_EQ(aclrtSynchronizeStream(s), 0);
  EXPECT_EQ(ran, 20);
  stop = true;
  processing.join();
  EXPECT_EQ(aclrtUnSubscribeReport(id, s), 0);
}

}  // namespace
