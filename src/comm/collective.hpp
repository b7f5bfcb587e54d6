#pragma once

#include <cstdint>
#include <optional>

#include "hccl/hccl_types.h"

namespace aclvk::comm {

// Collectives of a communicator with one rank: what the rank sends it receives, so each is a copy in stream order,
// which a capture stores like any other copy. Checks come in the order of the board: pointers (HCCL_E_PTR), ranks and
// counts (HCCL_E_PARA), data type, reduction (HCCL_E_NOT_SUPPORT).

/// Whom a collective concerns. A NULL stream is not the default stream here but HCCL_E_PTR.
struct Target {
  const void* comm = nullptr;
  const void* stream = nullptr;
};

/// AllReduce, Reduce, Scatter, AllGather, ReduceScatter: `count` elements from one buffer to the other. No elements are
/// no error, whatever else is wrong. A reduction of one rank's elements gives these elements.
struct Transfer {
  const void* send = nullptr;
  void* receive = nullptr;
  std::uint64_t count = 0;
  int data_type = 0;
  std::optional<std::uint32_t> root = std::nullopt;
  std::optional<int> operation = std::nullopt;
};

void transfer(const Target& target, const Transfer& transfer);
/// The root has what it broadcasts already.
void broadcast(const Target& target, void* buffer, std::uint64_t count, int data_type, std::uint32_t root);
/// Waits for no other rank: there is none.
void barrier(const Target& target);

/// One side of an exchange with all ranks: elements at a displacement, both in elements.
struct ElementRange {
  const void* buffer = nullptr;
  std::uint64_t count = 0;
  std::uint64_t displacement = 0;
  int data_type = 0;
};

/// AlltoAll and its V and VC forms. HCCL_E_PARA where the sides differ in count or type, and for equal buffers.
void all_to_all(const Target& target, const ElementRange& send, const ElementRange& receive);
/// AllGatherV and, with a reduction, ReduceScatterV; their buffers may be equal.
void transfer_ranges(const Target& target, const ElementRange& send, const ElementRange& receive,
                     std::optional<int> operation = std::nullopt);

}  // namespace aclvk::comm
