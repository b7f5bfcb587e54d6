#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "raw/device.hpp"

namespace raw {

/// `tasks` kernels x += y on `width` pairs of tensors round-robin, recorded by hand. It uses the shader, constants,
/// arguments and grid that the library uses for aclnnInplaceAdd. A barrier follows each round of `width` tasks, as the
/// data dependencies require. The pipeline, the descriptor sets and the command buffers are created in advance.
class Chain {
 public:
  Chain(Device& device, std::size_t tasks, std::size_t width, std::size_t elements);

  /// Submits the command buffer that the constructor recorded.
  void replay() { device_.submit(*prerecorded_); }
  /// Records one command buffer with all tasks and submits it.
  void record_and_submit();
  /// Records a command buffer with one task and submits it.
  void record_and_submit(std::size_t task);
  void wait() { device_.wait(); }

  std::size_t tasks() const { return sets_.size(); }

 private:
  void create_pipeline(std::size_t elements);
  void create_sets(std::size_t tasks);
  void record(const vk::raii::CommandBuffer& commands, std::size_t first, std::size_t end) const;

  Device& device_;
  std::vector<Buffer> x_;
  std::vector<Buffer> y_;
  std::vector<std::byte> push_;
  std::array<std::uint32_t, 3> groups_{};
  std::vector<Pipeline> pipeline_;  // one element
  vk::raii::DescriptorPool descriptors_{nullptr};
  std::vector<vk::DescriptorSet> sets_;  // one per task
  vk::raii::CommandPool replay_pool_{nullptr};
  vk::raii::CommandPool recording_pool_{nullptr};
  vk::raii::CommandBuffer prerecorded_{nullptr};
  vk::raii::CommandBuffer recorded_{nullptr};
};

}  // namespace raw
