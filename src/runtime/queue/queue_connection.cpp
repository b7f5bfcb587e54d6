#include "runtime/queue/queue_connection.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace aclvk::runtime {
namespace {

/// A name in the abstract namespace, which ends with its process.
struct Name {
  explicit Name(pid_t process) {
    const std::string text = fmt::format("aclvk-queues-{}", process);
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, text.data(), text.size());
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t size = 0;
};

int new_socket() { return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0); }

[[noreturn]] void fail_gone() { fail(Code::kRuntimeInternal, "The process at the other end of the queue has gone."); }

struct BufferHeader {
  std::uint64_t capacity = 0;
  std::uint64_t length = 0;
  std::array<std::byte, kUserBytes> user{};
};

}  // namespace

QueueConnection::~QueueConnection() {
  if (open()) close(socket_);
}

QueueConnection::QueueConnection(QueueConnection&& other) noexcept : socket_(std::exchange(other.socket_, -1)) {}

pid_t QueueConnection::peer() const {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const bool known = getsockopt(socket_, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return known && peer.uid == geteuid() ? peer.pid : 0;
}

bool QueueConnection::alive() const {
  pollfd state{socket_, POLLRDHUP, 0};
  return poll(&state, 1, 0) == 0;
}

void QueueConnection::send_bytes(const void* bytes, std::size_t size) {
  const auto* next = static_cast<const std::byte*>(bytes);
  while (size > 0) {
    const ssize_t sent = ::send(socket_, next, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) fail_gone();
    next += sent;
    size -= static_cast<std::size_t>(sent);
  }
}

void QueueConnection::receive_bytes(void* bytes, std::size_t size) {
  auto* next = static_cast<std::byte*>(bytes);
  while (size > 0) {
    const ssize_t received = recv(socket_, next, size, 0);
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

QueueConnection call_queues_of(pid_t process) {
  const int socket = new_socket();
  QueueConnection connection(socket);
  const Name name(process);
  const bool reached = connection.open() && connect(socket, name.get(), name.size) == 0;
  if (reached && connection.peer() == process) return connection;
  return QueueConnection(-1);
}

int listen_for_queue_calls() {
  const int listener = new_socket();
  const Name name(getpid());
  const bool listens = listener >= 0 && bind(listener, name.get(), name.size) == 0 && listen(listener, SOMAXCONN) == 0;
  check(listens, Code::kResourceAllocation, "Other processes cannot reach the queues of this one: {}.",
        std::strerror(errno));
  return listener;
}

QueueConnection accept_queue_call(int listener) {
  return QueueConnection(accept4(listener, nullptr, nullptr, SOCK_CLOEXEC));
}

}  // namespace aclvk::runtime
