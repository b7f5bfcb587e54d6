#include "runtime/share/share_socket.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <type_traits>

#include "base/error.hpp"

namespace aclvk::runtime {
namespace {

static_assert(std::is_trivially_copyable_v<ShareRequest> && std::is_trivially_copyable_v<ShareAnswer>);

constexpr timeval kPatience{5, 0};

/// A name in the abstract namespace, which ends with its process.
struct Name {
  explicit Name(pid_t process) {
    const std::string text = fmt::format("aclvk-share-{}", process);
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, text.data(), text.size());
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t size = 0;
};

File new_socket() { return File(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0)); }

void limit_patience(const File& connection) {
  setsockopt(connection.number(), SOL_SOCKET, SO_RCVTIMEO, &kPatience, sizeof(kPatience));
  setsockopt(connection.number(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof(kPatience));
}

/// The process at the other end; 0 for one of another user.
pid_t peer_of(const File& connection) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const bool known = getsockopt(connection.number(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return known && peer.uid == geteuid() ? peer.pid : 0;
}

}  // namespace

File listen_for(pid_t process) {
  File listener = new_socket();
  const Name name(process);
  const bool listens = listener.open() && bind(listener.number(), name.get(), name.size) == 0 &&
                       listen(listener.number(), SOMAXCONN) == 0;
  check(listens, Code::kResourceAllocation, "This process cannot be reached by others: {}.", std::strerror(errno));
  return listener;
}

Caller accept_caller(const File& listener) {
  Caller caller;
  caller.connection = File(accept4(listener.number(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!caller.connection.open()) {
    // Out of files, most likely: whoever calls waits or gives up.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return caller;
  }
  limit_patience(caller.connection);
  caller.process = peer_of(caller.connection);
  if (caller.process == 0) caller.connection = File();
  return caller;
}

File call_process(pid_t process) {
  File connection = new_socket();
  const Name name(process);
  if (!connection.open()) return {};
  limit_patience(connection);
  if (connect(connection.number(), name.get(), name.size) != 0) return {};
  return peer_of(connection) == process ? std::move(connection) : File();
}

bool send_request(const File& connection, const ShareRequest& request) {
  return send(connection.number(), &request, sizeof(request), MSG_NOSIGNAL) == sizeof(request);
}

bool receive_request(const File& connection, ShareRequest& request) {
  return recv(connection.number(), &request, sizeof(request), 0) == sizeof(request);
}

void send_answer(const File& connection, const ShareAnswer& answer, int file) {
  ShareAnswer packet = answer;
  iovec data{&packet, sizeof(packet)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  if (file >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof(control);
    cmsghdr* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    std::memcpy(CMSG_DATA(header), &file, sizeof(file));
  }
  sendmsg(connection.number(), &message, MSG_NOSIGNAL);  // a caller that has gone needs no answer
}

bool receive_answer(const File& connection, ShareAnswer& answer, File& file) {
  iovec data{&answer, sizeof(answer)};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = control;
  message.msg_controllen = sizeof(control);
  const ssize_t size = recvmsg(connection.number(), &message, MSG_CMSG_CLOEXEC);
  const cmsghdr* header = CMSG_FIRSTHDR(&message);
  if (header && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS) {
    int number = -1;
    std::memcpy(&number, CMSG_DATA(header), sizeof(number));
    file = File(number);
  }
  return size == sizeof(answer);
}

}  // namespace aclvk::runtime
