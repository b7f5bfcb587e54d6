#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/queue/message.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

// Queues of other processes. Functions throw as those of local_queue.hpp do, kInvalidQueueId when the owner cannot be
// reached, and kNoPermission without the right.

/// Waits for rights, also for an owner that does not listen yet because it has granted none. Returns them.
std::uint32_t attach_remote(std::uint32_t id, WaitTimeout timeout);
void destroy_remote(std::uint32_t id);
void put_remote(std::uint32_t id, const Message& message, WaitTimeout timeout);
/// Takes the first message if it has at most `capacity` used bytes. Otherwise throws kInvalidParam. Stores the size in
/// both cases.
Message take_remote(std::uint32_t id, std::size_t capacity, std::size_t* size, WaitTimeout timeout);

}  // namespace aclvk::runtime
