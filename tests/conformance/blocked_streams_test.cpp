// Random programs some of whose streams stay blocked: what does not come after a blocked task is done meanwhile,
// nothing else is, and in the end all cells hold what they hold when one task runs after the other.
#include <atomic>
#include <future>
#include <map>
#include <memory>

#include "support/random_dag.hpp"
#include "support/stress.hpp"
#include "support/watchdog.hpp"

namespace aclvk::test {
namespace {

using Kind = RandomDag::Kind;
using Means = RandomDag::Means;
using Step = RandomDag::Step;

constexpr float kUnseen = -1e6F;

/// Releases streams that wait for it, by whatever means.
class Signal {
 public:
  explicit Signal(Means means) : means_(means) {
    switch (means) {
      case Means::kEvent: EXPECT_EQ(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC), 0); break;
      case Means::kExternal: EXPECT_EQ(aclrtCreateEventWithFlag(&event_, ACL_EVENT_EXTERNAL), 0); break;
      case Means::kNotify: EXPECT_EQ(aclrtCreateNotify(&notify_, 0), 0); break;
      case Means::kCount: EXPECT_EQ(aclrtCntNotifyCreate(&count_, 0), 0); break;
      case Means::kWord: word_ = std::make_unique<Word>(); break;
      case Means::kHost: break;
    }
  }
  ~Signal() {
    if (event_) {
      EXPECT_EQ(aclrtDestroyEvent(event_), 0);
    }
    if (notify_) {
      EXPECT_EQ(aclrtDestroyNotify(notify_), 0);
    }
    if (count_) {
      EXPECT_EQ(aclrtCntNotifyDestroy(count_), 0);
    }
  }
  Signal(const Signal&) = delete;
  Signal& operator=(const Signal&) = delete;

  void send(aclrtStream stream) {
    switch (means_) {
      case Means::kEvent:
      case Means::kExternal: EXPECT_EQ(aclrtRecordEvent(event_, stream), 0) << aclGetRecentErrMsg(); break;
      case Means::kNotify: EXPECT_EQ(aclrtRecordNotify(notify_, stream), 0) << aclGetRecentErrMsg(); break;
      case Means::kCount: {
        aclrtCntNotifyRecordInfo one{ACL_RT_CNT_NOTIFY_RECORD_SET_VALUE_MODE, 1};
        EXPECT_EQ(aclrtCntNotifyRecord(count_, stream, &one), 0) << aclGetRecentErrMsg();
        break;
      }
      case Means::kWord: EXPECT_EQ(aclrtValueWrite(word_->address(), 1, 0, stream), 0) << aclGetRecentErrMsg(); break;
      case Means::kHost: sent_.set_value(); break;
    }
  }
  void wait(aclrtStream stream) {
    switch (means_) {
      case Means::kEvent:
      case Means::kExternal: EXPECT_EQ(aclrtStreamWaitEvent(stream, event_), 0) << aclGetRecentErrMsg(); break;
      case Means::kNotify: EXPECT_EQ(aclrtWaitAndResetNotify(notify_, stream, 0), 0) << aclGetRecentErrMsg(); break;
      case Means::kCount: {
        aclrtCntNotifyWaitInfo one{ACL_RT_CNT_NOTIFY_WAIT_EQUAL_MODE, 1, 0, 0, {}};
        EXPECT_EQ(aclrtCntNotifyWaitWithTimeout(count_, stream, &one), 0) << aclGetRecentErrMsg();
        break;
      }
      case Means::kWord:
        EXPECT_EQ(aclrtValueWait(word_->address(), 1, ACL_STREAM_WAIT_VALUE_EQ, stream), 0) << aclGetRecentErrMsg();
        break;
      case Means::kHost: {
        const auto function = [](void* sent) { static_cast<std::promise<void>*>(sent)->get_future().wait(); };
        EXPECT_EQ(aclrtLaunchHostFunc(stream, function, &sent_), 0) << aclGetRecentErrMsg();
        break;
      }
    }
  }

