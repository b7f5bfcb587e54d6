// Stories of programs whose layers are updated by several threads, each on a stream of its own.
#include <array>
#include <atomic>
#include <memory>

#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kSteps = times(2000);
constexpr std::size_t kLayers = 4;

/// Layer i waits for its gate, then computes out = in + by; `by` is new in every step.
struct Layer {
  const Cell in, out;
  aclrtEvent gate = nullptr;
  aclrtTaskGrp group = nullptr;

  void capture(aclrtStream stream) {
    EXPECT_EQ(aclrtStreamWaitEvent(stream, gate), 0);
    EXPECT_EQ(aclrtResetEvent(gate, stream), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpBegin(stream), 0);
    EXPECT_EQ(add(in, 0, out, stream), 0);
    EXPECT_EQ(aclmdlRICaptureTaskGrpEnd(stream, &group), 0);
  }
  void update(float by, aclrtStream stream) const {
    EXPECT_EQ(aclmdlRICaptureTaskUpdateBegin(stream, group), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(add(in, by, out, stream), 0);
    EXPECT_EQ(aclmdlRICaptureTaskUpdateEnd(stream), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclrtRecordEvent(gate, stream), 0);
  }
};

class UpdateThreads : public CaptureTest {
 protected:
  UpdateThreads() {
    for (Layer& layer : layers) layer.gate = new_external_event();
  }
  static float by(int step, std::size_t layer) { return static_cast<float>(10 * step) + static_cast<float>(layer); }

  /// A thread for each layer updates it once a step, as soon as the step before is over.
  void start_updaters() {
    for (std::size_t i = 0; i < kLayers; ++i) {
      updaters.start([this, i] {
        const OwnStream stream;
        for (int step = 1; step <= kSteps; ++step) {
          while (finished < step - 1) std::this_thread::yield();
          layers[i].update(by(step, i), stream);
        }
      });
    }
  }
  void expect_results(int step) {
    for (std::size_t i = 0; i < kLayers; ++i) {
      EXPECT_EQ(layers[i].out.value(), by(step, i)) << "step " << step << ", layer " << i;
    }
  }

  std::array<Layer, kLayers> layers;
  std::atomic<int> finished{0};
  DeviceThreads updaters;
};

TEST_F(UpdateThreads, EachUpdatesALayerOfOneModel) {
  aclmdlRI model = capture([&] {
    for (Layer& layer : layers) layer.capture(s);
  });
  start_updaters();
  for (int step = 1; step <= kSteps; ++step) {
    if (!HasFailure()) {
      execute(model, s);
      sync(s);
      expect_results(step);
    }
    finished = step;
  }
  updaters.join();
}

// Two update streams for two graphs, and more: each graph has its own stream, too.
TEST_F(UpdateThreads, EachUpdatesAModelOfItsOwn) {
  std::vector<aclmdlRI> models;
  std::vector<aclrtStream> streams;
  for (Layer& layer : layers) {
    models.push_back(capture([&] { layer.capture(s); }));
    streams.push_back(new_stream());
  }
  start_updaters();
  for (int step = 1; step <= kSteps; ++step) {
    if (!HasFailure()) {
      for (std::size_t i = 0; i < kLayers; ++i) execute(models[i], streams[i]);
      for (aclrtStream stream : streams) sync(stream);
      expect_results(step);
    }
    finished = step;
  }
  updaters.join();
}

}  // namespace
}  // namespace aclvk::test
