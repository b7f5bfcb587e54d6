#pragma once

#include <cstdint>

#include "runtime/stream/stream.hpp"

namespace aclvk::runtime {

// Copies whose addresses are read from memory when the stream reaches them. They run on the host, because a Vulkan copy
// command names its buffers when it is recorded.

/// aclrtMemcpyAsyncWithOffset: from *src + src_offset to *dst + dst_offset.
struct OffsetCopy {
  const void* dst = nullptr;  ///< location of the destination address
  std::uint64_t dst_max = 0;
  std::uint64_t dst_offset = 0;
  const void* src = nullptr;
  std::uint64_t src_offset = 0;
  std::uint64_t bytes = 0;
  int kind = 0;
};

void copy_with_offset(Stream& stream, const OffsetCopy& copy);

/// The descriptor that aclrtSetMemcpyDesc writes and aclrtMemcpyAsyncWithDesc reads: 64 bytes of device memory.
struct CopyDescription {
  std::uint64_t magic = 0;
  std::uint64_t dst = 0;
  std::uint64_t src = 0;
  std::uint64_t bytes = 0;
  std::uint64_t unused[4] = {};
};

/// Throws kInvalidParam for an unknown aclrtMemcpyKind.
void check_copy_kind(int kind);
/// Writes the descriptor at once, without a stream.
void write_description(void* description, void* dst, const void* src, std::uint64_t bytes);
void copy_as_described(Stream& stream, const void* description);

}  // namespace aclvk::runtime
