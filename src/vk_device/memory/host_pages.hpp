#pragma once

#include <cstdint>

#include "base/file.hpp"
#include "vk_device/memory/backing.hpp"

namespace aclvk::vk {

/// Host memory in a memfd, which several processes can map. Its size is sealed, so that no process can truncate it
/// while another accesses it.
class HostPages final : public Backing {
 public:
  /// Allocates zeroed pages. Throws kMemoryAllocation.
  explicit HostPages(std::uint64_t bytes);
  /// Takes over a file from another process. Throws kParamInvalid unless it is a sealed memfd of that size.
  HostPages(File file, std::uint64_t bytes);

  const File& file() const { return file_; }
  std::uint64_t bytes() const override { return bytes_; }
  File export_file(SharedBacking& out) const override;

 private:
  File file_;
  std::uint64_t bytes_;
};

}  // namespace aclvk::vk
