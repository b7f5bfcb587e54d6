#pragma once

#include <sys/types.h>

#include <cerrno>
#include <chrono>

#include "base/file.hpp"

namespace aclvk::runtime {

// Unix sockets between processes of one user. Their names are made of a word and the pid, in Linux's abstract
// namespace, so that no file remains after the process.

struct LocalService {
  const char* word;
  int type;                         ///< SOCK_STREAM or SOCK_SEQPACKET
  std::chrono::seconds timeout{0};  ///< of each call on a connection; 0 means none
  bool until_peer_exits = false;    ///< true: a call that times out is repeated while the peer's process lives
};

/// Repeats a call on a connection that a signal has interrupted: on sockets with a timeout Linux ignores SA_RESTART
/// (signal(7)). Signals do not prolong the timeout: after it the call fails with EINTR.
template <typename Call>
auto retry_interrupted(const LocalService& service, Call&& call) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point end = Clock::now() + service.timeout;
  while (true) {
    const auto result = call();
    const bool again = result < 0 && errno == EINTR;
    if (!again || (service.timeout.count() > 0 && Clock::now() >= end)) return result;
  }
}

/// Returns a listening socket of this process. Throws kResourceAllocation.
File listen_local(const LocalService& service);

/// A connection, and the process at its other end.
struct LocalPeer {
  File connection;  ///< not open when the peer belongs to another user, or this process has too many open files
  pid_t process = 0;
};
/// Blocks until a process connects.
LocalPeer accept_local(const LocalService& service, const File& listener);

/// Connects to a process. The result is not open when no process of this user listens under that pid.
File connect_local(const LocalService& service, pid_t process);

}  // namespace aclvk::runtime
