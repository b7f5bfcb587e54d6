#pragma once

#include <atomic>
#include <memory>

#include "base/mutex.hpp"
#include "vk_device/gpu/gpu.hpp"
#include "vk_device/submission/in_flight.hpp"
#include "vk_device/submission/queue.hpp"

namespace aclvk::vk {

/// The implementation of Queue. Passes accepted submissions to InFlight.
class VulkanQueue final : public Queue {
 public:
  VulkanQueue(std::shared_ptr<const Gpu> gpu, std::shared_ptr<InFlight> in_flight, std::uint32_t family,
              std::size_t index);

  void submit(Submission submission) override;
  std::uint64_t submissions() const override { return submissions_; }
  /// Calls vkQueueBindSparse.
  void bind(const ::vk::BindSparseInfo& info);

 private:
  void submit_locked(const Submission& submission) REQUIRES(mutex_);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<InFlight> in_flight_;
  std::size_t index_;
  ::vk::raii::Queue queue_ GUARDED_BY(mutex_){nullptr};
  Mutex mutex_;
  std::atomic<std::uint64_t> submissions_{0};
};

}  // namespace aclvk::vk
