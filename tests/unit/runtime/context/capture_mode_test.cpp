// The table of capture-semantics 5: the calls that a capture of each mode forbids to a thread of each exchange mode.
#include "runtime/context/capture_mode.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

constexpr auto kGlobal = CaptureMode::kGlobal;
constexpr auto kThreadLocal = CaptureMode::kThreadLocal;
constexpr auto kRelaxed = CaptureMode::kRelaxed;

class CaptureModesTest : public testing::Test {
 protected:
  bool refused() const {
    try {
      modes.check_synchronous_call("aclrtMemcpy");
      return false;
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), Code::kCaptureModeNotSupported);
      return true;
    }
  }
  /// Runs the check on a thread that has begun no capture.
  bool refused_on_another_thread(CaptureMode exchanged) const {
    bool answer = false;
    std::thread([&] {
      exchange_thread_mode(exchanged);
      answer = refused();
    }).join();
    return answer;
  }
  bool refused_here(CaptureMode exchanged) const {
    const CaptureMode before = exchange_thread_mode(exchanged);
    const bool answer = refused();
    exchange_thread_mode(before);
    return answer;
  }

  CaptureModes modes;
  int first = 0, second = 0, third = 0;  // their addresses tell captures apart
};

TEST_F(CaptureModesTest, NothingIsRefusedWithoutACapture) {
  for (const CaptureMode exchanged : {kGlobal, kThreadLocal, kRelaxed}) EXPECT_FALSE(refused_here(exchanged));
}

struct Row {
  const char* name;
  CaptureMode capture;
  CaptureMode exchanged;
  bool same_thread;
  bool other_thread;
};

const Row kRows[] = {
    {"GlobalForGlobal", kGlobal, kGlobal, true, true},
    {"GlobalForThreadLocal", kGlobal, kThreadLocal, true, false},
    {"GlobalForRelaxed", kGlobal, kRelaxed, false, false},
    {"ThreadLocalForGlobal", kThreadLocal, kGlobal, true, false},
    {"ThreadLocalForThreadLocal", kThreadLocal, kThreadLocal, true, false},
    {"ThreadLocalForRelaxed", kThreadLocal, kRelaxed, false, false},
    {"RelaxedForGlobal", kRelaxed, kGlobal, false, false},
    {"RelaxedForThreadLocal", kRelaxed, kThreadLocal, false, false},
    {"RelaxedForRelaxed", kRelaxed, kRelaxed, false, false},
};

class CaptureModesTable : public CaptureModesTest, public testing::WithParamInterface<Row> {};

TEST_P(CaptureModesTable, Row) {
  modes.begin(&first, GetParam().capture);
  EXPECT_EQ(refused_here(GetParam().exchanged), GetParam().same_thread);
  EXPECT_EQ(refused_on_another_thread(GetParam().exchanged), GetParam().other_thread);
  modes.end(&first);
  EXPECT_FALSE(refused_here(GetParam().exchanged));
}

INSTANTIATE_TEST_SUITE_P(CaptureFor, CaptureModesTable, testing::ValuesIn(kRows),
                         [](const auto& row) { return row.param.name; });

TEST_F(CaptureModesTest, TheStrictestCaptureCountsUntilItEnds) {
  modes.begin(&first, kRelaxed);
  modes.begin(&second, kThreadLocal);
  modes.begin(&third, kGlobal);
  EXPECT_TRUE(refused_on_another_thread(kGlobal));
  modes.end(&third);
  EXPECT_TRUE(refused());
  EXPECT_FALSE(refused_on_another_thread(kGlobal));
  modes.end(&second);
  EXPECT_FALSE(refused());
}

TEST_F(CaptureModesTest, CaptureMayEndOnAnotherThread) {
  modes.begin(&first, kThreadLocal);
  std::thread([&] { modes.end(&first); }).join();
  EXPECT_FALSE(refused());
}

TEST_F(CaptureModesTest, CapturesOfTheThreadInOtherContextsCountWhereThereIsACapture) {
  CaptureModes other_context;
  other_context.begin(&first, kThreadLocal);
  EXPECT_FALSE(refused());
  modes.begin(&second, kRelaxed);
  EXPECT_TRUE(refused());
  EXPECT_FALSE(refused_on_another_thread(kGlobal));
}

TEST_F(CaptureModesTest, GlobalCaptureInAnotherContextForbidsByTheExchangeModeOnly) {
  CaptureModes other_context;
  other_context.begin(&first, kGlobal);
  modes.begin(&second, kRelaxed);
  EXPECT_FALSE(refused_here(kGlobal));
  EXPECT_TRUE(refused_here(kThreadLocal));
}

TEST_F(CaptureModesTest, ContextTakesItsCapturesWithIt) {
  modes.begin(&second, kRelaxed);
  {
    CaptureModes gone;
    gone.begin(&first, kThreadLocal);
  }
  EXPECT_FALSE(refused());
}

TEST_F(CaptureModesTest, PageableCopiesHaveACodeOfTheirOwn) {
  modes.begin(&first, kGlobal);
  try {
    modes.check_pageable_copy();
    FAIL() << "not refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), Code::kCaptureModeBlockAsync);
  }
}

TEST_F(CaptureModesTest, EveryThreadBeginsGlobal) {
  exchange_thread_mode(kRelaxed);
  std::thread([] { EXPECT_EQ(exchange_thread_mode(kGlobal), kGlobal); }).join();
  EXPECT_EQ(exchange_thread_mode(kGlobal), kRelaxed);
}

}  // namespace
}  // namespace aclvk::runtime
