#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "vk_device/gpu/gpu.hpp"
#include "vk_device/memory/address_source.hpp"

namespace aclvk::vk {

/// Reserved address space of the process, for drivers whose device addresses equal host addresses. The GPU accesses it
/// through windows: imports of address space as VkBuffers. One window covers many mappings, so that a kernel may access
/// adjacent ones as one range.
class HostReservation final : public AddressReservation {
 public:
  HostReservation(std::shared_ptr<const Gpu> gpu, std::uint64_t bytes, std::uint64_t alignment, std::uint64_t hint);

  std::uint64_t start() const override;
  std::uint64_t bytes() const override;
  void map(std::uint64_t at, const Backing& backing) override;
  void unmap(std::uint64_t at, const Backing& backing) override;
  std::shared_ptr<Buffer> find_buffer(std::uint64_t begin, std::uint64_t end) const override;
  std::shared_ptr<Buffer> add_buffer(std::uint64_t begin, std::uint64_t end) override;

 private:
  class Region;  // the mmap'ed address space; windows keep it alive

  std::shared_ptr<Buffer> add_window(std::uint64_t begin, std::uint64_t end);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<const Region> region_;
  std::vector<std::shared_ptr<Buffer>> windows_;
};

/// Returns the distance between the starts of windows of this size: half of it, so that windows overlap, in whole units
/// of reservations, and one unit at least.
std::uint64_t window_distance(std::uint64_t window_bytes);

/// The source for CPU drivers. It allocates HostPages.
class HostAddressSource final : public AddressSource {
 public:
  explicit HostAddressSource(std::shared_ptr<const Gpu> gpu) : gpu_(std::move(gpu)) {}

  std::uint64_t page() override;
  bool host_accessible() const override { return true; }
  std::shared_ptr<AddressReservation> reserve(std::uint64_t bytes, std::uint64_t alignment,
                                              std::uint64_t hint) override;
  std::shared_ptr<const Backing> allocate(std::uint64_t bytes) override;
  std::shared_ptr<const Backing> import_file(File file, const SharedBacking& shared) override;

 private:
  std::shared_ptr<const Gpu> gpu_;
};

}  // namespace aclvk::vk
