#include "base/process_state.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "base/per_process.hpp"
#include "base/thread_value.hpp"
#include "runtime/process/process.hpp"

namespace aclvk {
namespace {

using Names = std::vector<std::string>;

/// The states that have ended, in order.
Names& ended() {
  static Names names;
  return names;
}

struct Low {
  ~Low() { ended().emplace_back("low"); }
  int value = 1;
};
using LowState = ProcessState<Low, StateId::kTestLow>;

/// Uses a lower state while it ends.
struct Middle {
  ~Middle() { ended().emplace_back("middle, low is " + std::to_string(LowState::get().value)); }
  int value = 1;
};
using MiddleState = ProcessState<Middle, StateId::kTestMiddle>;

struct High {
  ~High() { ended().emplace_back("high"); }
  std::string text = "new";
};
using HighState = ProcessState<High, StateId::kTestHigh>;

class ProcessStates : public testing::Test {
 protected:
  void SetUp() override { ended().clear(); }
  void TearDown() override { end_process_states(); }

 private:
  const runtime::Process process_;  // ends what suites before this one have left
};

TEST_F(ProcessStates, BeginWithTheirFirstUse) {
  EXPECT_EQ(HighState::find(), nullptr);
  High& state = HighState::get();
  EXPECT_EQ(HighState::find(), &state);
  EXPECT_EQ(&HighState::get(), &state);
}

TEST_F(ProcessStates, BeginAnewAfterTheirEnd) {
  HighState::get().text = "used";
  EXPECT_TRUE(end_process_states().empty());
  EXPECT_EQ(ended(), Names{"high"});
  EXPECT_EQ(HighState::find(), nullptr);
  EXPECT_EQ(HighState::get().text, "new");
}

TEST_F(ProcessStates, EndFromTheLastRowToTheFirst) {
  MiddleState::get();
  HighState::get();
  LowState::get().value = 7;
  EXPECT_TRUE(end_process_states().empty());
  EXPECT_EQ(ended(), (Names{"high", "middle, low is 7", "low"}));
}

TEST_F(ProcessStates, EndOnlyIfTheyHaveBegun) {
  LowState::get();
  EXPECT_TRUE(end_process_states().empty());
  EXPECT_TRUE(end_process_states().empty());
  EXPECT_EQ(ended(), Names{"low"});
}

// Low ends first if its row is the higher one; its use by Middle creates it again.
TEST_F(ProcessStates, AreReportedInTheWrongOrder) {
  struct Above {
    int value = 1;
  };
  using AboveState = ProcessState<Above, StateId::kTestHigh>;
  struct Below {
    ~Below() { AboveState::get(); }
  };
  ProcessState<Below, StateId::kTestLow>::get();
  const std::vector<const char*> late = end_process_states();
  ASSERT_EQ(late.size(), 1U);
  EXPECT_STREQ(late.front(), "kTestHigh");
  EXPECT_EQ(AboveState::find(), nullptr);
}

TEST_F(ProcessStates, AreLeftWithoutTheirEnd) {
  Low* left = LowState::leave();
  EXPECT_EQ(left, nullptr);
  Low& state = LowState::get();
  left = LowState::leave();
  EXPECT_EQ(left, &state);
  EXPECT_NE(&LowState::get(), &state);
  EXPECT_TRUE(ended().empty());
  delete left;
}

TEST_F(ProcessStates, AreOneForThreadsThatMeetAtTheFirstUse) {
  struct Slow {
    Slow() { std::this_thread::sleep_for(std::chrono::milliseconds(2)); }  // so that the threads do meet
  };
  using State = ProcessState<Slow, StateId::kTestLow>;
  constexpr std::size_t kThreads = 8;
  std::atomic<bool> go{false};
  std::vector<Slow*> seen(kThreads);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      while (!go) std::this_thread::yield();
      seen[i] = &State::get();
    });
  }
  go = true;
  for (std::thread& thread : threads) thread.join();
  for (const Slow* state : seen) EXPECT_EQ(state, State::find());
}

TEST_F(ProcessStates, CountTheirProcesses) {
  const std::uint64_t before = process_generation();
  end_process_states();
  EXPECT_EQ(process_generation(), before + 1);
}

using Number = ProcessValue<int, 5, StateId::kTestMiddle>;

TEST_F(ProcessStates, OfValuesBeginWithTheInitialValue) {
  EXPECT_EQ(Number::get(), 5);
  Number::set(8);
  EXPECT_EQ(Number::get(), 8);
  end_process_states();
  EXPECT_EQ(Number::get(), 5);
  EXPECT_EQ(Number::next(), 5);
  EXPECT_EQ(Number::next(), 6);
  end_process_states();
  EXPECT_EQ(Number::next(), 5);
}

thread_local ThreadValue<std::string> own_text;

TEST_F(ProcessStates, OfThreadsBeginEmpty) {
  own_text.get() = "used";
  EXPECT_EQ(own_text.get(), "used");
  end_process_states();
  EXPECT_EQ(own_text.unchecked(), "used");
  EXPECT_EQ(own_text.get(), "");
  EXPECT_EQ(own_text.unchecked(), "");
}

TEST_F(ProcessStates, OfOtherThreadsBeginEmptyToo) {
  std::atomic<int> step{0};
  std::string later = "not read";
  std::thread other([&] {
    own_text.get() = "used";
    step = 1;
    while (step != 2) std::this_thread::yield();
    later = own_text.get();
  });
  while (step != 1) std::this_thread::yield();
  end_process_states();
  step = 2;
  other.join();
  EXPECT_EQ(later, "");
}

struct Counted {
  int value = 1;
};
using Forked = PerProcess<Counted, StateId::kTestLow>;

/// Returns what `read` returns in a forked child.
template <typename Read>
int in_child(Read&& read) {
  const pid_t child = fork();
  if (child == 0) _exit(read());
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(ProcessStates, PerProcessBeginAnewInAChild) {
  Forked::get().value = 9;
  EXPECT_EQ(in_child([] { return Forked::get().value; }), 1);
  EXPECT_EQ(Forked::get().value, 9);
}

TEST_F(ProcessStates, OthersAreInheritedByAChild) {
  LowState::get().value = 9;
  EXPECT_EQ(in_child([] { return LowState::get().value; }), 9);
}

TEST_F(ProcessStates, PerProcessEndWithTheProcess) {
  Forked::get().value = 9;
  end_process_states();
  EXPECT_EQ(Forked::get().value, 1);
}

}  // namespace
}  // namespace aclvk
