// Stories of programs with more models than hardware has queues: a model costs memory while it lives, nothing after.
#include <memory>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

using ManyModels = CaptureTest;

/// Without the validation layers: they walk over all command pools for each one that goes, and keep books of their own.
class UnwatchedModels : Settings, public CaptureTest {
 protected:
  UnwatchedModels() : Settings({{"ACLVK_VALIDATION", "0"}}) {}

  void live_and_die(int models, bool executed) {
    for (int i = 0; i < models; ++i) {
      ASSERT_EQ(aclmdlRICaptureBegin(s, kGlobal), 0);
      ASSERT_EQ(increment(cell, s), 0);
      ASSERT_EQ(increment(cell, s), 0);
      aclmdlRI model = nullptr;
      ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0);
      if (executed) execute(model, s);
      ASSERT_EQ(aclmdlRIDestroy(model), 0);
    }
  }
  /// Less than a leak of the smallest block that malloc gives would cost.
  void expect_nothing_left(int models, bool executed) {
    live_and_die(models / 10, executed);
    const Footprint before = footprint();
    live_and_die(models, executed);
    expect_not_grown(before, 20 * models);
  }

  const Cell cell;
};

TEST_F(UnwatchedModels, TenThousandLiveTogetherAndEachDoesItsOwn) {
  constexpr int kModels = times(10000);
  const Cell in(1), out;
  std::vector<aclmdlRI> models;
  for (int i = 0; i < kModels; ++i) {
    models.push_back(capture([&] { EXPECT_EQ(add(in, static_cast<float>(i), out, s), 0); }));
  }
  for (int i = kModels - 1; i >= 0; --i) {
    run(models[static_cast<std::size_t>(i)], s);
    ASSERT_EQ(out.value(), static_cast<float>(1 + i));
  }
}

TEST_F(UnwatchedModels, HundredThousandThatNeverRanLeakNothing) { expect_nothing_left(times(100000), false); }

TEST_F(UnwatchedModels, ThousandsThatWereDroppedWhileTheyRanLeakNothing) {
  constexpr int kModels = times(20000);
  expect_nothing_left(kModels, true);
  EXPECT_EQ(cell.value(), 2.0F * (kModels / 10 + kModels));
}

TEST_F(ManyModels, SixHundredOfFiveForkedStreamsEach) {
  constexpr int kModels = times(600);
  constexpr std::size_t kStreams = 5;
  const Cell in(1);
  std::vector<aclrtStream> streams;
  std::vector<std::unique_ptr<Cell>> outs;
  for (std::size_t i = 0; i < kStreams; ++i) {
    streams.push_back(new_stream());
    outs.push_back(std::make_unique<Cell>());
  }
  const auto value_of = [](int model, std::size_t stream) {
    return static_cast<float>(3 * model) + static_cast<float>(stream);
  };
  std::vector<aclmdlRI> models;
  for (int model = 0; model < kModels; ++model) {
    models.push_back(capture([&] {
      for (std::size_t i = 0; i < kStreams; ++i) {
        order(s, streams[i]);
        EXPECT_EQ(add(in, value_of(model, i), *outs[i], streams[i]), 0);
      }
      for (aclrtStream stream : streams) order(stream, s);
    }));
  }
  for (int model = 0; model < kModels; ++model) {
    run(models[static_cast<std::size_t>(model)], s);
    for (std::size_t i = 0; i < kStreams; ++i) ASSERT_EQ(outs[i]->value(), 1 + value_of(model, i));
  }
}

}  // namespace
}  // namespace aclvk::test
