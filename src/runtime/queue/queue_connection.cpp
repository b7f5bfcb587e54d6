#include "runtime/queue/queue_connection.hpp"

#include <poll.h>

#include <cerrno>

namespace aclvk::runtime {
namespace {

[[noreturn]] void fail_gone() { fail(Code::kRuntimeInternal, "The process at the other end of the queue has gone."); }

struct BufferHeader {
  std::uint64_t capacity = 0;
  std::uint64_t length = 0;
  std::array<std::byte, kUserBytes> user{};
};

}  // namespace

bool QueueConnection::alive() const {
  pollfd state{socket(), POLLRDHUP, 0};
  return poll(&state, 1, 0) == 0;
}

void QueueConnection::send_bytes(const void* bytes, std::size_t size) {
  const auto* next = static_cast<const std::byte*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(socket(), next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) fail_gone();
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

void QueueConnection::receive_bytes(void* bytes, std::size_t size) {
  auto* next = static_cast<std::byte*>(bytes);
  while (size > 0) {
    const ssize_t received = recv(socket(), next, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) fail_gone();
    next += received;
    size -= static_cast<std::size_t>(received);
  }
}

void QueueConnection::send_buffer(const MessageBuffer& buffer) {
  send(BufferHeader{buffer.data->capacity(), buffer.length, buffer.user});
  send_bytes(buffer.data->bytes(), buffer.length);
}

Message QueueConnection::receive_buffer() {
  const auto header = receive<BufferHeader>();
  check(header.capacity > 0 && header.length <= header.capacity, Code::kRuntimeInternal,
        "A buffer with {} of {} bytes used cannot be.", header.length, header.capacity);
  auto buffer = std::make_shared<MessageBuffer>();
  buffer->data = std::make_shared<MessageData>(header.capacity);
  buffer->length = header.length;
  buffer->user = header.user;
  receive_bytes(buffer->data->bytes(), header.length);
  return buffer;
}

void QueueConnection::send_message(const Message& message) {
  send(static_cast<std::uint64_t>(message->followers.size()));
  send_buffer(*message);
  for (const auto& follower : message->followers) send_buffer(*follower);
}

Message QueueConnection::receive_message() {
  const auto followers = receive<std::uint64_t>();
  Message head = receive_buffer();
  for (std::uint64_t i = 0; i < followers; ++i) {
    head->followers.push_back(receive_buffer());
    head->followers.back()->follows = true;
  }
  return head;
}

}  // namespace aclvk::runtime
