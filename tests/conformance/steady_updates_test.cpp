// The story of a program that decodes for days: each step updates all layers and replays the model.
#include <memory>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr std::size_t kLayers = 40;

/// Layer i computes outputs[i] = in + step + i.
class SteadyUpdates : Settings, public CaptureTest {
 protected:
  // The validation layers keep books of their own.
  SteadyUpdates() : Settings({{"ACLVK_VALIDATION", "0"}}), groups(kLayers) {
    for (std::size_t layer = 0; layer < kLayers; ++layer) outputs.push_back(std::make_unique<Cell>());
  }
  void SetUp() override {
    CaptureTest::SetUp();
    updated = new_event();
    model = capture([&] {
      for (std::size_t layer = 0; layer < kLayers; ++layer) {
        EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
        EXPECT_EQ(add(in, 0, *outputs[layer], s), 0);
        EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &groups[layer]), 0);
      }
    });
  }
  static float expected(int step, std::size_t layer) { return static_cast<float>(step) + static_cast<float>(layer); }
  void steps(int first, int last) {
    for (int step = first; step <= last; ++step) {
      for (std::size_t layer = 0; layer < kLayers; ++layer) {
        ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(side, groups[layer]), 0);
        ASSERT_EQ(add(in, expected(step, layer), *outputs[layer], side), 0);
        ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
      }
      EXPECT_EQ(aclrtRecordEvent(updated, side), 0);
      EXPECT_EQ(aclrtStreamWaitEvent(s, updated), 0);
      run(model, s);
      for (std::size_t layer = 0; layer < kLayers; ++layer) {
        ASSERT_EQ(outputs[layer]->value(), expected(step, layer)) << "step " << step << ", layer " << layer;
      }
    }
  }

  Cell in;
  std::vector<std::unique_ptr<Cell>> outputs;
  std::vector<aclrtTaskGrp> groups;
  aclrtEvent updated = nullptr;
  aclmdlRI model = nullptr;
};

TEST_F(SteadyUpdates, T169_FortyGroupsAThousandTimesCostNoMemory) {
  constexpr int kWarmUp = times(200);
  constexpr int kSteps = times(1000);
  steps(1, kWarmUp);
  const Footprint before = footprint();
  steps(kWarmUp + 1, kWarmUp + kSteps);
  expect_not_grown(before, std::int64_t{20} * kSteps * kLayers);
}

}  // namespace
}  // namespace aclvk::test
