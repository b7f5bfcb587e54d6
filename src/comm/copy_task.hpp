#pragma once

#include <cstdint>

#include "comm/call_group.hpp"
#include "comm/collective.hpp"

namespace aclvk::comm {

/// `size` bytes from `src` to `dst`.
struct ByteCopy {
  const void* src = nullptr;
  void* dst = nullptr;
  std::uint64_t size = 0;
};

/// Copies in stream order, now or at the end of the thread's group; copies nothing if source and destination are equal.
/// Throws HCCL_E_PARA for handles that are not live and for a stream of another device, HCCL_E_SUSPENDING while the
/// communicator is suspended.
void copy_in_stream_order(const Target& target, CallKind kind, const ByteCopy& copy);

}  // namespace aclvk::comm
