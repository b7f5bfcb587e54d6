// The decode loop of vLLM in full graph mode: one graph of many layers, each with a kernel that is updated while the
// graph waits.
#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "support/capture_fixture.hpp"

namespace aclvk::test {
namespace {

constexpr int kLayers = 20;
constexpr int kSteps = 50;

/// Layer i computes outputs[i] = outputs[i - 1] + increment, where the increment is new in every step.
class DecodeLoop : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    for (int layer = 0; layer <= kLayers; ++layer) outputs.push_back(std::make_unique<Cell>());
    groups.resize(kLayers);
  }
  const Cell& input(int layer) const { return *outputs[static_cast<std::size_t>(layer)]; }
  const Cell& output(int layer) const { return *outputs[static_cast<std::size_t>(layer) + 1]; }
  aclrtTaskGrp& group(int layer) { return groups[static_cast<std::size_t>(layer)]; }

  void capture_group(int layer) {
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(s), 0);
    EXPECT_EQ(add(input(layer), 0, output(layer), s), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(s, &group(layer)), 0);
  }
  void update(int layer, float by) {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(side, group(layer)), 0);
    EXPECT_EQ(add(input(layer), by, output(layer), side), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(side), 0);
  }
  static float increment_of(int step, int layer) { return static_cast<float>(step * 3 + layer % 7); }
  static float expected(int step) {
    float sum = static_cast<float>(step);
    for (int layer = 0; layer < kLayers; ++layer) sum += increment_of(step, layer);
    return sum;
  }

  std::vector<std::unique_ptr<Cell>> outputs;
  std::vector<aclrtTaskGrp> groups;
};

TEST_F(DecodeLoop, UpdatesAfterTheLaunchReachEveryLayerOfThatStep) {
  std::vector<aclrtEvent> gates;
  for (int layer = 0; layer < kLayers; ++layer) gates.push_back(new_external_event());
  aclmdlRI model = capture([&] {
    for (int layer = 0; layer < kLayers; ++layer) {
      aclrtEvent gate = gates[static_cast<std::size_t>(layer)];
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
      capture_group(layer);
    }
  });
  for (int step = 0; step < kSteps; ++step) {
    outputs[0]->set(static_cast<float>(step));
    execute(model, s);
    for (int layer = 0; layer < kLayers; ++layer) {
      update(layer, increment_of(step, layer));
      EXPECT_EQ(aclrtRecordEvent(gates[static_cast<std::size_t>(layer)], side), 0);
    }
    sync(s);
    ASSERT_EQ(output(kLayers - 1).value(), expected(step)) << "step " << step;
  }
}

// The same with torch_npu's ExternalEvent: a word of device memory a layer.
TEST_F(DecodeLoop, WordsGateTheLayersAsWell) {
  std::vector<std::unique_ptr<Word>> words;
  for (int layer = 0; layer < kLayers; ++layer) words.push_back(std::make_unique<Word>());
  aclmdlRI model = capture([&] {
    for (int layer = 0; layer < kLayers; ++layer) {
      void* word = words[static_cast<std::size_t>(layer)]->address();
      EXPECT_EQ(aclrtValueWait(word, 1, ACL_STREAM_WAIT_VALUE_EQ, s), 0);
      EXPECT_EQ(aclrtValueWrite(word, 0, 0, s), 0);
      capture_group(layer);
    }
  });
  for (int step = 0; step < kSteps; ++step) {
    outputs[0]->set(static_cast<float>(step));
    execute(model, s);
    for (int layer = 0; layer < kLayers; ++layer) {
      update(layer, increment_of(step, layer));
      EXPECT_EQ(aclrtValueWrite(words[static_cast<std::size_t>(layer)]->address(), 1, 0, side), 0);
    }
    sync(s);
    ASSERT_EQ(output(kLayers - 1).value(), expected(step)) << "step " << step;
  }
}

// vLLM leaves the updates to a thread of their own.
TEST_F(DecodeLoop, AnotherThreadMayDoTheUpdates) {
  std::vector<aclrtEvent> gates;
  for (int layer = 0; layer < kLayers; ++layer) gates.push_back(new_external_event());
  aclmdlRI model = capture([&] {
    for (int layer = 0; layer < kLayers; ++layer) {
      aclrtEvent gate = gates[static_cast<std::size_t>(layer)];
      EXPECT_EQ(aclrtStreamWaitEvent(s, gate), 0);
      EXPECT_EQ(aclrtResetEvent(gate, s), 0);
      capture_group(layer);
    }
  });
  std::atomic<int> launched{-1};
  std::thread updater([&] {
    EXPECT_EQ(aclrtSetDevice(0), 0);
    for (int step = 0; step < kSteps; ++step) {
      while (launched < step) std::this_thread::yield();
      for (int layer = 0; layer < kLayers; ++layer) {
        update(layer, increment_of(step, layer));
        EXPECT_EQ(aclrtRecordEvent(gates[static_cast<std::size_t>(layer)], side), 0);
      }
    }
    EXPECT_EQ(aclrtResetDevice(0), 0);
  });
  for (int step = 0; step < kSteps; ++step) {
    outputs[0]->set(static_cast<float>(step));
    execute(model, s);
    launched = step;
    sync(s);
    EXPECT_EQ(output(kLayers - 1).value(), expected(step)) << "step " << step;
  }
  updater.join();
}

TEST_F(DecodeLoop, UpdatesBeforeTheLaunchAreSeenByIt) {
  aclmdlRI model = capture([&] {
    for (int layer = 0; layer < kLayers; ++layer) capture_group(layer);
  });
  for (int step = 0; step < kSteps; ++step) {
    outputs[0]->set(static_cast<float>(step));
    for (int layer = 0; layer < kLayers; ++layer) update(layer, increment_of(step, layer));
    sync(side);
    execute(model, s);
    sync(s);
    ASSERT_EQ(output(kLayers - 1).value(), expected(step)) << "step " << step;
  }
}

}  // namespace
}  // namespace aclvk::test
