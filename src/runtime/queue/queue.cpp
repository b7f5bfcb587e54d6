#include "runtime/queue/queue.hpp"

#include <unistd.h>

#include <cstring>

#include "base/error.hpp"
#include "runtime/memory/copy.hpp"
#include "runtime/queue/local_queue.hpp"
#include "runtime/queue/queue_id.hpp"
#include "runtime/queue/queue_server.hpp"
#include "runtime/queue/remote_queue.hpp"

namespace aclvk::runtime {
namespace {

bool is_local(std::uint32_t id) { return process_of_queue(id) == getpid(); }

void copy_out(const Message& message, void* to) {
  auto* end = static_cast<std::byte*>(to);
  const auto add = [&](const MessageBuffer& buffer) {
    if (buffer.length > 0) copy_now(end, buffer.data->bytes(), buffer.length);
    end += buffer.length;
  };
  add(*message);
  for (const auto& follower : message->followers) add(*follower);
}

/// Takes the first message if it fits. Stores its size in any case. Checks the program's memory before, so that a wrong
/// pointer does not lose the message.
Message take_fitting(std::uint32_t id, const ReceivedData& to, WaitTimeout timeout) {
  if (!is_local(id)) {
    check_accessible(to.data, {to.capacity}, "data", HostAccess::kWrite);
    return take_remote(id, to.capacity, to.length, timeout);
  }
  return take_local(id, timeout, [&](const Message& first) {
    *to.length = total_length(first);
    check(*to.length <= to.capacity, Code::kInvalidParam, "The message has {} bytes; dataSize is {}.", *to.length,
          to.capacity);
    check_accessible(to.data, {*to.length}, "data", HostAccess::kWrite);
  });
}

}  // namespace

std::uint32_t create_queue(const QueueAttributes& attributes) { return create_local_queue(attributes); }

void destroy_queue(std::uint32_t id) { is_local(id) ? destroy_local_queue(id) : destroy_remote(id); }

void enqueue(std::uint32_t id, const void* buffer, WaitTimeout timeout) {
  check_owned(buffer);
  if (is_local(id)) return put_local(id, timeout, [&] { return take_message(buffer); });
  put_remote(id, peek_message(buffer), timeout);  // the program owns the buffer until the owner of the queue has it
  take_message(buffer);
}

void* dequeue(std::uint32_t id, WaitTimeout timeout) {
  std::size_t size = 0;
  return hand_over_message(is_local(id) ? take_local(id, timeout, [](const Message&) {})
                                        : take_remote(id, SIZE_MAX, &size, timeout));
}

void enqueue_data(std::uint32_t id, const void* data, std::size_t bytes, const void* user, std::size_t user_bytes,
                  WaitTimeout timeout) {
  if (is_local(id)) check_local_queue(id);
  const Message message = make_message(data, bytes, user, user_bytes);
  if (!is_local(id)) return put_remote(id, message, timeout);
  put_local(id, timeout, [&] { return message; });
}

void dequeue_data(std::uint32_t id, const ReceivedData& to, WaitTimeout timeout) {
  const Message message = take_fitting(id, to, timeout);
  copy_out(message, to.data);
  if (to.user_bytes > 0) std::memcpy(to.user, message->user.data(), to.user_bytes);
}

void grant(std::uint32_t id, std::int32_t process, std::uint32_t permissions) {
  check(permissions != 0 && (permissions & ~kAllPermissions) == 0, Code::kInvalidParam,
        "permission is {}; a sum of MANAGE (1), DEQUEUE (2) and ENQUEUE (4) is expected.", permissions);
  check(process > 0, Code::kInvalidParam, "pid is {}; the number of a process is expected.", process);
  check_local_queue(id);
  if (process == getpid()) return;  // this process has all rights already
  grant_local(id, process, permissions);
  serve_queues();
}

std::uint32_t attach(std::uint32_t id, WaitTimeout timeout) {
  if (!is_local(id)) return attach_remote(id, timeout);
  check_local_queue(id);
  return kAllPermissions;
}

void bind_routes(RouteList& list) {
  bind_local(list.routes);
  for (Route& route : list.routes) route.status = RouteStatus::kBound;
}

void unbind_routes(RouteList& list) {
  unbind_local(list.routes);
  for (Route& route : list.routes) route.status = RouteStatus::kUnbound;
}

void query_routes(const RouteQuery& query, RouteList& list) { list.routes = find_bound(query); }

}  // namespace aclvk::runtime
