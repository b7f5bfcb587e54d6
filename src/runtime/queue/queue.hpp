#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/queue/message.hpp"
#include "runtime/queue/route.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

// Queues of messages on the host, known by their ids, which hold in every process of the user. The process that made a
// queue may do everything with it; others as far as it has granted them rights. Any thread may call anything.
// kInvalidQueueId for an id that no queue has, also when the queue is destroyed while a call waits; kNoPermission
// without the right.

std::uint32_t create_queue(const QueueAttributes& attributes);
/// What is in the queue is freed, its routes end, and who waits for it is woken.
void destroy_queue(std::uint32_t id);

/// Takes the buffer from the program as soon as the queue has room. kQueueFull when the time is over; then the program
/// still has it.
void enqueue(std::uint32_t id, const void* buffer, WaitTimeout timeout);
/// kQueueEmpty when the time is over.
void* dequeue(std::uint32_t id, WaitTimeout timeout);

/// The same with a copy of the program's bytes, which may be in device memory.
void enqueue_data(std::uint32_t id, const void* data, std::size_t bytes, const void* user, std::size_t user_bytes,
                  WaitTimeout timeout);
struct ReceivedData {
  void* data = nullptr;
  std::size_t capacity = 0;
  std::size_t* length = nullptr;  ///< set also when the message does not fit
  void* user = nullptr;
  std::size_t user_bytes = 0;
};
/// The used bytes of a whole chain, one buffer behind the other. kInvalidParam when they do not fit; then the message
/// stays where it is.
void dequeue_data(std::uint32_t id, const ReceivedData& to, WaitTimeout timeout);

/// Bits of ACL_TDT_QUEUE_PERMISSION_*.
constexpr std::uint32_t kManagePermission = 1;
constexpr std::uint32_t kDequeuePermission = 2;
constexpr std::uint32_t kEnqueuePermission = 4;
constexpr std::uint32_t kAllPermissions = 7;
/// Adds rights of a process on a queue of this one.
void grant(std::uint32_t id, std::int32_t process, std::uint32_t permissions);
/// The rights of this process; waits until it has some.
std::uint32_t attach(std::uint32_t id, WaitTimeout timeout);

// Routes. What comes into the source of a route moves on to its target at once; with several routes each target gets a
// reference. While one of the targets is full it stays in the source.

/// All or, when one cannot be bound, none: kInvalidQueueId also for a queue of another process,
/// kInvalidParam for a circle. Bound ones stay so.
void bind_routes(RouteList& list);
void unbind_routes(RouteList& list);
/// Replaces what is in the list.
void query_routes(const RouteQuery& query, RouteList& list);
/// The modes of a query: ACL_TDT_QUEUE_ROUTE_QUERY_*.
void check_query_mode(int mode);

}  // namespace aclvk::runtime
