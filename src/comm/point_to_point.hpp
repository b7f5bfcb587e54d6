#pragma once

#include <cstdint>

#include "comm/collective.hpp"
#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// HcclSend and HcclRecv. Throws HCCL_E_PARA for every peer, because it has to be another rank and communicators have
/// one. A count of 0 succeeds.
void send_or_receive(const Target& target, const void* buffer, std::uint64_t count, int data_type, std::uint32_t peer);

/// HcclBatchSendRecv. Pairs the k-th send with the k-th receive; all peers are the calling rank itself. Throws
/// HCCL_E_PARA when a pair differs in count or type, and when an item has no partner. A count of 0 succeeds.
void send_and_receive(const Target& target, const HcclSendRecvItem* items, std::uint32_t count);

}  // namespace aclvk::comm
