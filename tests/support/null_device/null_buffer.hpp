#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "support/null_device/null_state.hpp"
#include "vk_device/buffers/buffer_source.hpp"

namespace aclvk {

/// A buffer of host memory, whose device address is the host address.
class NullBuffer final : public vk::Buffer {
 public:
  /// Allocates zeroed pages. Without `mapped`, mapped() is null. Throws kMemoryAllocation.
  NullBuffer(vk::MemoryUse use, std::uint64_t bytes, bool mapped);
  /// Imports pages of the program.
  NullBuffer(void* pages, std::uint64_t bytes);
  ~NullBuffer() override;

  /// Returns the first byte, mapped or not.
  std::byte* data() const { return reinterpret_cast<std::byte*>(static_cast<std::uintptr_t>(address())); }
  /// Throws kFeatureNotSupported.
  File export_memory(vk::SharedRange& out) const override;
};

/// Returns the bytes of a range of a null device.
inline std::byte* bytes_of(const vk::BufferRange& range) {
  return static_cast<const NullBuffer&>(*range.buffer).data() + range.offset;
}

/// Creates NullBuffers. Memory is not shared with other processes.
class NullBufferSource final : public vk::BufferSource {
 public:
  /// `host_visible` selects whether device memory is mapped.
  NullBufferSource(std::shared_ptr<NullState> state, bool host_visible)
      : state_(std::move(state)), host_visible_(host_visible) {}

  const std::string& device_name() const override { return state_->name(); }
  std::shared_ptr<vk::Buffer> create(vk::MemoryUse use, std::uint64_t bytes) const override;
  std::uint64_t host_import_alignment() const override { return 4096; }
  std::shared_ptr<vk::Buffer> import_host(void* pages, std::uint64_t bytes) const override;
  bool shares_memory() const override { return false; }
  std::shared_ptr<vk::Buffer> import_file(File file, const vk::SharedRange& shared) const override;

 private:
  std::shared_ptr<NullState> state_;
  const bool host_visible_;
};

}  // namespace aclvk
