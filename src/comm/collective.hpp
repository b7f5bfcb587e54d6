#pragma once

#include <cstdint>
#include <optional>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

// Collectives of a communicator with one rank. The rank receives what it sends, so each collective is a copy in stream
// order, which can be captured like any other copy. Checks follow the order of HCCL: pointers (HCCL_E_PTR), ranks and
// counts (HCCL_E_PARA), data type, reduction (HCCL_E_NOT_SUPPORT).

/// The communicator and stream handles of a collective. A NULL stream does not mean the default stream: HCCL_E_PTR.
struct Target {
  const void* comm = nullptr;
  const void* stream = nullptr;
};

/// The arguments of AllReduce, Reduce, Scatter, AllGather and ReduceScatter: `count` elements from one buffer to the
/// other. With one rank a reduction returns its input. A count of 0 succeeds without further checks.
struct Transfer {
  const void* send = nullptr;
  void* receive = nullptr;
  std::uint64_t count = 0;
  int data_type = 0;
  std::optional<std::uint32_t> root = std::nullopt;  ///< of Reduce and Scatter
  std::optional<int> operation = std::nullopt;       ///< HcclReduceOp of reductions
};

void transfer(const Target& target, const Transfer& transfer);
/// Broadcast: only checks its arguments, because the single rank is the root.
void broadcast(const Target& target, void* buffer, std::uint64_t count, int data_type, std::uint32_t root);
/// Barrier: only checks its arguments, because there is no other rank.
void barrier(const Target& target);

/// The part of a send or receive buffer that belongs to the calling rank; `count` and `displacement` are in elements.
struct ElementRange {
  const void* buffer = nullptr;
  std::uint64_t count = 0;
  std::uint64_t displacement = 0;
  int data_type = 0;
};

/// AlltoAll, AlltoAllV and AlltoAllVC. Throws HCCL_E_PARA when the ranges differ in count or type or use one buffer.
void all_to_all(const Target& target, const ElementRange& send, const ElementRange& receive);
/// AllGatherV and, with `operation`, ReduceScatterV. Like all_to_all(), but the buffers may be equal.
void transfer_ranges(const Target& target, const ElementRange& send, const ElementRange& receive,
                     std::optional<int> operation = std::nullopt);

}  // namespace aclvk::comm
