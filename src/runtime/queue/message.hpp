#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"

namespace aclvk::runtime {

/// Size of the private part of a message buffer, which is sent with it.
constexpr std::size_t kUserBytes = 96;

/// Zeroed host memory, shared by the message buffers that refer to it.
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

/// An acltdtBuf, also called aclrtMbuf: a reference to data, the number of used bytes, and a private part. Buffers form
/// chains; the head owns its followers.
struct MessageBuffer {
  std::shared_ptr<MessageData> data;
  std::size_t length = 0;
  std::array<std::byte, kUserBytes> user{};
  void* handle = nullptr;                                 ///< null while the buffer is in a queue
  bool is_follower = false;                               ///< true in the chain of another buffer
  std::vector<std::shared_ptr<MessageBuffer>> followers;  ///< empty unless it is a head
};

/// The head of a chain that is in a queue, without handles.
using Message = std::shared_ptr<MessageBuffer>;

using MessageBufferHandles = HandleTable<MessageBuffer, HandleTag::kMessageBuffer>;

// Functions of programs on their buffers, by public handles. Throw kInvalidParam for a handle that is not live. Thread
// safe, except that programs synchronise access to the data.

void* allocate_message_buffer(std::size_t bytes);
/// Frees a buffer and its followers. Throws for a follower.
void free_message_buffer(const void* handle);

struct MessageSpan {
  std::byte* data = nullptr;
  std::size_t capacity = 0;
};
MessageSpan message_span(const void* handle);
void set_message_length(const void* handle, std::size_t length);
std::size_t message_length(const void* handle);

/// Appends the chain of `handle` to the chain of `head`.
void append_message(const void* head, const void* handle);
/// Returns the number of buffers of a chain, the head included.
std::size_t chain_length(const void* head);
void* chain_member(const void* head, std::size_t index);

void read_user_part(const void* handle, void* dst, std::size_t bytes, std::size_t offset);
void write_user_part(const void* handle, const void* src, std::size_t bytes, std::size_t offset);

/// Makes a second chain that refers to the same data. It has copies of the lengths and private parts.
void* copy_message_reference(const void* handle);

// Functions of queues.

/// Throws kInvalidParam unless the handle is the head of a chain, so that it can be put into a queue.
void check_owned(const void* handle);
/// Takes a chain from the program. Its handles become stale.
Message take_message(const void* handle);
/// Returns a copy of the chain that take_message() would take, with references to the same data.
Message peek_message(const void* handle);
/// Makes handles for a message, which the program owns from now on. Returns the handle of its head.
void* hand_over_message(const Message& message);
/// Returns a chain with references to the same data, for another queue.
Message copy_of(const Message& message);
/// Makes a message with a copy of `data`.
Message make_message(const void* data, std::size_t bytes, const void* user, std::size_t user_bytes);
/// Returns the number of used bytes of the whole chain.
std::size_t total_length(const Message& message);

}  // namespace aclvk::runtime
