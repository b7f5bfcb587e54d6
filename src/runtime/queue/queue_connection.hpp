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

// How processes reach each other's queues: the owner listens, and each call of another process is one connection.

inline constexpr LocalService kQueueService{"queues", SOCK_STREAM, std::chrono::seconds(1), true};

/// What another process wants to do with a queue.
struct QueueRequest {
  enum class Operation : std::uint32_t { kAttach = 1, kPut, kTake, kDestroy };

  Operation operation = Operation::kAttach;
  std::uint32_t queue = 0;
  std::int32_t milliseconds = 0;  ///< how long it waits
  std::uint64_t capacity = 0;     ///< bytes that it takes at most
};

/// A code with its sentence, or success with a number. A message follows when one was to be taken.
struct QueueAnswer {
  std::int32_t code = 0;
  std::uint64_t number = 0;
  std::array<char, 512> sentence{};
};

/// One end of a connection. Sending to somebody who has gone, and receiving from him, throws kRuntimeInternal. A
/// process that has ended has gone, also when one that it has forked keeps its end open.
class QueueConnection {
 public:
  explicit QueueConnection(LocalCaller other) : other_(std::move(other)) {}

  bool open() const { return other_.connection.open(); }
  /// The process at the other end.
  pid_t peer() const { return other_.process; }
  /// False once the other end has hung up or its process has ended.
  bool alive() const;
  /// From then on one that is silent is given up with the code: it lives, but may have been stopped.
  void give_up_at(std::chrono::steady_clock::time_point end, Code code) { limit_ = {end, code}; }

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
  /// The used bytes and private parts of a chain. The receiver gets buffers of the same capacities.
  void send_message(const Message& message);
  Message receive_message();

 private:
  template <typename Call>
  std::size_t transfer(Call&& call);
  void send_bytes(const void* bytes, std::size_t size);
  void receive_bytes(void* bytes, std::size_t size);
  void send_buffer(const MessageBuffer& buffer);
  Message receive_buffer();

  int socket() const { return other_.connection.fd(); }

  struct Limit {
    std::chrono::steady_clock::time_point end;
    Code code;
  };

  [[noreturn]] void fail_silent() const;

  LocalCaller other_;
  std::optional<Limit> limit_;
};

}  // namespace aclvk::runtime
