// Stories of programs that capture several streams, and that steer a running model from outside.
#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

using MultiStreamStory = CaptureTest;

// T094, what torch does with side streams: each round the side stream waits for the main one, works, and is waited for.
TEST_F(MultiStreamStory, T094_SideStreamWorksBesideTheMainStreamThreeTimes) {
  Cell input, left, right, sum;
  aclmdlRI model = capture([&] {
    for (int round = 0; round < 3; ++round) {
      order(s, side);
      EXPECT_EQ(add(input, 10, left, side), 0);  // left = input + 10
      EXPECT_EQ(add(input, 100, right, s), 0);   // right = input + 100
      order(side, s);
      EXPECT_EQ(add(left, 1, input, s), 0);  // input = left + 1
    }
    EXPECT_EQ(add(right, 1, sum, s), 0);
  });
  for (const float start : {0.0F, 1.0F, -50.0F, 1000.0F}) {
    input.set(start);
    run(model, s);
    EXPECT_EQ(input.value(), start + 33);
    EXPECT_EQ(sum.value(), start + 22 + 100 + 1);
  }
}

TEST_F(MultiStreamStory, FiveStreamsFanOutAndInAgain) {
  Cell input;
  Cell branch[5];
  aclrtStream streams[5];
  for (aclrtStream& stream : streams) stream = new_stream();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(increment(input, s), 0);
    for (int i = 0; i < 5; ++i) {
      order(s, streams[i]);
      EXPECT_EQ(add(input, static_cast<float>(i), branch[i], streams[i]), 0);
    }
    for (aclrtStream stream : streams) order(stream, s);
  });
  for (int replay = 1; replay <= 3; ++replay) {
    run(model, side);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(branch[i].value(), static_cast<float>(replay + i));
  }
}

// T110, torch_npu's ExternalEvent: record = write 1; wait = wait for 1, then write 0.
TEST_F(MultiStreamStory, T110_OneRunForEachWriteAHundredTimes) {
  Cell cell;
  const Word word;
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(aclrtValueWrite(word.address(), 0, 0, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  for (int i = 1; i <= 100; ++i) {
    execute(model, s);
    EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
    sync(s);
    ASSERT_EQ(cell.value(), static_cast<float>(i));
  }
  EXPECT_EQ(word.value(), 0u);
}

// T102: EXTERNAL events are binary. A second record before the first was consumed is lost, and must not let a run
// through.
TEST_F(MultiStreamStory, T102_TwoRecordsReleaseOneRun) {
  Cell cell;
  aclrtEvent gate = new_external_event();
  aclmdlRI model = capture([&] {
    EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
    EXPECT_EQ(aclrtResetEvent(gate, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  execute(model, s);
  execute(model, s);
  EXPECT_TRUE(becomes(cell, 1));
  EXPECT_TRUE(stays_blocked(s));
  EXPECT_EQ(cell.value(), 1);

  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  sync(s);
  EXPECT_EQ(cell.value(), 2);
}

// T179: two streams replay the same model; its memory is shared, so the runs must not overlap.
TEST_F(MultiStreamStory, T179_RunsOfOneModelOnTwoStreamsAreOneAfterTheOther) {
  constexpr int kRuns = 50;
  Cell cell(0, 4096);
  aclmdlRI model = capture([&] {
    for (int i = 0; i < 10; ++i) EXPECT_EQ(increment(cell, s), 0);
  });
  for (int i = 0; i < kRuns; ++i) {
    aclrtStream stream = i % 2 ? s : side;
    execute(model, stream);
  }
  sync(s);
  sync(side);
  EXPECT_EQ(cell.value(), 10.0F * kRuns);
}

TEST_F(MultiStreamStory, ModelsOnDifferentStreamsDoNotWaitForEachOther) {
  Cell held, free;
  const Word word;
  aclmdlRI blocked = capture([&] {
    EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    EXPECT_EQ(increment(held, s), 0);
  });
  aclmdlRI other = capture([&] { EXPECT_EQ(increment(free, s), 0); });
  execute(blocked, s);
  run(other, side);
  EXPECT_EQ(free.value(), 1);
  EXPECT_EQ(held.value(), 0);
  EXPECT_EQ(aclrtValueWrite(word.address(), 1, 0, side), 0);
  sync(s);
  EXPECT_EQ(held.value(), 1);
}

}  // namespace
}  // namespace aclvk::test
