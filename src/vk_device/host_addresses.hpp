#pragma once

#include <vector>

#include "vk_device/address_source.hpp"
#include "vk_device/gpu.hpp"

namespace aclvk::vk {

/// Address space of the process, for drivers whose device addresses are the host's. The GPU sees it through imports of
/// host memory, which are made of addresses, so that one kernel may work on several mappings side by side.
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
  class Region;  // the address space itself; buffers keep it

  std::shared_ptr<Buffer> add_window(std::uint64_t begin, std::uint64_t end);

  std::shared_ptr<const Gpu> gpu_;
  std::shared_ptr<const Region> region_;
  std::vector<std::shared_ptr<Buffer>> windows_;
};

/// Its memory is HostPages.
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
