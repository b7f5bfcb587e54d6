#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>

#include "runtime/queue/message.hpp"
#include "runtime/queue/route.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

// The queues of this process, by their ids. Thread safe. Functions throw kInvalidQueueId for an unknown id, also when
// the queue is destroyed while a call waits; kQueueFull and kQueueEmpty after the timeout.

std::uint32_t create_local_queue(const QueueAttributes& attributes);
void destroy_local_queue(std::uint32_t id);
void check_local_queue(std::uint32_t id);

/// Waits for room and appends the message that `make` returns. `make` may throw; then nothing changes.
void put_local(std::uint32_t id, WaitTimeout timeout, const std::function<Message()>& make);
/// Waits for a message and takes the first one, unless `inspect` throws.
Message take_local(std::uint32_t id, WaitTimeout timeout, const std::function<void(const Message&)>& inspect);
/// Puts a message that was taken back to the front. Drops it when the queue has been destroyed.
void put_back(std::uint32_t id, const Message& message);

/// Adds rights of another process.
void grant_local(std::uint32_t id, pid_t process, std::uint32_t permissions);
/// Returns the rights of a process. Waits for the first grant. Returns 0 after the timeout.
std::uint32_t permissions_of(std::uint32_t id, pid_t process, WaitTimeout timeout);

/// Binds all routes, or none when one cannot be bound.
void bind_local(const std::vector<Route>& routes);
void unbind_local(const std::vector<Route>& routes);
std::vector<Route> find_bound(const RouteQuery& query);

}  // namespace aclvk::runtime
