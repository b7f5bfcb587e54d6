#pragma once

#include <cstdint>

#include "base/file.hpp"
#include "vk_device/backing.hpp"

namespace aclvk::vk {

/// Pages of the host, which a process sees wherever it maps their file. The size never changes, so that no process can
/// pull them away under another.
class HostPages final : public Backing {
 public:
  /// New pages, all zero. Throws kMemoryAllocation.
  explicit HostPages(std::uint64_t bytes);
  /// Those that another process has sent. Throws kParamInvalid when the file is not what the constructor above makes.
  HostPages(File file, std::uint64_t bytes);

  const File& file() const { return file_; }
  std::uint64_t bytes() const override { return bytes_; }
  File export_file(SharedBacking& out) const override;

 private:
  File file_;
  std::uint64_t bytes_;
};

}  // namespace aclvk::vk
