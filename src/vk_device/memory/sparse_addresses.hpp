#pragma once

#include <mutex>

#include "vk_device/memory/address_source.hpp"
#include "vk_device/memory/sparse_queue.hpp"

namespace aclvk::vk {

class DevicePages;

/// Reserved addresses of a sparse buffer, for drivers that choose device addresses themselves. All mappings are in one
/// VkBuffer, so a kernel may access adjacent ones as one range. The host accesses them with copies only.
class SparseReservation final : public AddressReservation {
 public:
  /// The reservation is the `bytes` from the address `start` of `buffer`.
  SparseReservation(std::shared_ptr<VulkanBuffer> buffer, std::shared_ptr<SparseQueue> queue,
                    std::shared_ptr<const Gpu> gpu, std::uint64_t start, std::uint64_t bytes);

  std::uint64_t start() const override { return start_; }
  std::uint64_t bytes() const override { return bytes_; }
  void map(std::uint64_t at, const Backing& backing) override;
  void unmap(std::uint64_t at, const Backing& backing) override;
  std::shared_ptr<Buffer> find_buffer(std::uint64_t, std::uint64_t) const override { return buffer_; }
  std::shared_ptr<Buffer> add_buffer(std::uint64_t, std::uint64_t) override { return buffer_; }

 private:
  std::shared_ptr<VulkanBuffer> buffer_;
  std::shared_ptr<SparseQueue> queue_;
  std::shared_ptr<const Gpu> gpu_;
  std::uint64_t start_;
  std::uint64_t bytes_;
};

/// The source for GPUs. It allocates DevicePages.
class SparseAddressSource final : public AddressSource {
 public:
  SparseAddressSource(std::shared_ptr<const Gpu> gpu, std::shared_ptr<VulkanQueue> queue);

  std::uint64_t page() override { return requirements().alignment; }
  bool host_accessible() const override { return false; }
  std::shared_ptr<AddressReservation> reserve(std::uint64_t bytes, std::uint64_t alignment,
                                              std::uint64_t hint) override;
  std::shared_ptr<const Backing> allocate(std::uint64_t bytes) override;
  std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared) override;

 private:
  class SpaceClaim;  // a share of sparseAddressSpaceSize

  const ::vk::MemoryRequirements& requirements();

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<SparseQueue> queue_;
  std::shared_ptr<std::atomic<std::uint64_t>> used_;  // bytes of all sparse buffers
  std::once_flag asked_;
  ::vk::MemoryRequirements requirements_;
};

}  // namespace aclvk::vk
