#pragma once

#include <filesystem>
#include <memory>

#include "vk_device/gpu.hpp"

namespace aclvk::vk {

/// The driver's VkPipelineCache, kept in a file from one process to the next. A file that can not be read or written is
/// logged and costs time, nothing else.
class PipelineCache {
 public:
  explicit PipelineCache(std::shared_ptr<const Gpu> gpu);

  ::vk::PipelineCache handle() const { return *cache_; }
  void save() const;

 private:
  std::shared_ptr<const Gpu> gpu_;
  std::filesystem::path file_;  // empty: not kept
  ::vk::raii::PipelineCache cache_{nullptr};
};

}  // namespace aclvk::vk
