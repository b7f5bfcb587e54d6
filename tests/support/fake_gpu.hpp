#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "vk_device/device/device.hpp"

namespace aclvk {

/// A timeline that the test advances.
class FakeTimeline final : public vk::Timeline {
 public:
  std::uint64_t completed() const override { return value; }
  bool wait(std::uint64_t wanted, std::optional<std::chrono::nanoseconds>) const override { return value >= wanted; }
  void signal(std::uint64_t reached) override { value = reached; }

  std::uint64_t value = 0;
};

class FakeCommandBuffer final : public vk::CommandBuffer {
 public:
  explicit FakeCommandBuffer(std::size_t commands) : commands_(commands) {}
  std::size_t commands() const override { return commands_; }
  bool writes(const vk::BufferRange&) const override { return false; }
  std::size_t barriers() const override { return 0; }

 private:
  const std::size_t commands_;
};

/// Counts commands.
class FakeRecorder final : public vk::CommandRecorder {
 public:
  void dispatch(const vk::Dispatch&) override { ++commands_; }
  void copy(const vk::BufferRange&, const vk::BufferRange&) override { ++commands_; }
  void copy_2d(const vk::Copy2d&) override { ++commands_; }
  void fill(const vk::BufferRange&, std::uint8_t) override { ++commands_; }
  void fill_words(const vk::BufferRange&, std::uint32_t) override { ++commands_; }
  void write_word(const vk::BufferRange&, std::uint64_t) override { ++commands_; }
  void execute(const std::shared_ptr<vk::CommandBuffer>& secondary) override { commands_ += secondary->commands(); }
  void write_timestamp(const std::shared_ptr<vk::Timestamps>&) override {}
  void full_barrier() override {}
  void keep_alive(std::shared_ptr<void>) override {}
  std::size_t commands() const override { return commands_; }
  std::shared_ptr<vk::CommandBuffer> finish() override { return std::make_shared<FakeCommandBuffer>(commands_); }

 private:
  std::size_t commands_ = 0;
};

/// Stores submissions. Nothing completes by itself.
class FakeQueue final : public vk::Queue {
 public:
  void submit(vk::Submission submission) override {
    if (refuses) throw Error(Code::kDriverError, "The test refuses the submission.");
    accepted.push_back(std::move(submission));
  }
  std::uint64_t submissions() const override { return accepted.size(); }

  bool refuses = false;
  std::vector<vk::Submission> accepted;
};

/// A device without a driver: it records and submits, and reads one word. Other calls throw std::logic_error.
class FakeGpu final : public vk::Device {
 public:
  FakeQueue fake_queue;
  std::uint64_t word = 0;  ///< what read() returns
  bool timestamps = false;

  std::size_t queue_count() const override { return 1; }
  vk::Queue& queue(std::size_t) override { return fake_queue; }
  std::shared_ptr<vk::Timeline> create_timeline() override { return std::make_shared<FakeTimeline>(); }
  std::unique_ptr<vk::CommandRecorder> record(vk::Level) override { return std::make_unique<FakeRecorder>(); }
  bool has_timestamps() const override { return timestamps; }
  bool timestamps_are_host_time() const override { return false; }
  bool lost() const override { return false; }
  void check_not_lost() const override {}
  void read(void* dst, const vk::BufferRange& src) override { std::memcpy(dst, &word, src.size); }
  bool writes_in_flight(const std::shared_ptr<vk::Timeline>&, const vk::BufferRange&) const override { return false; }
  std::vector<vk::PendingSubmission> oldest_pending() const override { return {}; }
  std::vector<vk::TimelinePoint> blocked_by(const vk::TimelinePoint& end) const override { return {end}; }

  const vk::DeviceInfo& info() const override { unsupported(); }
  const vk::Features& features() const override { unsupported(); }
  vk::Memory& memory() override { unsupported(); }
  std::shared_ptr<vk::Memory> create_memory(std::uint64_t) override { unsupported(); }
  std::vector<std::shared_ptr<const vk::CustomKernel>> load_kernels(std::vector<std::uint32_t>) override {
    unsupported();
  }
  std::shared_ptr<vk::Timestamps> create_timestamps(std::size_t) override { unsupported(); }
  std::int64_t host_clock_offset() const override { unsupported(); }
  void prepare(vk::Dispatch&) override { unsupported(); }
  void warm_up(const vk::Dispatch&) override { unsupported(); }
  void wait_warm_ups() override { unsupported(); }
  void wait_any(const std::vector<vk::TimelinePoint>&, std::chrono::nanoseconds) override { unsupported(); }
  void write(const vk::BufferRange&, const void*) override { unsupported(); }
  void collect() override { unsupported(); }
  void wait_idle() override { unsupported(); }
  std::uint64_t created_objects() const override { unsupported(); }
  std::uint64_t compiled_pipelines() const override { unsupported(); }

 private:
  [[noreturn]] static void unsupported() { throw std::logic_error("FakeGpu does not support the call."); }
};

}  // namespace aclvk