 private:
  const Means means_;
  aclrtEvent event_ = nullptr;
  aclrtNotify notify_ = nullptr;
  aclrtCntNotify count_ = nullptr;
  std::unique_ptr<Word> word_;
  std::promise<void> sent_;
};

using Cells = std::vector<std::unique_ptr<Cell>>;

/// A program on its way through streams and cells of the test.
class RunningDag {
 public:
  RunningDag(RandomDag& dag, const std::vector<aclrtStream>& streams, const Cells& cells)
      : steps_(dag.steps()), streams_(streams), cells_(cells), seen_(steps_.size(), kUnseen), called_(steps_.size()) {
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].kind == Kind::kGate || steps_[i].kind == Kind::kSignal) {
        signals_[i] = std::make_unique<Signal>(steps_[i].means);
      }
    }
    for (const std::size_t step : dag.launch_order()) launch(step);
  }
  ~RunningDag() {
    for (aclmdlRI model : models_) EXPECT_EQ(aclmdlRIDestroy(model), 0) << aclGetRecentErrMsg();
  }
  RunningDag(const RunningDag&) = delete;
  RunningDag& operator=(const RunningDag&) = delete;

  /// Waits for all that nothing holds back; what is missing after a long time.
  std::string wait_for_free() const {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    std::string missing;
    do {
      missing = list([this](std::size_t i) { return !steps_[i].held && !seen(i); });
      if (missing.empty()) return missing;
      std::this_thread::yield();
    } while (std::chrono::steady_clock::now() < end);
    return missing;
  }
  /// Work that has been done although it has to wait.
  std::string early() const {
    return list([this](std::size_t i) { return steps_[i].held && seen(i); });
  }
  void open_gates() {
    const OwnStream stream;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].kind == Kind::kGate) signals_[i]->send(stream);
    }
    sync(stream);
  }
  /// The steps that have not left what the host model says; when all is done.
  std::string wrong() const {
    return list(
        [this](std::size_t i) { return !seen(i) || (steps_[i].touches_cells() && seen_[i] != steps_[i].value); });
  }

 private:
  bool seen(std::size_t step) const {
    if (steps_[step].kind == Kind::kCall) return called_[step];
    return *static_cast<const volatile float*>(&seen_[step]) != kUnseen;
  }
  std::string list(const std::function<bool(std::size_t)>& chosen) const {
    std::string numbers;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      if (steps_[i].seen() && chosen(i)) numbers += " " + std::to_string(i);
    }
    return numbers;
  }

  void launch(std::size_t number) {
    const Step& step = steps_[number];
    aclrtStream stream = streams_[step.stream];
    switch (step.kind) {
      case Kind::kSignal: return signals_[number]->send(stream);
      case Kind::kWait: return signals_[step.number]->wait(stream);
      case Kind::kGate: return signals_[number]->wait(stream);
      case Kind::kCall: {
        const auto function = [](void* called) { *static_cast<std::atomic<bool>*>(called) = true; };
        EXPECT_EQ(aclrtLaunchHostFunc(stream, function, &called_[number]), 0) << aclGetRecentErrMsg();
        return;
      }
      default: launch_work(step, stream);
    }
    EXPECT_EQ(aclrtMemcpyAsync(&seen_[number], 4, cells_[step.out]->address(), 4, ACL_MEMCPY_DEVICE_TO_HOST, stream), 0)
        << aclGetRecentErrMsg();
  }
  void launch_work(const Step& step, aclrtStream stream) {
    const Cell& in = *cells_[step.in];
    const Cell& out = *cells_[step.out];
    if (step.kind == Kind::kCopy) {
      EXPECT_EQ(
          aclrtMemcpyAsync(out.address(), out.bytes(), in.address(), in.bytes(), ACL_MEMCPY_DEVICE_TO_DEVICE, stream),
          0);
    } else if (step.kind == Kind::kAdd) {
      EXPECT_EQ(add(in, step.by, out, stream), 0) << aclGetRecentErrMsg();
    } else {
      models_.push_back(model_of_add(in, step.by, out));
      EXPECT_EQ(aclmdlRIExecuteAsync(models_.back(), stream), 0) << aclGetRecentErrMsg();
    }
  }
  static aclmdlRI model_of_add(const Cell& in, float by, const Cell& out) {
    const OwnStream stream;
    aclmdlRI model = nullptr;
    EXPECT_EQ(aclmdlRICaptureBegin(stream, kRelaxed), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(add(in, by, out, stream), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), 0) << aclGetRecentErrMsg();
    return model;
  }

  const std::vector<Step>& steps_;
  const std::vector<aclrtStream>& streams_;
  const Cells& cells_;
  const Pinned<float> seen_;
  std::vector<std::atomic<bool>> called_;
  std::map<std::size_t, std::unique_ptr<Signal>> signals_;
  std::vector<aclmdlRI> models_;
};

