// Stories of replays whose wait does not end: the log says who waits for what.
#include <future>
#include <sstream>
#include <string>

#include "support/standard_error.hpp"
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

class LongWait : Settings, public CaptureTest {
 protected:
  LongWait() : Settings({{"ACLVK_WAIT_REPORT_MS", "1"}, {"ASCEND_GLOBAL_LOG_LEVEL", "2"}}) {}

  static std::string id_of(aclrtStream stream) {
    std::int32_t id = -1;
    EXPECT_EQ(aclrtStreamGetId(stream, &id), 0);
    return std::to_string(id);
  }
  static std::string id_of_model(aclmdlRI model) {
    std::uint32_t id = 0;
    EXPECT_EQ(aclmdlRIGetId(model, &id), 0);
    return std::to_string(id);
  }
  /// How many lines so far say that the stream waits for this.
  int reports(aclrtStream stream, const std::string& what) const {
    const std::string stream_says = "Stream " + id_of(stream) + " has been blocked for ";
    std::istringstream lines(log_.text());
    int count = 0;
    for (std::string line; std::getline(lines, line);) {
      const bool of_stream = line.find(stream_says) != std::string::npos;
      if (of_stream && line.find("it waits for " + what + ".") != std::string::npos) ++count;
    }
    return count;
  }
  /// Waits for the report; fails with all that was said after a long time.
  void expect_reported(aclrtStream stream, const std::string& what, int times = 1) const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (reports(stream, what) < times && std::chrono::steady_clock::now() < end) EXPECT_TRUE(stays_blocked(stream));
    EXPECT_EQ(reports(stream, what), times) << "stream " << id_of(stream) << ", " << what << " in:\n" << log_.text();
  }
  /// A model that waits for the gate, and closes it again.
  aclmdlRI gated(aclrtEvent gate) {
    return capture([&] {
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
    });
  }
  static std::string wait_for(aclrtEvent event) {
    std::uint32_t id = 0;
    EXPECT_EQ(aclrtGetEventId(event, &id), 0);
    return "EVENT_WAIT_" + std::to_string(id);
  }

 private:
  StandardError log_;
};

TEST_F(LongWait, NamesModelAndEvent) {
  aclrtEvent other = new_external_event();
  aclrtEvent gate = new_external_event();
  aclmdlRI model = gated(gate);
  execute(model, s);
  expect_reported(s, "model " + id_of_model(model) + " at " + wait_for(gate));
  EXPECT_EQ(aclrtRecordEvent(other, side), 0);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
}

TEST_F(LongWait, NamesModelAndWord) {
  const Word word;
  aclmdlRI model = capture([&] { EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0); });
  execute(model, s);
  const auto address = reinterpret_cast<std::uintptr_t>(word.address());
  expect_reported(s, "model " + id_of_model(model) + " at MEM_WAIT_VALUE_" + std::to_string(address));
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
  sync(s);
}

TEST_F(LongWait, NamesModelAndNotify) {
  aclrtNotify notify = nullptr;
  ASSERT_EQ(aclrtCreateNotify(&notify, 0), 0);
  std::uint32_t id = 0;
  EXPECT_EQ(aclrtGetNotifyId(notify, &id), 0);
  aclmdlRI model = capture([&] { EXPECT_EQ(aclrtWaitAndResetNotify(notify, s, 0), 0); });
  execute(model, s);
  expect_reported(s, "model " + id_of_model(model) + " at NOTIFY_WAIT_" + std::to_string(id));
  EXPECT_EQ(aclrtRecordNotify(notify, side), 0);
  sync(s);
  EXPECT_EQ(aclrtDestroyNotify(notify), 0);
}

TEST_F(LongWait, NamesModelAndHostFunction) {
  std::promise<void> go;
  aclmdlRI model = capture([&] {
    const auto wait = [](void* promise) { static_cast<std::promise<void>*>(promise)->get_future().wait(); };
    EXPECT_EQ(aclrtLaunchHostFunc(s, wait, &go), 0);
  });
  execute(model, s);
  expect_reported(s, "model " + id_of_model(model) + " at HOSTFUNC_CALLBACK");
  go.set_value();
  sync(s);
}

TEST_F(LongWait, NamesAllThatABranchedModelWaitsFor) {
  aclrtEvent left = new_external_event();
  aclrtEvent right = new_external_event();
  aclmdlRI model = capture([&] {
    order(s, side);
    EXPECT_EQ(aclrtStreamWaitEvent(s, left), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(side, right), 0);
    order(side, s);
  });
  execute(model, s);
  expect_reported(s, "model " + id_of_model(model) + " at " + wait_for(left) + ", " + wait_for(right));
  EXPECT_EQ(aclrtRecordEvent(left, side), 0);
  EXPECT_EQ(aclrtRecordEvent(right, side), 0);
  sync(s);
}

TEST_F(LongWait, RunAfterABlockedRunNamesItsModel) {
  aclrtEvent gate = new_external_event();
  aclmdlRI model = gated(gate);
  execute(model, s);
  execute(model, side);
  expect_reported(s, "model " + id_of_model(model) + " at " + wait_for(gate));
  expect_reported(side, "an earlier run of model " + id_of_model(model));

  aclrtStream other = new_stream();
  EXPECT_EQ(aclrtRecordEvent(gate, other), 0);
  sync(s);
  expect_reported(side, "model " + id_of_model(model) + " at " + wait_for(gate));
  EXPECT_EQ(aclrtRecordEvent(gate, other), 0);
  sync(side);
}

TEST_F(LongWait, EachBlockedRunOfAStreamIsReportedInOrder) {
  aclrtEvent gate = new_external_event();
  aclmdlRI model = gated(gate);
  const std::string what = "model " + id_of_model(model) + " at " + wait_for(gate);
  execute(model, s);
  execute(model, s);
  for (int run = 1; run <= 2; ++run) {
    expect_reported(s, what, run);
    EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  }
  sync(s);
}

}  // namespace
}  // namespace aclvk::test
