#pragma once

#include <sys/socket.h>
#include <sys/types.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "runtime/queue/message.hpp"
#include "runtime/share/local_socket.hpp"

namespace aclvk::runtime {

// The protocol for queues of other processes: the owner listens on a Unix socket, and each call is one connection.

inline constexpr LocalService kQueueService{"queues", SOCK_STREAM, std::chrono::seconds(1), true};

/// A call of another process on a queue.
struct QueueRequest {
  enum class Operation : std::uint32_t { kAttach = 1, kPut, kTake, kDestroy };

  Operation operation = Operation::kAttach;
  std::uint32_t queue = 0;
  std::int32_t milliseconds = 0;  ///< timeout; -1 for none
  std::uint64_t capacity = 0;     ///< largest message to take, in bytes
};

/// The result of a call: an error code with its sentence, or 0 with a number. The message follows after a successful
/// kTake.
struct QueueAnswer {
  std::int32_t code = 0;
  std::uint64_t number = 0;
  std::array<char, 512> sentence{};
};

/// One end of a connection. Sending and receiving throw kRuntimeInternal when the peer has disconnected or its process
/// has ended. The process is checked separately, because its forked children may keep the socket open.
class QueueConnection {
 public:
  explicit QueueConnection(LocalPeer peer) : peer_(std::move(peer)) {}

  bool open() const { return peer_.connection.open(); }
  /// Returns the process at the other end.
  pid_t peer() const { return peer_.process; }
  /// Returns false once the peer has disconnected or its process has ended.
  bool alive() const;
  /// Makes sends and receives that block after `end` throw `code`, for a peer that lives but has been stopped.
  void set_deadline(std::chrono::steady_clock::time_point end, Code code) { deadline_ = {end, code}; }

  template <typename Packet>
  void send(const Packet& packet) {
    send_bytes(&packet, sizeof(packet));
  }
  template <typename Packet>
  Packet receive() {
    Packet packet{};
    receive_bytes(&packet, sizeof(packet));
    return packet;
  }
  /// Sends the used bytes and private parts of a chain. The receiver gets buffers of the same capacities.
  void send_message(const Message& message);
  Message receive_message();

 private:
  template <typename Call>
  std::size_t transfer(Call&& call);
  void send_bytes(const void* bytes, std::size_t size);
  void receive_bytes(void* bytes, std::size_t size);
  void send_buffer(const MessageBuffer& buffer);
  Message receive_buffer();

  int socket() const { return peer_.connection.fd(); }

  struct Deadline {
    std::chrono::steady_clock::time_point end;
    Code code;
  };

  [[noreturn]] void fail_timeout() const;

  LocalPeer peer_;
  std::optional<Deadline> deadline_;
};

}  // namespace aclvk::runtime
