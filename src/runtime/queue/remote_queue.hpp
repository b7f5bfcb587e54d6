#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/queue/message.hpp"
#include "runtime/queue/wait_timeout.hpp"

namespace aclvk::runtime {

// Queues of other processes. They answer as those of the own process do; besides kInvalidQueueId when the owner cannot
// be reached, and kNoPermission without the right.

/// Waits for rights, also for an owner that has not begun to grant any. Returns them.
std::uint32_t attach_remote(std::uint32_t id, WaitTimeout timeout);
void destroy_remote(std::uint32_t id);
void put_remote(std::uint32_t id, const Message& message, WaitTimeout timeout);
/// A message of at most so many used bytes. Another one stays, kInvalidParam is thrown, and its size is stored.
Message take_remote(std::uint32_t id, std::size_t capacity, std::size_t* size, WaitTimeout timeout);

}  // namespace aclvk::runtime
