#pragma once

#include <sys/types.h>

#include <chrono>

#include "base/file.hpp"

namespace aclvk::runtime {

// Sockets by which the processes of one user reach each other. A process listens under a name that is made of a word
// and its number and lies in no folder, so that it ends with the process.

struct LocalService {
  const char* word;
  int type;                          ///< SOCK_STREAM or SOCK_SEQPACKET
  std::chrono::seconds patience{0};  ///< after which both sides give up on a silent one; 0 is never
};

/// The socket on which this process listens. Throws kResourceAllocation.
File listen_locally(const LocalService& service);

struct LocalCaller {
  File connection;  ///< not open when the caller belongs to another user, or this process may not open more files
  pid_t process = 0;
};
/// Blocks until somebody calls.
LocalCaller accept_local(const LocalService& service, const File& listener);

/// Not open when no process of this user with that number listens.
File call_locally(const LocalService& service, pid_t process);

}  // namespace aclvk::runtime
