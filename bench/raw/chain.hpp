#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "raw/device.hpp"

namespace raw {

/// `tasks` kernels x += y on `width` pairs of tensors in turn: the same kernels that the library launches for
/// aclnnInplaceAdd, with the same shader, constants, arguments and grid, recorded by hand. A barrier stands after each
/// task of the last pair, as the data ask for. Everything that can be made before is made before: pipeline, descriptor
/// sets, command buffers.
class Chain {
 public:
  Chain(Device& device, std::size_t tasks, std::size_t width, std::size_t elements);

  /// Submits the command buffer that was recorded when the chain was made.
  void replay() { device_.submit(*prerecorded_); }
  /// Records one command buffer with all tasks again, and submits it.
  void record_and_submit();
  /// Records a command buffer with one task, and submits it.
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
  std::vector<Pipeline> pipeline_;  // one
  vk::raii::DescriptorPool descriptors_{nullptr};
  std::vector<vk::DescriptorSet> sets_;  // a task
  vk::raii::CommandPool replay_pool_{nullptr};
  vk::raii::CommandPool recording_pool_{nullptr};
  vk::raii::CommandBuffer prerecorded_{nullptr};
  vk::raii::CommandBuffer recorded_{nullptr};
};

}  // namespace raw
