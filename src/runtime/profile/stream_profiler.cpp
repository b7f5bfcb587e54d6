#include "runtime/profile/stream_profiler.hpp"

#include <utility>

#include "runtime/profile/call.hpp"
#include "runtime/profile/session.hpp"
#include "runtime/profile/task_times.hpp"

namespace aclvk::runtime::profile {
namespace {

class TimedBatch final : public ObservedBatch {
 public:
  TimedBatch(vk::Device& gpu, std::size_t expected) : timed_(std::make_shared<TimedTasks>(gpu, expected)) {}

  void record(vk::CommandRecorder& recorder, const Task& task) override {
    timed_->record(recorder, task, describe(task));
  }
  void on_submitted(const StreamIdentity& stream, const vk::TimelinePoint& done) override {
    add_submission({std::move(timed_), stream.device, stream.id, done, std::nullopt});
  }

 private:
  std::shared_ptr<TimedTasks> timed_;
};

class StreamProfiler final : public StreamObserver {
 public:
  bool observes_tasks_of(std::uint32_t device) const override { return times_tasks(device); }
  std::unique_ptr<ObservedBatch> begin_batch(vk::Device& gpu, std::size_t expected) const override {
    return std::make_unique<TimedBatch>(gpu, expected);
  }
  void on_host_function(const char* type, std::uint32_t stream, std::int64_t begin) const override {
    trace_host_work(type, stream, begin);
  }
};

// Initialised at load time and never destroyed: streams call it without any lock while the process exits.
constexpr StreamProfiler kProfiler;

}  // namespace

const StreamObserver& stream_profiler() { return kProfiler; }

}  // namespace aclvk::runtime::profile
