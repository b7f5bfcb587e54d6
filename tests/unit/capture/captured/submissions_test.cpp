// Numbers of submissions and barriers of a replay.
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "capture/captured/captured_model.hpp"
#include "runtime/device/device.hpp"
#include "support/capture_fixture.hpp"

namespace aclvk::capture {
namespace {

using namespace aclvk::test;

class SubmissionsTest : public CaptureTest {
 protected:
  static std::uint64_t submissions() {
    vk::Device& gpu = runtime::open_devices()[0]->gpu();
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < gpu.queue_count(); ++i) sum += gpu.queue(i).submissions();
    return sum;
  }
  /// Returns the number of submissions of one aclmdlRIExecuteAsync while no other work is in progress.
  std::uint64_t submissions_of(aclmdlRI model) {
    sync(s);
    sync(side);
    const std::uint64_t before = submissions();
    execute(model, s);
    const std::uint64_t made = submissions() - before;
    sync(s);
    return made;
  }
  static const Executable& compiled(aclmdlRI model) { return captured_model_of(model)->executable(); }
  aclmdlRI chain(int length) {
    return CaptureTest::capture([&] {
      for (int i = 0; i < length; ++i) EXPECT_EQ(increment(cell, s), 0);
    });
  }

  Cell cell;
};

class SubmissionsOfAChain : public SubmissionsTest, public testing::WithParamInterface<int> {};

TEST_P(SubmissionsOfAChain, IsOneForAnyLength) {
  aclmdlRI model = chain(GetParam());
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(cell.value(), 2.0F * static_cast<float>(GetParam()));
}

TEST_P(SubmissionsOfAChain, HasABarrierBetweenEachTwoTasks) {
  const auto& slices = compiled(chain(GetParam())).slices();
  ASSERT_EQ(slices.size(), 1u);
  EXPECT_EQ(slices[0].commands->barriers(), static_cast<std::size_t>(GetParam() - 1));
}

INSTANTIATE_TEST_SUITE_P(Lengths, SubmissionsOfAChain, testing::Values(1, 10, 1000), testing::PrintToStringParamName());

TEST_F(SubmissionsTest, EmptyModelIsNotSubmitted) { EXPECT_EQ(submissions_of(chain(0)), 0u); }

TEST_F(SubmissionsTest, TwoForkedStreamsAreOne) {
  Cell other;
  aclmdlRI model = CaptureTest::capture([&] {
    order(s, side);
    for (int i = 0; i < 10; ++i) {
      EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(increment(other, side), 0);
    }
    order(side, s);
  });
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(compiled(model).slices()[0].commands->barriers(), 9u);
}

TEST_F(SubmissionsTest, IndependentTasksHaveNoBarrier) {
  std::vector<std::unique_ptr<Cell>> cells;
  for (int i = 0; i < 20; ++i) cells.push_back(std::make_unique<Cell>());
  aclmdlRI model = CaptureTest::capture([&] {
    for (const auto& each : cells) EXPECT_EQ(increment(*each, s), 0);
  });
  EXPECT_EQ(compiled(model).slices()[0].commands->barriers(), 0u);
  EXPECT_EQ(submissions_of(model), 1u);
}

TEST_F(SubmissionsTest, GroupsAreOne) {
  std::vector<aclrtTaskGrp> groups(20);
  aclmdlRI model = CaptureTest::capture([&] {
    for (aclrtTaskGrp& group : groups) {
      EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
      EXPECT_EQ(increment(cell, s), 0);
      EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
    }
  });
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(cell.value(), 20);
}

TEST_F(SubmissionsTest, UpdatedModelIsOne) {
  aclrtTaskGrp group = nullptr;
  aclmdlRI model = CaptureTest::capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(increment(cell, side, 5), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(cell.value(), 5);
}

TEST_F(SubmissionsTest, UpdateItselfSubmitsNothing) {
  aclrtTaskGrp group = nullptr;
  CaptureTest::capture([&] {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group), 0);
  });
  const std::uint64_t before = submissions();
  EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group), 0);
  EXPECT_EQ(increment(cell, side, 5), 0);
  EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  EXPECT_EQ(submissions(), before);
}

TEST_F(SubmissionsTest, SatisfiedExternalWaitsAreOne) {
  std::vector<aclrtEvent> gates;
  for (int i = 0; i < 5; ++i) gates.push_back(new_external_event());
  aclmdlRI model = CaptureTest::capture([&] {
    for (aclrtEvent gate : gates) {
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
      EXPECT_EQ(increment(cell, s), 0);
    }
  });
  for (aclrtEvent gate : gates) EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(cell.value(), 5);
}

// The wait comes before the work: a word that earlier tasks may write is read only after they have completed.
TEST_F(SubmissionsTest, SatisfiedValueWaitsBeforeTheWorkAreOne) {
  const Word word(1);
  aclmdlRI model = CaptureTest::capture([&] {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(aclrtValueWait(word.address(), 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
    for (int i = 0; i < 5; ++i) EXPECT_EQ(increment(cell, s), 0);
  });
  EXPECT_EQ(submissions_of(model), 1u);
  EXPECT_EQ(cell.value(), 5);
}

TEST_F(SubmissionsTest, BlockedModelSubmitsWhatComesBeforeTheWaitAndTheRestLater) {
  aclrtEvent gate = new_external_event();
  aclmdlRI model = CaptureTest::capture([&] {
    EXPECT_EQ(increment(cell, s), 0);
    EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
    EXPECT_EQ(aclrtResetEvent(gate, s), 0);
    EXPECT_EQ(increment(cell, s), 0);
  });
  const std::uint64_t before = submissions();
  execute(model, s);
  EXPECT_EQ(submissions() - before, 1u);
  EXPECT_EQ(aclrtRecordEvent(gate, side), 0);
  EXPECT_EQ(submissions() - before, 2u);
  sync(s);
  EXPECT_EQ(cell.value(), 2);
}

TEST_F(SubmissionsTest, ReplaysInARowAreOneEach) {
  aclmdlRI model = chain(10);
  sync(s);
  const std::uint64_t before = submissions();
  for (int i = 0; i < 10; ++i) execute(model, s);
  EXPECT_EQ(submissions() - before, 10u);
  sync(s);
  EXPECT_EQ(cell.value(), 100);
}

}  // namespace
}  // namespace aclvk::capture
