// Tests streams that wait for each other (docs/adr/0003): blocked tasks stay on the host, and are submitted by the call
// that unblocks them.
#include "runtime/stream/scheduler.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "runtime/context/context.hpp"
#include "runtime/context/current.hpp"

namespace aclvk::runtime {
namespace {

using std::chrono_literals::operator""s;

class SchedulerTest : public testing::Test {
 protected:
  void SetUp() override {
    set_device(0);
    for (StreamPtr& stream : streams) stream = current_context()->create_stream({});
  }
  void TearDown() override {
    for (StreamPtr& stream : streams) current_context()->destroy_stream(stream, true);
    for (StreamPtr& stream : streams) stream.reset();
    reset_device(0, false);
  }

  static EventPtr external() { return std::make_shared<Event>(EventMaker::kWithFlag, kEventExternal); }
  static EventPtr ex() { return std::make_shared<Event>(EventMaker::kExWithFlag, kEventSync); }
  static bool blocked(const StreamPtr& stream) {
    const SchedulerLock lock;
    return !stream->queue().pending().empty();
  }
  static std::string waits_for(const StreamPtr& stream) {
    const SchedulerLock lock;
    return stream->queue().pending().waits_for();
  }
  void sync(const StreamPtr& stream) { stream->synchronize(30s); }
  /// Launches a host function that appends `call` to `calls`.
  void log_call(const StreamPtr& stream, int call) {
    stream->host_function([this, call] {
      const std::lock_guard lock(mutex);
      calls.push_back(call);
    });
  }
  std::vector<int> logged() {
    const std::lock_guard lock(mutex);
    return calls;
  }

