// Programs whose threads share models, contexts, options and messages.
#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <functional>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kThreads = 4;

using SharedModel = CaptureTest;

void expect_all_run(aclmdlRI model, const Cell& sum) {
  constexpr int kRounds = 20;
  {
    const Crowd crowd(kThreads, [&](int) {
      for (int round = 0; round < kRounds; ++round) EXPECT_EQ(aclmdlRIExecute(model, 30000), 0) << aclGetRecentErrMsg();
    });
  }
  EXPECT_EQ(sum.value(), kThreads * kRounds);
}

// A call that waits for its run has a stream of the model's own.
TEST_F(SharedModel, AllExecuteWhatWasCaptured) {
  const Cell sum;
  expect_all_run(capture([&] { EXPECT_EQ(increment(sum, s), 0); }), sum);
}

TEST_F(SharedModel, AllExecuteWhatWasBuilt) {
  const Cell sum;
  aclmdlRI model = nullptr;
  ASSERT_EQ(aclmdlRIBuildBegin(&model, 0), 0);
  ASSERT_EQ(aclmdlRIBindStream(model, s, ACL_MODEL_STREAM_FLAG_HEAD), 0);
  EXPECT_EQ(increment(sum, s), 0);
  ASSERT_EQ(aclmdlRIEndTask(model, s), 0);
  ASSERT_EQ(aclmdlRIBuildEnd(model, nullptr), 0);
  expect_all_run(model, sum);
  EXPECT_EQ(aclmdlRIDestroy(model), 0);
}

TEST_F(SharedModel, ItIsDestroyedWhileOthersExecuteIt) {
  constexpr int kRounds = 10;
  const Cell sum;
  std::atomic<int> ran{0};
  for (int round = 0; round < kRounds; ++round) {
    aclmdlRI model = capture([&] { EXPECT_EQ(increment(sum, s), 0); });
    destroyed(model);
    const Crowd crowd(kThreads, [&](int thread) {
      if (thread == 0) {
        while (ran < 10 * (round + 1)) std::this_thread::yield();
        EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
        return;
      }
      aclError code = 0;
      while ((code = aclmdlRIExecute(model, 30000)) == 0) ++ran;
      EXPECT_EQ(code, ACL_ERROR_RT_INVALID_HANDLE) << aclGetRecentErrMsg();
    });
  }
  EXPECT_EQ(sum.value(), static_cast<float>(ran));
}

constexpr aclError kForbidden = ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT;

/// A call that a capture may forbid.
aclError set_memory(const Cell& cell) { return aclrtMemset(cell.address(), cell.bytes(), 0, cell.bytes()); }

void exchange(aclmdlRICaptureMode mode) { EXPECT_EQ(aclmdlRICaptureThreadExchangeMode(&mode), 0); }

/// Captures again and again, with a call inside that is not captured; each model does what it should.
void capture_often(aclmdlRICaptureMode mode, const std::function<void(const Cell&)>& inside) {
  constexpr int kRounds = 25;
  const OwnStream stream;
  const Cell sum, other;
  for (int round = 0; round < kRounds; ++round) {
    EXPECT_EQ(aclmdlRICaptureBegin(stream, mode), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(increment(sum, stream), 0);
    inside(other);
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0) << aclGetRecentErrMsg();
    const RelaxedThread relaxed;
    EXPECT_EQ(aclmdlRIExecuteAsync(model, stream), 0);
    sync(stream);
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
  }
  EXPECT_EQ(sum.value(), kRounds);
}

using SharedCaptureModes = CaptureTest;

TEST_F(SharedCaptureModes, ThreadsCaptureInAllModesAndExchangeTheirs) {
  const auto is_refused = [](const Cell& cell) { EXPECT_EQ(set_memory(cell), kForbidden); };
  const auto is_free = [](const Cell& cell) { EXPECT_EQ(set_memory(cell), 0) << aclGetRecentErrMsg(); };
  const std::array<std::function<void()>, 5> parts = {
      [&] { capture_often(kGlobal, is_refused); },
      [&] { capture_often(kThreadLocal, is_refused); },
      [&] {
        capture_often(kThreadLocal, [&](const Cell& cell) {
          const RelaxedThread relaxed;
          is_free(cell);
        });
      },
      [&] {
        exchange(kThreadLocal);
        capture_often(kRelaxed, is_free);
      },
      [&] {
        const Cell cell;
        for (int round = 0; round < 200; ++round) {
          exchange(kThreadLocal);
          is_free(cell);
          exchange(kGlobal);
          const aclError code = set_memory(cell);  // another thread may be inside a GLOBAL capture
          EXPECT_TRUE(code == 0 || code == kForbidden) << code;
        }
      },
  };
  const Crowd crowd(static_cast<int>(parts.size()), [&](int thread) { parts[static_cast<std::size_t>(thread)](); });
}

using SharedContexts = CaptureTest;

