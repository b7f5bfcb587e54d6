#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "vk_device/commands/timestamps.hpp"

namespace aclvk {

/// Timestamps of a null device: readings of the host's steady clock at the execution of the command. Thread safe.
class NullTimestamps final : public vk::Timestamps {
 public:
  std::size_t size() const override { return read().size(); }
  std::vector<std::int64_t> read() const override {
    const std::lock_guard lock(mutex_);
    return times_;
  }
  void reset() override {
    const std::lock_guard lock(mutex_);
    std::fill(times_.begin(), times_.end(), 0);
  }

  /// Adds a timestamp that a command buffer will write, and returns its index.
  std::size_t add() {
    const std::lock_guard lock(mutex_);
    times_.push_back(0);
    return times_.size() - 1;
  }
  void write(std::size_t index) {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const std::lock_guard lock(mutex_);
    times_.at(index) = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::int64_t> times_;
};

}  // namespace aclvk
