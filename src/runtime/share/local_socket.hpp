#pragma once

#include <sys/types.h>

#include <cerrno>
#include <chrono>

#include "base/file.hpp"

namespace aclvk::runtime {

// Sockets by which the processes of one user reach each other. A process listens under a name that is made of a word
// and its number and lies in no folder, so that it ends with the process.

struct LocalService {
  const char* word;
  int type;                         ///< SOCK_STREAM or SOCK_SEQPACKET
  std::chrono::seconds timeout{0};  ///< after which both sides give up on a silent one; 0 is never
  bool until_peer_exits = false;    ///< they only look whether its process has ended, and go on while it lives
};

/// Makes a call on a connection again when a signal has interrupted it, which happens with a limited timeout whatever
/// the handler asks for. Signals do not prolong the timeout: what is over by then fails with EINTR.
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

/// The socket on which this process listens. Throws kResourceAllocation.
File listen_local(const LocalService& service);

struct LocalPeer {
  File connection;  ///< not open when the caller belongs to another user, or this process may not open more files
  pid_t process = 0;
};
/// Blocks until somebody calls.
LocalPeer accept_local(const LocalService& service, const File& listener);

/// Not open when no process of this user with that number listens.
File connect_local(const LocalService& service, pid_t process);

}  // namespace aclvk::runtime
