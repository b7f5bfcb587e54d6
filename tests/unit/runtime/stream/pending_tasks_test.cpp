#include "runtime/stream/pending_tasks.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "runtime/event/event.hpp"

namespace aclvk::runtime {
namespace {

using std::chrono_literals::operator""s;

vk::BufferRange allocation(std::uint64_t number) { return {nullptr, 0, 8, number}; }

Task mark(const char* text) { return MarkTask{text}; }
Task fill(std::uint64_t number) { return FillTask{allocation(number), 0}; }

/// A procedure that uses one allocation.
class UserOfMemory final : public Procedure {
 public:
  explicit UserOfMemory(std::uint64_t number) : number_(number) {}
  bool advance(StreamQueue&) override { return false; }
  std::string waits_for() const override { return "the test"; }
  bool uses(const vk::BufferRange& range) const override { return range.allocation == number_; }

 private:
  const std::uint64_t number_;
};

/// Removes all tasks and returns the texts of the marks among them.
std::vector<std::string> texts(PendingTasks& tasks) {
  std::vector<std::string> found;
  for (; !tasks.empty(); tasks.pop_front()) found.push_back(std::get<MarkTask>(tasks.front()).text);
  return found;
}

TEST(PendingTasks, KeepTheirOrder) {
  PendingTasks tasks;
  EXPECT_TRUE(tasks.empty());
  for (const char* text : {"a", "b", "c"}) tasks.add(mark(text));
  EXPECT_EQ(tasks.size(), 3u);
  EXPECT_EQ(texts(tasks), (std::vector<std::string>{"a", "b", "c"}));
}

TEST(PendingTasks, AreCountedWithThoseThatWereNeverPending) {
  PendingTasks tasks;
  tasks.count_processed();
  tasks.add(mark("a"));
  tasks.add(mark("b"));
  EXPECT_EQ(tasks.processed(), 1u);
  tasks.pop_front();
  EXPECT_EQ(tasks.processed(), 2u);
  tasks.drain([](const Task&) {});
  EXPECT_EQ(tasks.processed(), 3u);
}

TEST(PendingTasks, KnowTheThreadThatLaunchedEach) {
  PendingTasks tasks;
  std::thread([&] {
    tasks.begin_new();
    tasks.add(mark("other"));
  }).join();
  tasks.begin_new();
  EXPECT_EQ(tasks.launching_thread(), this_thread_id());
  tasks.begin_front();
  EXPECT_NE(tasks.launching_thread(), this_thread_id());
  EXPECT_NE(tasks.launching_thread(), 0u);
}

TEST(PendingTasks, NumberTheirRecords) {
  PendingTasks tasks;
  const auto first = std::make_shared<Point>(), second = std::make_shared<Point>();
  tasks.add(EventRecordTask{nullptr, first});
  tasks.add(mark("between"));
  tasks.add(EventRecordTask{nullptr, second});
  EXPECT_EQ(std::get<Point::Queued>(first->state).number, 1u);
  EXPECT_EQ(std::get<Point::Queued>(second->state).number, 2u);
  EXPECT_TRUE(first->pending_in(tasks.epoch()) && second->pending_in(tasks.epoch()));
}

TEST(PendingTasks, HaveEpochsOfTheirOwn) {
  PendingTasks one, other;
  EXPECT_NE(one.epoch(), other.epoch());
}

TEST(PendingTasks, AreDrainedOneByOne) {
  PendingTasks tasks;
  for (const char* text : {"a", "b"}) tasks.add(mark(text));
  tasks.set_front_started(true);
  const std::uint32_t epoch = tasks.epoch();
  std::vector<std::string> dropped;
  EXPECT_TRUE(tasks.drain([&](const Task& task) {
    EXPECT_EQ(tasks.size(), 2 - dropped.size()) << "the task is removed after the call";
    EXPECT_EQ(tasks.epoch(), epoch);
    dropped.push_back(std::get<MarkTask>(task).text);
  }));
  EXPECT_EQ(dropped, (std::vector<std::string>{"a", "b"}));
  EXPECT_NE(tasks.epoch(), epoch);
  EXPECT_FALSE(tasks.front_started());
}

TEST(PendingTasks, DrainOfNothingEndsNoEpoch) {
  PendingTasks tasks;
  const std::uint32_t epoch = tasks.epoch();
  EXPECT_FALSE(tasks.drain([](const Task&) { FAIL(); }));
  EXPECT_EQ(tasks.epoch(), epoch);
}

TEST(PendingTasks, ThatTheFrontHasStartedEndsWithIt) {
  PendingTasks tasks;
  tasks.add(mark("a"));
  tasks.set_front_started(true);
  tasks.pop_front();
  EXPECT_FALSE(tasks.front_started());
}

TEST(PendingTasks, KnowWhatMemoryTheyMayUse) {
  PendingTasks tasks;
  tasks.add(fill(5));
  tasks.add(ProcedureTask{std::make_shared<UserOfMemory>(7), nullptr});
  tasks.add(ProcedureTask{nullptr, nullptr});
  EXPECT_TRUE(tasks.may_use(allocation(5)));
  EXPECT_TRUE(tasks.may_use(allocation(7)));
  EXPECT_FALSE(tasks.may_use(allocation(6)));
}

TEST(PendingTasks, RetainMemoryUntilItsLastUser) {
  PendingTasks tasks;
  for (const std::uint64_t number : {5, 6, 5, 6}) tasks.add(fill(number));
  auto bytes = std::make_shared<int>();
  const std::weak_ptr<int> alive = bytes;
  tasks.retain(allocation(5), std::move(bytes));
  for (int i = 0; i < 2; ++i) tasks.pop_front();
  EXPECT_FALSE(alive.expired());
  EXPECT_EQ(tasks.memory_of_front().size(), 1u);
  tasks.pop_front();
  EXPECT_TRUE(alive.expired());
}

TEST(PendingTasks, RetainNothingWithoutAUser) {
  PendingTasks tasks;
  tasks.add(fill(5));
  const auto bytes = std::make_shared<int>();
  tasks.retain(allocation(6), bytes);
  EXPECT_EQ(bytes.use_count(), 1);
}

TEST(PendingTasks, ReturnWhatTheFirstWaitsFor) {
  PendingTasks tasks;
  EXPECT_EQ(tasks.waits_for(), "nothing");
  const auto notify = std::make_shared<Notify>();
  tasks.add(NotifyWaitTask{notify});
  tasks.add(ProcedureTask{std::make_shared<UserOfMemory>(1), nullptr});
  EXPECT_EQ(tasks.waits_for(), "the device") << "it is throttled";
  tasks.set_front_started(true);
  EXPECT_EQ(tasks.waits_for(), "a record of notify " + std::to_string(notify->id));
  tasks.pop_front();
  tasks.set_front_started(true);
  EXPECT_EQ(tasks.waits_for(), "the test");
}

TEST(PendingTasks, WaitOfTheFirstExpires) {
  PendingTasks tasks;
  tasks.add(NotifyWaitTask{std::make_shared<Notify>(), 2s});
  const PendingTasks::Time begin{1000s};
  tasks.begin_wait(begin);
  EXPECT_EQ(tasks.expired_limit(begin + 1s), 0s);
  EXPECT_EQ(tasks.expired_limit(begin + 2s), 2s);
  tasks.begin_wait(begin + 2s);
  EXPECT_EQ(tasks.expired_limit(begin + 3s), 0s);
}

TEST(PendingTasks, WaitWithoutALimitDoesNotExpire) {
  PendingTasks tasks;
  tasks.add(NotifyWaitTask{std::make_shared<Notify>()});
  const PendingTasks::Time begin{1000s};
  tasks.begin_wait(begin);
  EXPECT_EQ(tasks.expired_limit(begin + 1000000s), 0s);
}

}  // namespace
}  // namespace aclvk::runtime