  StreamPtr streams[4];
  std::mutex mutex;
  std::vector<int> calls;
};

using HostFunctions = SchedulerTest;

/// Returns the code that synchronize() throws, if any.
std::optional<Code> code_of_synchronize(Stream& stream, Timeout timeout) {
  try {
    stream.synchronize(timeout);
  } catch (const Error& error) {
    return error.code();
  }
  return {};
}

TEST_F(SchedulerTest, FreesOfStreamsThatHaveEndedAreForgotten) {
  const SchedulerLock lock;
  StreamQueue& queue = streams[0]->queue();
  const std::uint32_t live = streams[1]->queue().pending().epoch();
  const std::uint32_t newest = queue.pending().epoch() + 1000;
  for (std::uint32_t ended = newest; ended < newest + 200; ++ended) queue.frees[ended] = 1;
  queue.frees[live] = 7;
  queue.frees[queue.pending().epoch()] = 9;
  queue.trim_frees();
  EXPECT_EQ(queue.frees, (FreeCounts{{queue.pending().epoch(), 9}, {live, 7}}));
}

std::ptrdiff_t threads_of_process() {
  using Entries = std::filesystem::directory_iterator;
  return std::distance(Entries("/proc/self/task"), Entries());
}

// A function counts as done before its thread is ready for the next one, which must not start another thread.
TEST_F(HostFunctions, OfOneStreamNeedOneThread) {
  streams[0]->host_function([] {});
  sync(streams[0]);
  const std::ptrdiff_t before = threads_of_process();
  for (int i = 0; i < 500; ++i) streams[0]->host_function([] {});
  sync(streams[0]);
  EXPECT_LE(threads_of_process(), before);
}

TEST_F(SchedulerTest, IdleStreamIsNotBlocked) {
  EXPECT_FALSE(blocked(streams[0]));
  EXPECT_TRUE(streams[0]->idle());
  EXPECT_EQ(waits_for(streams[0]), "nothing");
}

TEST_F(SchedulerTest, StreamIsBlockedUntilTheFlagIsSet) {
  const EventPtr gate = external();
  streams[0]->wait(gate);
  EXPECT_TRUE(blocked(streams[0]));
  EXPECT_FALSE(streams[0]->idle());
  streams[1]->record(gate);
  EXPECT_FALSE(blocked(streams[0]));
}

TEST_F(SchedulerTest, BlockedStreamTellsWhatItWaitsFor) {
  const EventPtr gate = external();
  streams[0]->wait(gate);
  EXPECT_EQ(waits_for(streams[0]), "a record of event " + std::to_string(gate->id));
  streams[1]->record(gate);
}

TEST_F(SchedulerTest, WaitForARecordAfterABlockIsBlockedToo) {
  const EventPtr gate = external(), event = ex();
  streams[0]->wait(gate);
  streams[0]->record(event);
  streams[1]->wait(event);
  EXPECT_TRUE(blocked(streams[1]));
  streams[2]->record(gate);
  EXPECT_FALSE(blocked(streams[1]));
}

TEST_F(SchedulerTest, OneRecordFreesAChainOfThreeStreams) {
  const EventPtr gates[] = {external(), external(), external()};
  for (int i = 2; i >= 0; --i) {
    streams[i]->wait(gates[i]);
    if (i < 2) streams[i]->record(gates[i + 1]);
    log_call(streams[i], i);
  }
  streams[3]->record(gates[0]);
  sync(streams[2]);
  sync(streams[1]);
  sync(streams[0]);
  EXPECT_EQ(logged().size(), 3u);
}

TEST_F(SchedulerTest, StreamsMayWaitForEachOtherAlternately) {
  const EventPtr to_first = external(), to_second = external();
  for (int iteration = 0; iteration < 20; ++iteration) {
    streams[0]->wait(to_first);
    streams[0]->reset(to_first);
    log_call(streams[0], 2 * iteration);
    streams[0]->record(to_second);
    streams[1]->wait(to_second);
    streams[1]->reset(to_second);
    log_call(streams[1], 2 * iteration + 1);
    streams[1]->record(to_first);
  }
  streams[2]->record(to_first);
  sync(streams[1]);
  std::vector<int> alternating;
  for (int i = 0; i < 40; ++i) alternating.push_back(i);
  EXPECT_EQ(logged(), alternating);
}

TEST_F(SchedulerTest, FlagIsBinary) {
  const EventPtr gate = external();
  streams[1]->record(gate);
  streams[1]->record(gate);
  for (const StreamPtr& stream : {streams[0], streams[2]}) {
    stream->wait(gate);
    stream->reset(gate);
  }
  EXPECT_FALSE(blocked(streams[0]));
  EXPECT_TRUE(blocked(streams[2]));
  streams[1]->record(gate);
}

TEST_F(SchedulerTest, NotifySetsFreeOneWaiter) {
  const auto notify = std::make_shared<Notify>();
  streams[0]->accept(NotifyWaitTask{notify});
  streams[1]->accept(NotifyWaitTask{notify});
  streams[2]->accept(NotifyRecordTask{notify});
  EXPECT_NE(blocked(streams[0]), blocked(streams[1]));
  streams[2]->accept(NotifyRecordTask{notify});
  EXPECT_FALSE(blocked(streams[0]) || blocked(streams[1]));
}

TEST_F(SchedulerTest, TimeoutTellsTheReason) {
  const EventPtr gate = external();
  streams[0]->wait(gate);
  EXPECT_EQ(code_of_synchronize(*streams[0], std::chrono::milliseconds(5)), Code::kStreamSyncTimeout);
  streams[1]->record(gate);
  sync(streams[0]);
}

TEST_F(SchedulerTest, SynchronizeEndsWhenAnotherThreadSetsTheStreamFree) {
  const EventPtr gate = external();
  streams[0]->wait(gate);
  std::thread other([&] { streams[1]->record(gate); });
  sync(streams[0]);
  other.join();
}

TEST_F(SchedulerTest, AbortEndsSynchronizeWith107023) {
  streams[0]->wait(external());
  log_call(streams[0], 1);
  std::atomic<bool> over{false};
  std::optional<Code> code;
  std::thread waiter([&] {
    code = code_of_synchronize(*streams[0], 30s);
    over = true;
  });
  while (!over) {
    streams[0]->abort();
    std::this_thread::yield();
  }
  waiter.join();
  EXPECT_TRUE(code == Code::kStreamAbort || !code);  // the abort may precede the wait
  EXPECT_TRUE(logged().empty());
}

TEST_F(SchedulerTest, AbortFreesThoseWhoWaitForTheDroppedRecords) {
  const EventPtr event = ex();
  streams[0]->wait(external());
  streams[0]->record(event);
  streams[1]->wait(event);
  EXPECT_TRUE(blocked(streams[1]));
  streams[0]->abort();
  sync(streams[1]);
}

TEST_F(SchedulerTest, StreamWorksAfterAnAbort) {
  streams[0]->wait(external());
  streams[0]->abort();
  log_call(streams[0], 1);
  sync(streams[0]);
  EXPECT_EQ(logged(), std::vector<int>{1});
}

// Host functions

TEST_F(HostFunctions, RunInTheOrderOfTheirStream) {
  for (int i = 0; i < 100; ++i) log_call(streams[0], i);
  sync(streams[0]);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(logged()[static_cast<std::size_t>(i)], i);
}

TEST_F(HostFunctions, RunAfterWhatTheirStreamWaitsFor) {
  const EventPtr event = ex();
  log_call(streams[0], 1);
  streams[0]->record(event);
  streams[1]->wait(event);
  log_call(streams[1], 2);
  sync(streams[1]);
  EXPECT_EQ(logged(), (std::vector<int>{1, 2}));
}

TEST_F(HostFunctions, LaterTasksWaitForTheFunction) {
  std::atomic<bool> go{false}, finished{false};
  const EventPtr event = ex();
  streams[0]->host_function([&] {
    while (!go) std::this_thread::yield();
    finished = true;
  });
  streams[0]->record(event);
  streams[1]->wait(event);
  EXPECT_TRUE(blocked(streams[1]));
  go = true;
  sync(streams[1]);
  EXPECT_TRUE(finished);
}

TEST_F(HostFunctions, SlowFunctionDoesNotHoldOtherStreams) {
  std::atomic<bool> go{false};
  const auto notify = std::make_shared<Notify>();
  streams[0]->host_function([&] {
    while (!go) std::this_thread::yield();
  });
  streams[1]->accept(NotifyRecordTask{notify});
  streams[2]->accept(NotifyWaitTask{notify});
  sync(streams[2]);
  go = true;
  sync(streams[0]);
}

TEST_F(HostFunctions, MayGiveTasksToOtherStreams) {
  const EventPtr gate = external();
  streams[1]->wait(gate);
  streams[0]->host_function([&] { streams[2]->record(gate); });
  sync(streams[1]);
  sync(streams[0]);
}

TEST_F(HostFunctions, DoNotBeginOnceTheirStreamIsAborted) {
  const auto gate = streams[0]->device().gpu().create_timeline();
  {
    const SchedulerLock lock;
    streams[0]->queue().batch().wait_for({gate, 1});
  }
  log_call(streams[0], 1);  // waits for the device
  streams[0]->abort();
  gate->signal(1);
  EXPECT_EQ(code_of_synchronize(*streams[0], 30s), Code::kStreamAbort);
  for (int i = 2; i < 5; ++i) log_call(streams[0], i);
  sync(streams[0]);
  EXPECT_EQ(logged(), (std::vector<int>{2, 3, 4}));
}

}  // namespace
}  // namespace aclvk::runtime
