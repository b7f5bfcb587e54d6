#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

/// The private part of a message buffer, which travels with it.
constexpr std::size_t kUserBytes = 96;

/// The bytes that one or several message buffers refer to: zeroed host memory.
class MessageData {
 public:
  /// Throws std::bad_alloc.
  explicit MessageData(std::size_t bytes);
  ~MessageData();
  MessageData(const MessageData&) = delete;
  MessageData& operator=(const MessageData&) = delete;

  std::byte* bytes() const { return bytes_; }
  std::size_t capacity() const { return capacity_; }

 private:
  std::byte* bytes_;
  std::size_t capacity_;
};

/// An acltdtBuf, also called aclrtMbuf: a reference to bytes, how many of them are used, and a private part. Buffers
/// form chains: the head owns those that follow it.
struct MessageBuffer {
  std::shared_ptr<MessageData> data;
  std::size_t length = 0;
  std::array<std::byte, kUserBytes> user{};
  void* handle = nullptr;                                 ///< null while it is in a queue
  bool is_follower = false;                               ///< belongs to the chain of another one
  std::vector<std::shared_ptr<MessageBuffer>> followers;  ///< of a head
};

/// What travels through a queue: the head of a chain. No program has a handle of it.
using Message = std::shared_ptr<MessageBuffer>;

using MessageBufferHandles = HandleTable<MessageBuffer, HandleTag::kMessageBuffer>;

// What programs do with their buffers. `handle` is a public pointer; kInvalidParam for one that is not live. Any thread
// may call these on any buffer; the data itself is the program's to guard.

void* allocate_message_buffer(std::size_t bytes);
/// Frees a buffer with all that follow it; not one that follows another.
void free_message_buffer(const void* handle);

struct MessageSpan {
  std::byte* data = nullptr;
  std::size_t capacity = 0;
};
MessageSpan message_span(const void* handle);
void set_message_length(const void* handle, std::size_t length);
std::size_t message_length(const void* handle);

/// Puts the chain of `handle` to the end of the chain of `head`.
void append_message(const void* head, const void* handle);
/// Buffers of a chain, the head included.
std::size_t chain_length(const void* head);
void* chain_member(const void* head, std::size_t index);

void read_user_part(const void* handle, void* dst, std::size_t bytes, std::size_t offset);
void write_user_part(const void* handle, const void* src, std::size_t bytes, std::size_t offset);

/// A second chain of the same length that refers to the same data. Lengths and private parts are its own.
void* copy_message_reference(const void* handle);

// For queues:

/// Throws kInvalidParam unless the program may give this buffer away.
void check_owned(const void* handle);
/// Takes a buffer and its chain from the program: their handles are stale from now on.
Message take_message(const void* handle);
/// What would be taken: references to the same data, with the lengths and private parts of now.
Message peek_message(const void* handle);
/// Gives a message to the program. Returns the handle of its head.
void* hand_over_message(const Message& message);
/// For another queue.
Message copy_of(const Message& message);
/// A message with data of its own, which is all used.
Message make_message(const void* data, std::size_t bytes, const void* user, std::size_t user_bytes);
/// The used bytes of the whole chain.
std::size_t total_length(const Message& message);

}  // namespace aclvk::runtime
