#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/queue/message.hpp"
#include "runtime/queue/route.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

// Queues of messages on the host (acltdtQueue*). Their ids are valid in all processes of the user. The process that
// made a queue has all rights on it; other processes have those that it grants. Thread safe. Functions throw
// kInvalidQueueId for an unknown id, also when the queue is destroyed while a call waits; kNoPermission without the
// right.

std::uint32_t create_queue(const QueueAttributes& attributes);
/// Frees the messages of the queue, removes its routes and wakes waiting threads.
void destroy_queue(std::uint32_t id);

/// Waits for room, then takes the buffer from the program. Throws kQueueFull after the timeout; the program then still
/// owns the buffer.
void enqueue(std::uint32_t id, const void* buffer, WaitTimeout timeout);
/// Returns the handle of the first message. Throws kQueueEmpty after the timeout.
void* dequeue(std::uint32_t id, WaitTimeout timeout);

/// Enqueues a copy of the program's bytes, which may be in device memory.
void enqueue_data(std::uint32_t id, const void* data, std::size_t bytes, const void* user, std::size_t user_bytes,
                  WaitTimeout timeout);
/// The memory that dequeue_data() writes to.
struct ReceivedData {
  void* data = nullptr;
  std::size_t capacity = 0;
  std::size_t* length = nullptr;  ///< receives the size, also of a message that does not fit
  void* user = nullptr;
  std::size_t user_bytes = 0;
};
/// Dequeues the used bytes of a chain, concatenated. Throws kInvalidParam when they do not fit; the message then stays
/// in the queue.
void dequeue_data(std::uint32_t id, const ReceivedData& to, WaitTimeout timeout);

/// Bits of ACL_TDT_QUEUE_PERMISSION_*.
constexpr std::uint32_t kManagePermission = 1;
constexpr std::uint32_t kDequeuePermission = 2;
constexpr std::uint32_t kEnqueuePermission = 4;
constexpr std::uint32_t kAllPermissions = 7;
/// Adds rights of a process on a queue of this process.
void grant(std::uint32_t id, std::int32_t process, std::uint32_t permissions);
/// Returns the rights of this process. Waits for the first grant.
std::uint32_t attach(std::uint32_t id, WaitTimeout timeout);

// Routes. A message in the source of routes moves to all their targets, as references to the same data. It stays in the
// source while one of the targets is full.

/// Binds all routes, or none when one cannot be bound. Throws kInvalidQueueId for an unknown queue or one of another
/// process, kInvalidParam for a cycle. Routes that are bound already stay bound.
void bind_routes(RouteList& list);
void unbind_routes(RouteList& list);
/// Replaces the routes of the list by those that the query finds.
void query_routes(const RouteQuery& query, RouteList& list);
/// Throws kInvalidParam for a mode that is no ACL_TDT_QUEUE_ROUTE_QUERY_*.
void check_query_mode(int mode);

}  // namespace aclvk::runtime
