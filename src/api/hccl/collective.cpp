// hccl/hccl.h: collectives of a communicator.
#include "comm/collective.hpp"

#include "api/hccl/guard.hpp"
#include "comm/comm_error.hpp"
#include "comm/point_to_point.hpp"
#include "hccl/hccl.h"

using namespace aclvk;
using api::hccl_guard;
using comm::ElementRange;
using comm::require;

namespace {

/// Returns the calling rank's element of an array with one element for each rank. A communicator has one rank
/// (docs/adr/0027), so that is the first element.
uint64_t own_entry(const void* array, const char* name) {
  require(array, name);
  return *static_cast<const uint64_t*>(array);
}

}  // namespace

HcclResult HcclAllReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                         HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::transfer({comm, stream}, {sendBuf, recvBuf, count, dataType, {}, op}); });
}

HcclResult HcclBroadcast(void* buf, uint64_t count, HcclDataType dataType, uint32_t root, HcclComm comm,
                         aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::broadcast({comm, stream}, buf, count, dataType, root); });
}

HcclResult HcclReduce(void* sendBuf, void* recvBuf, uint64_t count, HcclDataType dataType, HcclReduceOp op,
                      uint32_t root, HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::transfer({comm, stream}, {sendBuf, recvBuf, count, dataType, root, op}); });
}

HcclResult HcclScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType, uint32_t root,
                       HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::transfer({comm, stream}, {sendBuf, recvBuf, recvCount, dataType, root}); });
}

HcclResult HcclAllGather(void* sendBuf, void* recvBuf, uint64_t sendCount, HcclDataType dataType, HcclComm comm,
                         aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::transfer({comm, stream}, {sendBuf, recvBuf, sendCount, dataType}); });
}

HcclResult HcclAllGatherV(void* sendBuf, uint64_t sendCount, void* recvBuf, const void* recvCounts,
                          const void* recvDispls, HcclDataType dataType, HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] {
    const ElementRange receive{recvBuf, own_entry(recvCounts, "recvCounts"), own_entry(recvDispls, "recvDispls"),
                               dataType};
    comm::transfer_ranges({comm, stream}, {sendBuf, sendCount, 0, dataType}, receive);
  });
}

HcclResult HcclReduceScatter(void* sendBuf, void* recvBuf, uint64_t recvCount, HcclDataType dataType, HcclReduceOp op,
                             HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::transfer({comm, stream}, {sendBuf, recvBuf, recvCount, dataType, {}, op}); });
}

HcclResult HcclReduceScatterV(void* sendBuf, const void* sendCounts, const void* sendDispls, void* recvBuf,
                              uint64_t recvCount, HcclDataType dataType, HcclReduceOp op, HcclComm comm,
                              aclrtStream stream) {
  return hccl_guard(__func__, [&] {
    const ElementRange send{sendBuf, own_entry(sendCounts, "sendCounts"), own_entry(sendDispls, "sendDispls"),
                            dataType};
    comm::transfer_ranges({comm, stream}, send, {recvBuf, recvCount, 0, dataType}, op);
  });
}

HcclResult HcclAlltoAll(const void* sendBuf, uint64_t sendCount, HcclDataType sendType, const void* recvBuf,
                        uint64_t recvCount, HcclDataType recvType, HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] {
    comm::all_to_all({comm, stream}, {sendBuf, sendCount, 0, sendType}, {recvBuf, recvCount, 0, recvType});
  });
}

HcclResult HcclAlltoAllV(const void* sendBuf, const void* sendCounts, const void* sdispls, HcclDataType sendType,
                         const void* recvBuf, const void* recvCounts, const void* rdispls, HcclDataType recvType,
                         HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] {
    const ElementRange send{sendBuf, own_entry(sendCounts, "sendCounts"), own_entry(sdispls, "sdispls"), sendType};
    const ElementRange receive{recvBuf, own_entry(recvCounts, "recvCounts"), own_entry(rdispls, "rdispls"), recvType};
    comm::all_to_all({comm, stream}, send, receive);
  });
}

HcclResult HcclAlltoAllVC(const void* sendBuf, const void* sendCountMatrix, HcclDataType sendType, const void* recvBuf,
                          HcclDataType recvType, HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] {
    const uint64_t count = own_entry(sendCountMatrix, "sendCountMatrix");
    comm::all_to_all({comm, stream}, {sendBuf, count, 0, sendType}, {recvBuf, count, 0, recvType});
  });
}

HcclResult HcclBarrier(HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::barrier({comm, stream}); });
}

HcclResult HcclSend(void* sendBuf, uint64_t count, HcclDataType dataType, uint32_t destRank, HcclComm comm,
                    aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::send_or_receive({comm, stream}, sendBuf, count, dataType, destRank); });
}

HcclResult HcclRecv(void* recvBuf, uint64_t count, HcclDataType dataType, uint32_t srcRank, HcclComm comm,
                    aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::send_or_receive({comm, stream}, recvBuf, count, dataType, srcRank); });
}

HcclResult HcclBatchSendRecv(HcclSendRecvItem* sendRecvInfo, uint32_t itemNum, HcclComm comm, aclrtStream stream) {
  return hccl_guard(__func__, [&] { comm::send_and_receive({comm, stream}, sendRecvInfo, itemNum); });
}
