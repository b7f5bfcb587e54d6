#include "runtime/queue/message.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/error.hpp"
#include "base/mutex.hpp"
#include "base/process_state.hpp"
#include "runtime/memory/copy.hpp"

namespace aclvk::runtime {
namespace {

using MessagePtr = std::shared_ptr<MessageBuffer>;

// Not destroyed at exit: programs may free buffers from destructors of their statics.
MessageBufferHandles& handles() { return ProcessState<MessageBufferHandles, StateId::kMessageHandles>::get(); }

// Guards lengths, private parts and chains of the buffers that programs own. One mutex for all, since calls are short.
Mutex& mutex() { return ProcessState<Mutex, StateId::kMessageMutex>::get(); }

MessagePtr find(const void* handle) {
  MessagePtr buffer = handles().find(handle);
  check(buffer != nullptr, Code::kInvalidParam,
        "buf {} is not a live buffer: it has been freed, is in a queue, or was never one.", handle);
  return buffer;
}

MessagePtr find_head(const void* handle) REQUIRES(mutex()) {
  MessagePtr buffer = find(handle);
  check(!buffer->is_follower, Code::kInvalidParam,
        "buf {} belongs to the chain of another buffer; its head is expected.", handle);
  return buffer;
}

void check_user_span(std::size_t bytes, std::size_t offset) {
  check(bytes > 0 && offset <= kUserBytes && bytes <= kUserBytes - offset, Code::kInvalidParam,
        "{} bytes at offset {} are asked for; the private part of a buffer has {} bytes.", bytes, offset, kUserBytes);
}

void publish(const MessagePtr& buffer) { buffer->handle = handles().insert(buffer); }

void withdraw(MessageBuffer& buffer) {
  handles().remove(buffer.handle);
  buffer.handle = nullptr;
}

// A copy shares the bytes. It has a length and a private part of its own.
MessagePtr copy_one(const MessageBuffer& buffer) {
  auto copy = std::make_shared<MessageBuffer>();
  copy->data = buffer.data;
  copy->length = buffer.length;
  copy->user = buffer.user;
  copy->is_follower = buffer.is_follower;
  return copy;
}

}  // namespace

MessageData::MessageData(std::size_t bytes) : bytes_(static_cast<std::byte*>(std::calloc(1, bytes))), capacity_(bytes) {
  if (!bytes_) throw std::bad_alloc();
}

MessageData::~MessageData() { std::free(bytes_); }

void* allocate_message_buffer(std::size_t bytes) {
  check(bytes > 0, Code::kInvalidParam, "size is 0; a buffer has at least one byte.");
  auto buffer = std::make_shared<MessageBuffer>();
  buffer->data = std::make_shared<MessageData>(bytes);
  const LockGuard lock(mutex());
  return hand_over_message(buffer);
}

void free_message_buffer(const void* handle) { const Message freed = take_message(handle); }

MessageSpan message_span(const void* handle) {
  const MessagePtr buffer = find(handle);
  return {buffer->data->bytes(), buffer->data->capacity()};
}

void set_message_length(const void* handle, std::size_t length) {
  const MessagePtr buffer = find(handle);
  check(length <= buffer->data->capacity(), Code::kInvalidParam, "len is {}; the buffer has {} bytes.", length,
        buffer->data->capacity());
  const LockGuard lock(mutex());
  buffer->length = length;
}

std::size_t message_length(const void* handle) {
  const MessagePtr buffer = find(handle);
  const LockGuard lock(mutex());
  return buffer->length;
}

void append_message(const void* head, const void* handle) {
  const LockGuard lock(mutex());
  const MessagePtr first = find_head(head);
  const MessagePtr last = find_head(handle);
  check(first != last, Code::kInvalidParam, "buf {} cannot follow itself.", handle);
  last->is_follower = true;
  first->followers.push_back(last);
  first->followers.insert(first->followers.end(), last->followers.begin(), last->followers.end());
  last->followers.clear();
}

std::size_t chain_length(const void* head) {
  const LockGuard lock(mutex());
  return 1 + find_head(head)->followers.size();
}

void* chain_member(const void* head, std::size_t index) {
  const LockGuard lock(mutex());
  const MessagePtr first = find_head(head);
  const std::size_t length = 1 + first->followers.size();
  check(index < length, Code::kInvalidParam, "index is {}; the chain has {} buffers.", index, length);
  return index == 0 ? first->handle : first->followers[index - 1]->handle;
}

void read_user_part(const void* handle, void* dst, std::size_t bytes, std::size_t offset) {
  check_user_span(bytes, offset);
  const MessagePtr buffer = find(handle);
  const LockGuard lock(mutex());
  std::memcpy(dst, buffer->user.data() + offset, bytes);
}

void write_user_part(const void* handle, const void* src, std::size_t bytes, std::size_t offset) {
  check_user_span(bytes, offset);
  const MessagePtr buffer = find(handle);
  const LockGuard lock(mutex());
  std::memcpy(buffer->user.data() + offset, src, bytes);
}

void* copy_message_reference(const void* handle) {
  const LockGuard lock(mutex());
  return hand_over_message(copy_of(find_head(handle)));
}

void check_owned(const void* handle) {
  const LockGuard lock(mutex());
  find_head(handle);
}

// The handles of a message in a queue are stale, so that a sender that continues to write is detected (docs/adr/0019).
Message take_message(const void* handle) {
  const LockGuard lock(mutex());
  MessagePtr head = find_head(handle);
  withdraw(*head);
  for (const MessagePtr& follower : head->followers) withdraw(*follower);
  return head;
}

Message peek_message(const void* handle) {
  const LockGuard lock(mutex());
  return copy_of(find_head(handle));
}

void* hand_over_message(const Message& message) {
  publish(message);
  for (const MessagePtr& follower : message->followers) publish(follower);
  return message->handle;
}

Message copy_of(const Message& message) {
  MessagePtr head = copy_one(*message);
  for (const MessagePtr& follower : message->followers) head->followers.push_back(copy_one(*follower));
  return head;
}

Message make_message(const void* data, std::size_t bytes, const void* user, std::size_t user_bytes) {
  auto message = std::make_shared<MessageBuffer>();
  message->data = std::make_shared<MessageData>(bytes);
  message->length = bytes;
  copy_now(message->data->bytes(), data, bytes);
  if (user_bytes > 0) std::memcpy(message->user.data(), user, user_bytes);
  return message;
}

std::size_t total_length(const Message& message) {
  std::size_t total = message->length;
  for (const MessagePtr& follower : message->followers) total += follower->length;
  return total;
}

}  // namespace aclvk::runtime
