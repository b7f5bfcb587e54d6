#pragma once

#include <cstdint>

#include "base/file.hpp"

namespace aclvk::vk {

/// Memory without an address, which a process sees wherever it maps the file: the physical memory of drivers whose
/// device addresses are the host's. Its size never changes, so that no process can pull it away under another.
class Pages {
 public:
  /// New pages, all zero. Throws kMemoryAllocation.
  explicit Pages(std::uint64_t bytes);
  /// Those that another process has sent. Throws kParamInvalid when the file is not what the constructor above makes.
  Pages(File file, std::uint64_t bytes);

  const File& file() const { return file_; }
  std::uint64_t bytes() const { return bytes_; }

 private:
  File file_;
  std::uint64_t bytes_;
};

}  // namespace aclvk::vk
