#include "runtime/share/local_socket.hpp"

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <thread>

#include "base/error.hpp"
#include "runtime/host/process.hpp"

namespace aclvk::runtime {
namespace {

/// A socket name in the abstract namespace (unix(7)).
struct Name {
  Name(const LocalService& service, pid_t process) {
    const std::string text = fmt::format("aclvk-{}-{}", service.word, process);
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path + 1, text.data(), text.size());
    size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + text.size());
  }
  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&address); }

  sockaddr_un address{};
  socklen_t size = 0;
};

File new_socket(const LocalService& service) { return File(socket(AF_UNIX, service.type | SOCK_CLOEXEC, 0)); }

void set_timeouts(const LocalService& service, const File& connection) {
  const timeval timeout{service.timeout.count(), 0};
  setsockopt(connection.fd(), SOL_SOCKET, SO_RCVTIMEO, &timeout, sizeof(timeout));
  setsockopt(connection.fd(), SOL_SOCKET, SO_SNDTIMEO, &timeout, sizeof(timeout));
}

// connect() fails with EAGAIN when the listener's backlog is full for the timeout, and with EISCONN when it is repeated
// after an interrupted call that has succeeded.
bool connects(const LocalService& service, const File& connection, pid_t process) {
  const Name name(service, process);
  const auto call = [&] {
    const int result = connect(connection.fd(), name.get(), name.size);
    return result != 0 && errno == EISCONN ? 0 : result;
  };
  while (retry_interrupted(service, call) != 0) {
    const bool silent = errno == EAGAIN || errno == EINTR;
    if (!silent || !service.until_peer_exits || has_ended(process)) return false;
  }
  return true;
}

/// Returns the pid at the other end; 0 for a process of another user.
pid_t peer_process(const File& connection) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const bool known = getsockopt(connection.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return known && peer.uid == geteuid() ? peer.pid : 0;
}

}  // namespace

File listen_local(const LocalService& service) {
  File listener = new_socket(service);
  const Name name(service, getpid());
  const bool listens =
      listener.open() && bind(listener.fd(), name.get(), name.size) == 0 && listen(listener.fd(), SOMAXCONN) == 0;
  check(listens, Code::kResourceAllocation, "Other processes cannot reach this one for {}: {}.", service.word,
        std::strerror(errno));
  return listener;
}

LocalPeer accept_local(const LocalService& service, const File& listener) {
  LocalPeer peer;
  peer.connection = File(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!peer.connection.open()) {
    // Most likely the process has too many open files. The peer waits or times out.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return peer;
  }
  set_timeouts(service, peer.connection);
  peer.process = peer_process(peer.connection);
  if (peer.process == 0) peer.connection = File();
  return peer;
}

File connect_local(const LocalService& service, pid_t process) {
  File connection = new_socket(service);
  if (!connection.open()) return {};
  set_timeouts(service, connection);
  if (!connects(service, connection, process)) return {};
  return peer_process(connection) == process ? std::move(connection) : File();
}

}  // namespace aclvk::runtime
