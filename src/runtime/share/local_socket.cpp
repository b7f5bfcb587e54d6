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
#include "runtime/share/process.hpp"

namespace aclvk::runtime {
namespace {

/// A name in the abstract namespace.
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

void limit_patience(const LocalService& service, const File& connection) {
  const timeval patience{service.patience.count(), 0};
  setsockopt(connection.fd(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
  setsockopt(connection.fd(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof(patience));
}

bool connects(const LocalService& service, const File& connection, pid_t process) {
  const Name name(service, process);
  const auto call = [&] {
    const int result = connect(connection.fd(), name.get(), name.size);
    return result != 0 && errno == EISCONN ? 0 : result;
  };
  while (make_call(service, call) != 0) {
    const bool silent = errno == EAGAIN || errno == EINTR;
    if (!silent || !service.to_the_end || has_ended(process)) return false;
  }
  return true;
}

/// The process at the other end; 0 for one of another user.
pid_t peer_of(const File& connection) {
  ucred peer{};
  socklen_t size = sizeof(peer);
  const bool known = getsockopt(connection.fd(), SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  return known && peer.uid == geteuid() ? peer.pid : 0;
}

}  // namespace

File listen_locally(const LocalService& service) {
  File listener = new_socket(service);
  const Name name(service, getpid());
  const bool listens =
      listener.open() && bind(listener.fd(), name.get(), name.size) == 0 && listen(listener.fd(), SOMAXCONN) == 0;
  check(listens, Code::kResourceAllocation, "Other processes cannot reach this one for {}: {}.", service.word,
        std::strerror(errno));
  return listener;
}

LocalCaller accept_local(const LocalService& service, const File& listener) {
  LocalCaller caller;
  caller.connection = File(accept4(listener.fd(), nullptr, nullptr, SOCK_CLOEXEC));
  if (!caller.connection.open()) {
    // Out of files, most likely: whoever calls waits or gives up.
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    return caller;
  }
  limit_patience(service, caller.connection);
  caller.process = peer_of(caller.connection);
  if (caller.process == 0) caller.connection = File();
  return caller;
}

File call_locally(const LocalService& service, pid_t process) {
  File connection = new_socket(service);
  if (!connection.open()) return {};
  limit_patience(service, connection);
  if (!connects(service, connection, process)) return {};
  return peer_of(connection) == process ? std::move(connection) : File();
}

}  // namespace aclvk::runtime
