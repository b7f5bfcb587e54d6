// Tasks of all kinds that are launched one by one.
#include <array>
#include <atomic>

#include "endurance/counter.hpp"
#include "endurance/story.hpp"

namespace endurance {
namespace {

/// Kernels, copies, fills and events on four streams, with a synchronisation for each thousand.
class EagerTasks : public Story {
 public:
  EagerTasks() { ACL_CHECK(aclrtCreateEventExWithFlag(&event_, ACL_EVENT_SYNC)); }
  ~EagerTasks() override { aclrtDestroyEvent(event_); }

  void repeat() override {
    const std::size_t lane = static_cast<std::size_t>(launched_ % kStreams);
    const acl::Stream& stream = streams_[lane];
    switch (launched_ / kStreams % 16) {
      case 0: copy(lane); break;
      case 1: ACL_CHECK(aclrtMemsetAsync(scratch_[lane].memory(), Counter::kBytes, 7, Counter::kBytes, stream)); break;
      case 2:
        ACL_CHECK(aclrtRecordEvent(event_, stream));
        ACL_CHECK(aclrtStreamWaitEvent(streams_[(lane + 1) % kStreams], event_));
        break;
      default: counters_[lane].add(1, stream); ++expected_[lane];
    }
    if (++launched_ % 1000 == 0) wait();
  }
  void settle() override {
    wait();
    for (std::size_t lane = 0; lane < kStreams; ++lane) {
      expect(counters_[lane].value(), expected_[lane], "a counter of eager tasks");
    }
  }

 private:
  static constexpr std::int64_t kStreams = 4;

  void copy(std::size_t lane) const {
    ACL_CHECK(aclrtMemcpyAsync(scratch_[lane].memory(), Counter::kBytes, counters_[lane].memory(), Counter::kBytes,
                               ACL_MEMCPY_DEVICE_TO_DEVICE, streams_[lane]));
  }
  void wait() const {
    for (const acl::Stream& stream : streams_) stream.wait();
  }

  const std::array<acl::Stream, kStreams> streams_{};
  const std::array<Counter, kStreams> counters_, scratch_;
  std::array<std::int32_t, kStreams> expected_{};
  aclrtEvent event_ = nullptr;
  std::int64_t launched_ = 0;
};

/// A program that launches as fast as it can and never waits.
class UnwaitedTasks : public Story {
 public:
  void repeat() override {
    counter_.add(1, stream_);
    ++expected_;
  }
  void settle() override {
    stream_.wait();
    expect(counter_.value(), expected_, "the counter of tasks that nobody waited for");
  }

 private:
  const acl::Stream stream_;
  const Counter counter_;
  std::int32_t expected_ = 0;
};

/// A kernel, a call, and a kernel after it, on two streams.
class HostFunctions : public Story {
 public:
  void repeat() override {
    const acl::Stream& stream = streams_[static_cast<std::size_t>(launched_ % 2)];
    const Counter& counter = counters_[static_cast<std::size_t>(launched_ % 2)];
    const auto count = [](void* calls) { ++*static_cast<std::atomic<std::int64_t>*>(calls); };
    counter.add(1, stream);
    ACL_CHECK(aclrtLaunchHostFunc(stream, count, &calls_));
    counter.add(1, stream);
    if (++launched_ % 100 == 0) wait();
  }
  void settle() override {
    wait();
    expect(calls_, launched_, "the number of calls");
    expect(counters_[0].value() + counters_[1].value(), 2 * launched_, "the sum of the counters beside calls");
  }

 private:
  void wait() const {
    for (const acl::Stream& stream : streams_) stream.wait();
  }

  const std::array<acl::Stream, 2> streams_{};
  const std::array<Counter, 2> counters_{};
  std::atomic<std::int64_t> calls_{0};
  std::int64_t launched_ = 0;
};

}  // namespace

std::unique_ptr<Story> eager_tasks() { return std::make_unique<EagerTasks>(); }
std::unique_ptr<Story> unwaited_tasks() { return std::make_unique<UnwaitedTasks>(); }
std::unique_ptr<Story> host_functions() { return std::make_unique<HostFunctions>(); }

}  // namespace endurance
