#pragma once

#include <sys/socket.h>

#include "runtime/share/local_socket.hpp"
#include "runtime/share/sharing.hpp"

namespace aclvk::runtime {

// The protocol of sharing.cpp: one request packet, and one answer packet with a file descriptor (SCM_RIGHTS).

struct ShareRequest {
  SharedKind kind = SharedKind::kMemory;
  ShareKey key;
};

struct ShareAnswer {
  enum class Result : std::uint32_t { kUnknown = 1, kNotAllowed, kGiven };
  Result result = Result::kUnknown;
  ShareMetadata metadata{};
};

inline constexpr LocalService kShareService{"share", SOCK_SEQPACKET, std::chrono::seconds(5)};

// Blocking transfers. Return false when the peer has disconnected or does not answer within the timeout.

bool send_request(const File& connection, const ShareRequest& request);
bool receive_request(const File& connection, ShareRequest& request);
/// Attaches the descriptor `file` unless it is negative. Ignores errors, and does not block.
void send_answer(const File& connection, const ShareAnswer& answer, int file);
bool receive_answer(const File& connection, ShareAnswer& answer, File& file);

}  // namespace aclvk::runtime
