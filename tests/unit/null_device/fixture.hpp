#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "support/null_device/null_device.hpp"

namespace aclvk::test {

using Bytes = std::vector<std::uint8_t>;

/// Returns the bytes 1, 2, 3, ...
inline Bytes ascending(std::size_t count) {
  Bytes bytes(count);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{1});
  return bytes;
}

/// Runs `call` and returns the code of the Error that it throws.
template <typename Call>
Code thrown_by(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.code();
  }
  return Code::kSuccess;
}

/// A null device whose worker completes submissions at once, and a timeline.
class NullDeviceTest : public testing::Test {
 protected:
  explicit NullDeviceTest(const NullDeviceOptions& options = {}) : device(options) {}

  vk::BufferRange allocate(std::uint64_t bytes) {
    return *device.memory().find(device.memory().allocate(vk::Placement::kDevice, bytes), bytes);
  }
  vk::BufferRange upload(const Bytes& bytes) {
    const vk::BufferRange range = allocate(bytes.size());
    device.write(range, bytes.data());
    return range;
  }
  Bytes download(const vk::BufferRange& range) {
    Bytes bytes(range.size);
    device.read(bytes.data(), range);
    return bytes;
  }

  template <typename Record>
  std::shared_ptr<vk::CommandBuffer> record(Record&& record_commands, vk::Level level = vk::Level::kPrimary) {
    const auto recorder = device.record(level);
    record_commands(*recorder);
    return recorder->finish();
  }
  /// Submits to a queue; the submission signals `signal`.
  void submit(std::size_t queue, const std::shared_ptr<vk::CommandBuffer>& commands, const vk::TimelinePoint& signal,
              std::vector<vk::TimelinePoint> waits = {}) {
    device.queue(queue).submit({{commands}, std::move(waits), signal});
  }
  /// Records commands, runs them on queue 0, and waits.
  template <typename Record>
  std::shared_ptr<vk::CommandBuffer> run(Record&& record_commands) {
    const auto commands = record(std::forward<Record>(record_commands));
    submit(0, commands, {timeline, ++value});
    timeline->wait(value);
    return commands;
  }

  NullDevice device;
  const std::shared_ptr<vk::Timeline> timeline = device.create_timeline();
  std::uint64_t value = 0;
};

inline NullDeviceOptions stepwise() {
  NullDeviceOptions options;
  options.stepwise = true;
  return options;
}

/// A null device whose submissions complete in advance().
class SteppedDeviceTest : public NullDeviceTest {
 protected:
  SteppedDeviceTest() : NullDeviceTest(stepwise()) {}

  std::shared_ptr<vk::CommandBuffer> fill_of(const vk::BufferRange& range, std::uint8_t byte) {
    return record([&](vk::CommandRecorder& recorder) { recorder.fill(range, byte); });
  }
};

}  // namespace aclvk::test
