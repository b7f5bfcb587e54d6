#include "comm/collective.hpp"

#include "comm/call_group.hpp"
#include "comm/comm_error.hpp"
#include "comm/communicator.hpp"
#include "comm/copy_task.hpp"
#include "comm/data_type.hpp"

namespace aclvk::comm {
namespace {

constexpr std::uint64_t kMostElements = 0x7FFFFFFFF;

void check_count(std::uint64_t count) {
  check(count <= kMostElements, HCCL_E_PARA, "count is {}; at most {} elements are possible.", count, kMostElements);
}

const std::byte* bytes_at(const Side& side, std::uint64_t element) {
  return static_cast<const std::byte*>(side.buffer) + side.displacement * element;
}

void check_buffers(const Side& send, const Side& receive) {
  check(send.buffer || send.count == 0, HCCL_E_PTR, "sendBuf is NULL, and {} elements are sent.", send.count);
  check(receive.buffer || receive.count == 0, HCCL_E_PTR, "recvBuf is NULL, and {} elements are received.",
        receive.count);
}

/// Counts and types of both sides, which for one rank have to be the same.
void check_sides(const Side& send, const Side& receive) {
  check(send.count == receive.count, HCCL_E_PARA, "The rank sends {} elements to itself and receives {}.", send.count,
        receive.count);
  check(send.data_type == receive.data_type, HCCL_E_PARA, "The rank sends elements of type {} and receives type {}.",
        send.data_type, receive.data_type);
  check_count(send.count);
  check(send.displacement <= kMostElements && receive.displacement <= kMostElements, HCCL_E_PARA,
        "A displacement ({}, {}) is above {} elements.", send.displacement, receive.displacement, kMostElements);
}

void move(const Place& place, const Side& send, const Side& receive) {
  const std::uint64_t element = size_of(send.data_type);
  copy_in_order(place, CallKind::kCollective,
                {bytes_at(send, element), const_cast<std::byte*>(bytes_at(receive, element)), send.count * element});
}

}  // namespace

void transfer(const Place& place, const Transfer& given) {
  if (given.count == 0) return;
  require(place.stream, "stream");
  require(place.comm, "comm");
  require(given.send, "sendBuf");
  require(given.receive, "recvBuf");
  if (given.root) check_rank(*given.root, "root");
  check_count(given.count);
  const std::uint64_t bytes = given.count * size_of(given.data_type);
  if (given.operation) check_reducible(given.data_type, *given.operation);
  copy_in_order(place, CallKind::kCollective, {given.send, given.receive, bytes});
}

void broadcast(const Place& place, void* buffer, std::uint64_t count, int data_type, std::uint32_t root) {
  if (count == 0) return;
  require(place.stream, "stream");
  require(place.comm, "comm");
  require(buffer, "buf");
  transfer(place, {buffer, buffer, count, data_type, root});
}

void barrier(const Place& place) {
  require(place.comm, "comm");
  require(place.stream, "stream");
  copy_in_order(place, CallKind::kCollective, {});
}

void exchange(const Place& place, const Side& send, const Side& receive) {
  require(place.comm, "comm");
  check_buffers(send, receive);
  check_sides(send, receive);
  require(place.stream, "stream");
  check(!send.buffer || send.buffer != receive.buffer, HCCL_E_PARA, "sendBuf and recvBuf are one buffer ({}).",
        send.buffer);
  move(place, send, receive);
}

void transfer_at(const Place& place, const Side& send, const Side& receive, std::optional<int> operation) {
  require(place.stream, "stream");
  require(place.comm, "comm");
  check_buffers(send, receive);
  check_sides(send, receive);
  size_of(send.data_type);
  if (operation) check_reducible(send.data_type, *operation);
  move(place, send, receive);
}

}  // namespace aclvk::comm
