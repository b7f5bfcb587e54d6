#include "vk_device/buffers/buffer_source.hpp"

#include <utility>

#include "vk_device/buffers/buffer_impl.hpp"

namespace aclvk::vk {
namespace {

class VulkanBufferSource final : public BufferSource {
 public:
  explicit VulkanBufferSource(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}

  const std::string& device_name() const override { return gpu_->info().name; }
  std::shared_ptr<Buffer> create(MemoryUse use, std::uint64_t bytes) const override {
    return std::make_shared<VulkanBuffer>(gpu_, use, bytes);
  }
  std::uint64_t host_import_alignment() const override { return gpu_->limits().host_import_alignment; }
  std::shared_ptr<Buffer> import_host(void* pages, std::uint64_t bytes) const override {
    return std::make_shared<VulkanBuffer>(gpu_, pages, bytes);
  }
  bool shares_memory() const override { return gpu_->limits().exports_buffers; }
  std::shared_ptr<Buffer> import_file(File file, const SharedRange& shared) const override {
    return std::make_shared<VulkanBuffer>(gpu_, std::move(file), shared);
  }

 private:
  std::shared_ptr<const Gpu> gpu_;
};

}  // namespace

std::shared_ptr<const BufferSource> create_buffer_source(std::shared_ptr<const Gpu> gpu) {
  return std::make_shared<VulkanBufferSource>(std::move(gpu));
}

}  // namespace aclvk::vk
