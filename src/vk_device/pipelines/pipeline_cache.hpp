#pragma once

#include <filesystem>
#include <memory>

#include "vk_device/gpu/gpu.hpp"

namespace aclvk::vk {

/// The VkPipelineCache of a device, stored in a file between processes. A file that cannot be read or written is logged
/// and only costs compile time.
class PipelineCache {
 public:
  explicit PipelineCache(std::shared_ptr<const Gpu> gpu);

  ::vk::PipelineCache handle() const { return *cache_; }
  /// Writes the cache to its file.
  void save() const;

 private:
  std::shared_ptr<const Gpu> gpu_;
  std::filesystem::path file_;  // empty when the cache is not stored
  ::vk::raii::PipelineCache cache_{nullptr};
};

}  // namespace aclvk::vk
