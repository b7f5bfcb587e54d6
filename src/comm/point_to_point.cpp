#include "comm/point_to_point.hpp"

#include <vector>

#include "comm/comm_error.hpp"
#include "comm/communicator.hpp"
#include "comm/copy_task.hpp"
#include "comm/data_type.hpp"

namespace aclvk::comm {
namespace {

void check_item(const HcclSendRecvItem& item, std::uint32_t index) {
  check(item.buf || item.count == 0, HCCL_E_PTR, "The buffer of item {} is NULL, and it has {} elements.", index,
        item.count);
  check_rank(item.remoteRank, "remoteRank");
  check(item.sendRecvType == HCCL_SEND || item.sendRecvType == HCCL_RECV, HCCL_E_PARA,
        "Item {} has the type {}; HCCL_SEND (0) or HCCL_RECV (1) is expected.", index,
        static_cast<int>(item.sendRecvType));
  size_of(item.dataType);
}

void check_pair(const HcclSendRecvItem& send, const HcclSendRecvItem& receive) {
  check(send.count == receive.count && send.dataType == receive.dataType, HCCL_E_PARA,
        "An item sends {} elements of type {} to the rank itself, which receives {} of type {}.", send.count,
        static_cast<int>(send.dataType), receive.count, static_cast<int>(receive.dataType));
}

}  // namespace

void send_or_receive(const Target& target, const void* buffer, std::uint64_t count, int data_type, std::uint32_t peer) {
  if (count == 0) return;
  require(target.comm, "comm");
  require(buffer, "buffer");
  require(target.stream, "stream");
  communicator_of(target.comm);
  check_rank(peer, "The peer");
  check(peer != Communicator::kRank, HCCL_E_PARA,
        "The peer is the calling rank {} itself; HcclBatchSendRecv takes both halves of that in one call.", peer);
  size_of(data_type);
}

void send_and_receive(const Target& target, const HcclSendRecvItem* items, std::uint32_t count) {
  require(target.comm, "comm");
  require(target.stream, "stream");
  if (count == 0) return;
  require(items, "sendRecvInfo");
  check_no_group("HcclBatchSendRecv");
  std::vector<const HcclSendRecvItem*> sends, receives;
  for (std::uint32_t i = 0; i < count; ++i) {
    check_item(items[i], i);
    (items[i].sendRecvType == HCCL_SEND ? sends : receives).push_back(&items[i]);
  }
  check(sends.size() == receives.size(), HCCL_E_PARA, "The rank sends {} items to itself and receives {}.",
        sends.size(), receives.size());
  for (std::size_t i = 0; i < sends.size(); ++i) check_pair(*sends[i], *receives[i]);
  for (std::size_t i = 0; i < sends.size(); ++i) {
    const std::uint64_t bytes = sends[i]->count * size_of(sends[i]->dataType);
    copy_in_stream_order(target, CallKind::kPointToPoint, {sends[i]->buf, receives[i]->buf, bytes});
  }
}

}  // namespace aclvk::comm