// A thread does not know that another destroys its context: each call answers in time, and well or that it is gone.
TEST_F(SharedContexts, TheyAreDestroyedWhileOthersHaveThemCurrent) {
  constexpr int kRounds = 20;
  const std::set<aclError> documented = {0, ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_INVALID_HANDLE};
  for (int round = 0; round < kRounds; ++round) {
    aclrtContext before = nullptr;
    aclrtContext context = nullptr;
    ASSERT_EQ(aclrtGetCurrentContext(&before), 0);
    ASSERT_EQ(aclrtCreateContext(&context, 0), 0);
    ASSERT_EQ(aclrtSetCurrentContext(before), 0);
    std::atomic<int> streams{0};
    const Crowd crowd(kThreads, [&](int thread) {
      if (thread == 0) {
        while (streams < 6) std::this_thread::yield();
        EXPECT_EQ(aclrtDestroyContext(context), 0) << aclGetRecentErrMsg();
        return;
      }
      for (aclError code = aclrtSetCurrentContext(context); code == 0;) {
        aclrtStream stream = nullptr;
        code = aclrtCreateStream(&stream);
        if (code == 0) ++streams;
        if (code == 0) code = aclrtSynchronizeStream(nullptr);
        if (code == 0) code = aclrtDestroyStream(stream);
        EXPECT_EQ(documented.count(code), 1U) << code << ": " << aclGetRecentErrMsg();
      }
      EXPECT_EQ(aclrtSetCurrentContext(before), 0);
    });
  }
}

TEST_F(SharedContexts, AllCreateStreamsInOneAndWaitForAll) {
  constexpr int kRounds = 30;
  const Crowd crowd(kThreads, [&](int thread) {
    const Cell sum;
    for (int round = 0; round < kRounds; ++round) {
      const OwnStream stream;
      EXPECT_EQ(increment(sum, stream), 0);
      if (thread == 0) {
        EXPECT_EQ(aclrtSynchronizeDevice(), 0) << aclGetRecentErrMsg();
        EXPECT_EQ(sum.value(), static_cast<float>(round + 1));
      }
      std::uint32_t available = 0;
      EXPECT_EQ(aclrtGetStreamAvailableNum(&available), 0);
      EXPECT_GT(available, 1900U) << "at most nine streams are there";
    }
  });
}

TEST_F(SharedContexts, AllSetAndReadOptions) {
  constexpr int kRounds = 500;
  const std::set<std::int64_t> values = {0, 1};
  ASSERT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), 0);
  ASSERT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, 0), 0);
  const Crowd crowd(kThreads, [&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      std::int64_t value = -1;
      EXPECT_EQ(aclrtSetSysParamOpt(ACL_OPT_DETERMINISTIC, thread % 2), 0);
      EXPECT_EQ(aclrtGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 0);
      EXPECT_EQ(values.count(value), 1U);
      EXPECT_EQ(aclrtCtxSetSysParamOpt(ACL_OPT_DETERMINISTIC, thread % 2), 0);
      EXPECT_EQ(aclrtCtxGetSysParamOpt(ACL_OPT_DETERMINISTIC, &value), 0);
      EXPECT_EQ(values.count(value), 1U);
    }
  });
}

using SharedProcess = Plain;

// No thread has set the device before: its primary context comes with the first who sets it and goes with the last.
TEST_F(SharedProcess, AllSetAndResetTheDevice) {
  constexpr int kRounds = 25;
  ASSERT_EQ(aclInit(nullptr), 0);
  {
    Threads threads;
    threads.start(kThreads, [](int) {
      for (int round = 0; round < kRounds; ++round) {
        EXPECT_EQ(aclrtSetDevice(0), 0);
        {
          const Cell sum(1);
          EXPECT_EQ(increment(sum, nullptr), 0) << aclGetRecentErrMsg();
          sync(nullptr);
          EXPECT_EQ(sum.value(), 2);
        }
        EXPECT_EQ(aclrtResetDevice(0), 0) << aclGetRecentErrMsg();
      }
    });
  }
  EXPECT_EQ(aclrtResetDevice(0), ACL_ERROR_RT_CONTEXT_RELEASE_ERROR) << "as often as it was set";
  EXPECT_EQ(aclFinalize(), 0);
}

// The codes are a thread's, and the messages here the process's: each is handed out once.
TEST_F(SharedProcess, ThreadsFailAndTakeMessages) {
  constexpr int kRounds = 100;
  const std::string path = testing::TempDir() + "aclvk_shared_messages.json";
  std::ofstream(path) << R"({"err_msg_mode":"1"})";
  ASSERT_EQ(aclInit(path.c_str()), 0);
  std::remove(path.c_str());
  std::array<std::string, kThreads> taken;
  Threads threads;
  threads.start(kThreads, [&taken](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      const bool by_device = (round + thread) % 2 == 0;
      const aclError expected = by_device ? ACL_ERROR_RT_INVALID_DEVICEID : ACL_ERROR_RT_CONTEXT_NULL;
      EXPECT_EQ(by_device ? aclrtSetDevice(1000 + thread) : aclrtSynchronizeDevice(), expected);
      EXPECT_EQ(aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL), expected);
      EXPECT_EQ(aclrtGetLastError(ACL_RT_THREAD_LEVEL), expected);
      if (const char* message = aclGetRecentErrMsg()) {
        taken[static_cast<std::size_t>(thread)] += std::string(message) + '\n';
      }
    }
  });
  threads.join();
  std::ptrdiff_t sentences = 0;
  for (const std::string& text : taken) sentences += std::count(text.begin(), text.end(), '\n');
  EXPECT_EQ(sentences, kThreads * kRounds);
  EXPECT_EQ(aclFinalize(), 0);
}

}  // namespace
}  // namespace aclvk::test
