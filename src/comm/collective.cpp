#include "comm/collective.hpp"

#include "comm/call_group.hpp"
#include "comm/comm_error.hpp"
#include "comm/communicator.hpp"
#include "comm/copy_task.hpp"
#include "comm/data_type.hpp"

namespace aclvk::comm {
namespace {

constexpr std::uint64_t kMaxElements = 0x7FFFFFFFF;  // HCCL's limit

void check_count(std::uint64_t count) {
  check(count <= kMaxElements, HCCL_E_PARA, "count is {}; at most {} elements are possible.", count, kMaxElements);
}

const std::byte* bytes_at(const ElementRange& range, std::uint64_t element) {
  return static_cast<const std::byte*>(range.buffer) + range.displacement * element;
}

void check_buffers(const ElementRange& send, const ElementRange& receive) {
  check(send.buffer || send.count == 0, HCCL_E_PTR, "sendBuf is NULL, and {} elements are sent.", send.count);
  check(receive.buffer || receive.count == 0, HCCL_E_PTR, "recvBuf is NULL, and {} elements are received.",
        receive.count);
}

/// Throws HCCL_E_PARA unless both ranges have the same count and type, as one rank requires.
void check_ranges(const ElementRange& send, const ElementRange& receive) {
  check(send.count == receive.count, HCCL_E_PARA,
        "sendCount is {} and recvCount is {}; one rank receives what it sends.", send.count, receive.count);
  check(send.data_type == receive.data_type, HCCL_E_PARA,
        "sendType is {} and recvType is {}; one rank receives what it sends.", send.data_type, receive.data_type);
  check_count(send.count);
  check(send.displacement <= kMaxElements && receive.displacement <= kMaxElements, HCCL_E_PARA,
        "A displacement ({}, {}) is above {} elements.", send.displacement, receive.displacement, kMaxElements);
}

void copy_elements(const Target& target, const ElementRange& send, const ElementRange& receive) {
  const std::uint64_t element = size_of(send.data_type);
  copy_in_stream_order(
      target, CallKind::kCollective,
      {bytes_at(send, element), const_cast<std::byte*>(bytes_at(receive, element)), send.count * element});
}

}  // namespace

void transfer(const Target& target, const Transfer& given) {
  if (given.count == 0) return;
  require(target.stream, "stream");
  require(target.comm, "comm");
  require(given.send, "sendBuf");
  require(given.receive, "recvBuf");
  if (given.root) check_rank(*given.root, "root");
  check_count(given.count);
  const std::uint64_t bytes = given.count * size_of(given.data_type);
  if (given.operation) check_reducible(given.data_type, *given.operation);
  copy_in_stream_order(target, CallKind::kCollective, {given.send, given.receive, bytes});
}

void broadcast(const Target& target, void* buffer, std::uint64_t count, int data_type, std::uint32_t root) {
  if (count == 0) return;
  require(target.stream, "stream");
  require(target.comm, "comm");
  require(buffer, "buf");
  transfer(target, {buffer, buffer, count, data_type, root});
}

void barrier(const Target& target) {
  require(target.comm, "comm");
  require(target.stream, "stream");
  copy_in_stream_order(target, CallKind::kCollective, {});
}

void all_to_all(const Target& target, const ElementRange& send, const ElementRange& receive) {
  require(target.comm, "comm");
  check_buffers(send, receive);
  check_ranges(send, receive);
  require(target.stream, "stream");
  check(!send.buffer || send.buffer != receive.buffer, HCCL_E_PARA, "sendBuf and recvBuf are one buffer ({}).",
        send.buffer);
  copy_elements(target, send, receive);
}

void transfer_ranges(const Target& target, const ElementRange& send, const ElementRange& receive,
                     std::optional<int> operation) {
  require(target.stream, "stream");
  require(target.comm, "comm");
  check_buffers(send, receive);
  check_ranges(send, receive);
  size_of(send.data_type);
  if (operation) check_reducible(send.data_type, *operation);
  copy_elements(target, send, receive);
}

}  // namespace aclvk::comm
