#include "runtime/queue/queue_connection.hpp"

#include <poll.h>

#include <cerrno>

#include "runtime/host/process.hpp"

namespace aclvk::runtime {
namespace {

[[noreturn]] void fail_disconnected() {
  fail(Code::kRuntimeInternal, "The process at the other end of the queue has gone.");
}

struct BufferHeader {
  std::uint64_t capacity = 0;
  std::uint64_t length = 0;
  std::array<std::byte, kUserBytes> user{};
};

}  // namespace

// POLLRDHUP reports a closed connection without a read.
bool QueueConnection::alive() const {
  pollfd state{socket(), POLLRDHUP, 0};
  return poll(&state, 1, 0) != 1 && !has_ended(peer());
}

void QueueConnection::fail_timeout() const {
  fail(deadline_->code, "Process {} does not answer in time; it may have been stopped.", peer());
}

/// Repeats a send or receive until it transfers bytes. Returns their number. The socket has a timeout: after it the
/// call fails with EAGAIN, and the deadline and the other process are checked.
template <typename Call>
std::size_t QueueConnection::transfer(Call&& call) {
  int flags = MSG_NOSIGNAL;
  while (true) {
    const ssize_t size = call(flags);
    if (size > 0) return static_cast<std::size_t>(size);
    const bool last = (flags & MSG_DONTWAIT) != 0;
    const bool again = size < 0 && (errno == EINTR || (errno == EAGAIN && !last));
    if (!again) fail_disconnected();
    if (deadline_ && std::chrono::steady_clock::now() >= deadline_->end) fail_timeout();
    if (has_ended(peer())) flags |= MSG_DONTWAIT;  // bytes that it sent before its end are still read
  }
}

void QueueConnection::send_bytes(const void* bytes, std::size_t size) {
  const auto* next = static_cast<const std::byte*>(bytes);
  while (size > 0) {
    const std::size_t sent = transfer([&](int flags) { return ::send(socket(), next, size, flags); });
    next += sent;
    size -= sent;
  }
}

void QueueConnection::receive_bytes(void* bytes, std::size_t size) {
  auto* next = static_cast<std::byte*>(bytes);
  while (size > 0) {
    const std::size_t received = transfer([&](int flags) { return recv(socket(), next, size, flags); });
    next += received;
    size -= received;
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
    head->followers.back()->is_follower = true;
  }
  return head;
}

}  // namespace aclvk::runtime
