#pragma once

#include <cstddef>
#include <cstdint>

#include "runtime/queue/message.hpp"
#include "runtime/queue/patience.hpp"

namespace aclvk::runtime {

// Queues of other processes. They answer as those of the own process do; besides kInvalidQueueId when the owner cannot
// be reached, and kNoPermission without the right.

/// Waits for rights, also for an owner that has not begun to grant any. Returns them.
std::uint32_t attach_remote(std::uint32_t id, Patience patience);
void destroy_remote(std::uint32_t id);
void put_remote(std::uint32_t id, const Message& message, Patience patience);
/// A message of at most so many used bytes. Another one stays, kInvalidParam is thrown, and its size is stored.
Message take_remote(std::uint32_t id, std::size_t capacity, std::size_t* size, Patience patience);

}  // namespace aclvk::runtime
