#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <utility>

#include "support/null_device/null_processor.hpp"
#include "vk_device/submission/in_flight.hpp"

namespace aclvk {

/// A queue of a null device. Passes accepted submissions to NullProcessor, and to InFlight like vk::VulkanQueue.
class NullQueue final : public vk::Queue {
 public:
  NullQueue(NullProcessor& processor, std::shared_ptr<vk::InFlight> in_flight, std::size_t index)
      : processor_(processor), in_flight_(std::move(in_flight)), index_(index) {}

  void submit(vk::Submission submission) override;
  std::uint64_t submissions() const override { return submissions_; }

 private:
  NullProcessor& processor_;
  std::shared_ptr<vk::InFlight> in_flight_;
  const std::size_t index_;
  std::mutex mutex_;
  std::atomic<std::uint64_t> submissions_{0};
};

}  // namespace aclvk
