#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "runtime/queue/message.hpp"
#include "runtime/queue/route.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

// The queues of this process, by their ids. Any thread may call anything. kInvalidQueueId for an id that no queue here
// has, also when the queue is destroyed while a call waits; kQueueFull and kQueueEmpty when the time is over.

std::uint32_t create_local_queue(const QueueAttributes& attributes);
void destroy_local_queue(std::uint32_t id);
void check_local_queue(std::uint32_t id);

/// Puts what `give` returns into the queue as soon as it has room. `give` may throw; then nothing changes.
void put_local(std::uint32_t id, WaitTimeout timeout, const std::function<Message()>& make);
/// Takes the first message, unless `look` throws.
Message take_local(std::uint32_t id, WaitTimeout timeout, const std::function<void(const Message&)>& inspect);
/// Gives back a message that was taken; it is the first again. Dropped when the queue is gone.
void put_back(std::uint32_t id, const Message& message);

/// Adds rights of another process.
void grant_local(std::uint32_t id, pid_t process, std::uint32_t permissions);
/// What a process has been granted; waits for the first rights. 0 when the time is over.
std::uint32_t permissions_of(std::uint32_t id, pid_t process, WaitTimeout timeout);

/// All or, when one cannot be bound, none.
void bind_local(const std::vector<Route>& routes);
void unbind_local(const std::vector<Route>& routes);
std::vector<Route> find_bound(const RouteQuery& query);

}  // namespace aclvk::runtime
