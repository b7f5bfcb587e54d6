// Random programs on several streams, with as many orderings between them as their data needs and no more. What they
// compute is known from running them one task after the other on the host.
#include <algorithm>
#include <array>
#include <atomic>
#include <memory>
#include <random>

#include "support/data_order.hpp"
#include "support/stress.hpp"

namespace aclvk::test {
namespace {

constexpr int kStreams = 4;  // the first one is where a capture begins
constexpr int kCells = 6;
constexpr int kTasks = 60;

/// Writes one program: each step picks a task whose data no other task can be touching.
class RandomProgram {
 public:
  RandomProgram(unsigned seed, const std::vector<aclrtStream>& streams, const std::vector<std::unique_ptr<Cell>>& cells,
                std::function<void(aclrtStream, aclrtStream)> order)
      : random_(seed), streams_(streams), cells_(cells), order_(std::move(order)) {
    in_use_[0] = true;
  }

  void write() {
    for (int i = 0; i < kTasks; ++i) {
      if (pick(3) == 0) {
        add_order(some_stream(), pick(kStreams));
      } else {
        add_task(some_stream());
      }
    }
    for (int stream = 1; stream < kStreams; ++stream) {
      if (in_use_[stream]) add_order(stream, 0);
    }
  }

  /// The same on the host.
  void run(std::array<float, kCells>& values) const {
    for (const Step& step : steps_) values[step.out] = values[step.in] + step.by;
  }
  int host_calls() const { return calls_; }
  int expected_host_calls() const { return expected_calls_; }

 private:
  struct Step {
    int in, out;
    float by;
  };

  int pick(int count) { return static_cast<int>(random_() % static_cast<unsigned>(count)); }
  int some_stream() {
    int stream = pick(kStreams);
    while (!in_use_[stream]) stream = pick(kStreams);
    return stream;
  }

  void add_order(int from, int to) {
    if (from == to) return;
    order_(streams_[from], streams_[to]);
    in_use_[to] = true;
    data_.order(static_cast<std::size_t>(from), static_cast<std::size_t>(to));
  }

  void add_task(int stream) {
    if (pick(12) == 0) return add_host_call(stream);
    const int in = pick(kCells), out = pick(kCells);
    const auto index = [](int number) { return static_cast<std::size_t>(number); };
    if (!data_.safe(index(stream), index(in), index(out))) return;
    const bool copy = in != out && pick(4) == 0;
    const float by = copy ? 0.0F : static_cast<float>(pick(5) - 2);
    if (copy) {
      EXPECT_EQ(aclrtMemcpyAsync(cells_[out]->address(), cells_[out]->bytes(), cells_[in]->address(),
                                 cells_[in]->bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, streams_[stream]),
                0);
    } else {
      EXPECT_EQ(add(*cells_[in], by, *cells_[out], streams_[stream]), 0) << aclGetRecentErrMsg();
    }
    steps_.push_back({in, out, by});
    data_.add_task(index(stream), index(in), index(out));
  }

  void add_host_call(int stream) {
    EXPECT_EQ(aclrtLaunchHostFunc(
                  streams_[stream], [](void* calls) { ++*static_cast<std::atomic<int>*>(calls); }, &calls_),
              0);
    ++expected_calls_;
  }

  std::mt19937 random_;
  const std::vector<aclrtStream>& streams_;
  const std::vector<std::unique_ptr<Cell>>& cells_;
  const std::function<void(aclrtStream, aclrtStream)> order_;
  std::vector<Step> steps_;
  std::array<bool, kStreams> in_use_{};
  DataOrder data_{kStreams, kCells};
  std::atomic<int> calls_{0};
  int expected_calls_ = 0;
};

class RandomGraphs : public CaptureTest {
 protected:
  void SetUp() override {
    CaptureTest::SetUp();
    streams = {s, side};
    while (streams.size() < kStreams) streams.push_back(new_stream());
    for (int i = 0; i < kCells; ++i) cells.push_back(std::make_unique<Cell>());
    EXPECT_EQ(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC), 0);
  }
  void TearDown() override {
    EXPECT_EQ(aclrtDestroyEvent(event_), 0);
    CaptureTest::TearDown();
  }

  RandomProgram program(unsigned seed) {
    for (int i = 0; i < kCells; ++i) cells[i]->set(values_[i] = static_cast<float>(i + 1));
    return RandomProgram(seed, streams, cells, [this](aclrtStream from, aclrtStream to) {
      EXPECT_EQ(aclrtRecordEvent(event_, from), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(aclrtStreamWaitEvent(to, event_), 0) << aclGetRecentErrMsg();
    });
  }
  /// After the program has run so many times.
  void expect_results(const RandomProgram& program, int runs, unsigned seed) {
    for (int run = 0; run < runs; ++run) program.run(values_);
    for (int i = 0; i < kCells; ++i) EXPECT_EQ(cells[i]->value(), values_[i]) << "cell " << i << ", seed " << seed;
    EXPECT_EQ(program.host_calls(), runs * program.expected_host_calls()) << "seed " << seed;
  }

  std::vector<aclrtStream> streams;
  std::vector<std::unique_ptr<Cell>> cells;

 private:
  aclrtEvent event_ = nullptr;
  std::array<float, kCells> values_{};
};

TEST_F(RandomGraphs, ComputeTheSameCapturedAndReplayed) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(times(200)); ++seed) {
    RandomProgram random = program(seed);
    ASSERT_EQ(aclmdlRICaptureBegin(s, kGlobal), 0);
    random.write();
    aclmdlRI model = nullptr;
    ASSERT_EQ(aclmdlRICaptureEnd(s, &model), 0) << aclGetRecentErrMsg() << " seed " << seed;
    for (int run = 0; run < 3; ++run) execute(model, s);
    sync(s);
    expect_results(random, 3, seed);
    ASSERT_EQ(aclmdlRIDestroy(model), 0);
  }
}

TEST_F(RandomGraphs, ComputeTheSameDirectly) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(times(200)); ++seed) {
    RandomProgram random = program(seed);
    random.write();
    sync(s);
    expect_results(random, 1, seed);
  }
}

}  // namespace
}  // namespace aclvk::test
