#pragma once

#include <sys/types.h>

#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

// The socket of sharing.cpp: one packet there, one packet back, with a file. A process listens under a name made of its
// number, in no folder. Only processes of the same user are spoken to, and both sides give up on a silent one.

struct ShareRequest {
  SharedKind kind = SharedKind::kMemory;
  ShareKey key;
};

struct ShareAnswer {
  enum class Result : std::uint32_t { kUnknown = 1, kNotAllowed, kGiven };
  Result result = Result::kUnknown;
  ShareNote note{};
};

/// Throws kResourceAllocation.
File listen_for(pid_t process);

struct Caller {
  File connection;  ///< not open when the caller belongs to another user
  pid_t process = 0;
};
/// Blocks until somebody calls.
Caller accept_caller(const File& listener);

/// Not open when no process of this user with that number listens.
File call_process(pid_t process);

bool send_request(const File& connection, const ShareRequest& request);
bool receive_request(const File& connection, ShareRequest& request);
void send_answer(const File& connection, const ShareAnswer& answer, int file);
bool receive_answer(const File& connection, ShareAnswer& answer, File& file);

}  // namespace aclvk::runtime