class BlockedStreams : public CaptureTest {
 protected:
  /// What was wrong with the program, in a few words; empty when nothing was.
  std::string run(unsigned seed, RandomDag::Size size) {
    while (streams_.size() < size.streams) streams_.push_back(new_stream());
    while (cells_.size() < size.cells) cells_.push_back(std::make_unique<Cell>());
    for (std::size_t i = 0; i < size.cells; ++i) cells_[i]->set(static_cast<float>(i + 1));
    RandomDag dag(seed, size);
    const Watchdog watchdog(std::chrono::seconds(90), description(seed, size) + " is not over.");
    RunningDag running(dag, streams_, cells_);
    const std::string missing = running.wait_for_free();
    const std::string early = running.early();
    running.open_gates();
    for (aclrtStream stream : streams_) sync(stream);
    const std::string wrong = running.wrong();
    std::string result;
    if (!missing.empty()) result += " These wait for nothing and were not done:" + missing + ".";
    if (!early.empty()) result += " These were done before a gate was opened:" + early + ".";
    if (!wrong.empty()) result += " These left something else than expected:" + wrong + ".";
    for (std::size_t i = 0; i < size.cells; ++i) {
      if (cells_[i]->value() != dag.values()[i]) result += " Cell " + std::to_string(i) + " is wrong in the end.";
    }
    return result;
  }

  /// Fails with the shortest program of the seed that goes wrong.
  void expect_right(unsigned seed, RandomDag::Size size) {
    std::string result = run(seed, size);
    if (result.empty()) return;
    RandomDag::Size shorter = size;
    for (std::size_t steps = 1; steps < size.steps; steps += 1 + steps / 8) {
      shorter.steps = steps;
      const std::string again = run(seed, shorter);
      if (again.empty()) continue;
      size = shorter;
      result = again;
      break;
    }
    ADD_FAILURE() << description(seed, size) << ":" << result << "\n" << RandomDag(seed, size).text();
  }

 private:
  static std::string description(unsigned seed, const RandomDag::Size& size) {
    return "Seed " + std::to_string(seed) + " with " + std::to_string(size.steps) + " steps on " +
           std::to_string(size.streams) + " streams and " + std::to_string(size.cells) + " cells";
  }

  std::vector<aclrtStream> streams_;
  Cells cells_;
};

TEST_F(BlockedStreams, DelayNoOtherStreamInSmallPrograms) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(times(400)) && !HasFailure(); ++seed) {
    expect_right(seed, {2 + seed % 5, 6, 40});
  }
}

TEST_F(BlockedStreams, DelayNoOtherStreamInLargePrograms) {
  for (unsigned seed = 1; seed <= static_cast<unsigned>(times(10)) && !HasFailure(); ++seed) {
    expect_right(seed, {24, 60, 1200});
  }
}

}  // namespace
}  // namespace aclvk::test
