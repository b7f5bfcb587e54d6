#pragma once

#include <memory>
#include <vector>

#include "vk_device/gpu/gpu.hpp"
#include "vk_device/pipelines/pipeline_store.hpp"

namespace aclvk::vk {

/// Allocates the descriptor sets of one command buffer that DescriptorCache does not share: those with an argument
/// block in memory, and those of programs' kernels. Sets are freed all at once and never updated after binding: without
/// update-after-bind, which lavapipe 22.3 lacks, that would invalidate the command buffer (docs/adr/0002). Not thread
/// safe.
class DescriptorArena {
 public:
  explicit DescriptorArena(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}

  /// Allocates a set with these storage buffers at bindings 0, 1, ...
  ::vk::DescriptorSet allocate(const PipelineLayout& layout, const std::vector<::vk::DescriptorBufferInfo>& buffers);
  /// Frees all sets and keeps the pools.
  void reset();

 private:
  ::vk::DescriptorSet allocate_set(const PipelineLayout& layout);
  void add_pool();

  std::shared_ptr<const Gpu> gpu_;
  std::vector<::vk::raii::DescriptorPool> pools_;
  std::size_t current_ = 0;  // all pools before this index are full
};

}  // namespace aclvk::vk
