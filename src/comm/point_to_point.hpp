#pragma once

#include <cstdint>

#include "comm/collective.hpp"
#include "hccl/hccl_types.h"

namespace aclvk::comm {

/// HcclSend and HcclRecv, whose peer is another rank: HCCL_E_PARA for every number while communicators have one.
void send_or_receive(const Target& target, const void* buffer, std::uint64_t count, int data_type, std::uint32_t peer);

/// HcclBatchSendRecv: the k-th item that sends to the rank itself meets the k-th that receives from it; the two have
/// the same count and type (HCCL_E_PARA), and none is left over (HCCL_E_PARA). No items are no error.
void send_and_receive(const Target& target, const HcclSendRecvItem* items, std::uint32_t count);

}  // namespace aclvk::comm
