#pragma once

#include <cstdint>

#include "comm/call_group.hpp"
#include "comm/collective.hpp"

namespace aclvk::comm {

struct ByteCopy {
  const void* src = nullptr;
  void* dst = nullptr;
  std::uint64_t size = 0;
};

/// Copies in the order of the stream, now or at the end of the thread's group. Nothing is copied where both ends are
/// the same, but communicator and stream are checked: HCCL_E_PARA for handles that are not live and for a stream of
/// another device, HCCL_E_SUSPENDING while the communicator is suspended.
void copy_in_stream_order(const Target& target, CallKind kind, const ByteCopy& copy);

}  // namespace aclvk::comm
