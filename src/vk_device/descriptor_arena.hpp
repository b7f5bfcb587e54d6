#pragma once

#include <memory>
#include <vector>

#include "vk_device/gpu.hpp"
#include "vk_device/pipeline_store.hpp"

namespace aclvk::vk {

/// The descriptor sets of one command buffer. Sets are never freed one by one and never updated after they are bound:
/// without update-after-bind that would invalidate the recording. Not thread safe.
class DescriptorArena {
 public:
  explicit DescriptorArena(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}

  /// A new set that holds these storage buffers, bindings 0, 1, ...
  ::vk::DescriptorSet allocate(const PipelineLayout& layout, const std::vector<::vk::DescriptorBufferInfo>& buffers);
  /// Takes all sets back.
  void reset();

 private:
  ::vk::DescriptorSet allocate_set(const PipelineLayout& layout);
  void add_pool();

  std::shared_ptr<const Gpu> gpu_;
  std::vector<::vk::raii::DescriptorPool> pools_;
  std::size_t current_ = 0;  // pools before this one are full
};

}  // namespace aclvk::vk
