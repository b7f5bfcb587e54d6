#pragma once

#include <sys/types.h>

#include <cstdint>

namespace aclvk::runtime {

// The id of a queue is the same in every process: the pid of the owner in the upper 22 bits (Linux limits pids to 22
// bits), and a number from 1 on in the lower 10.

constexpr std::uint32_t kQueueNumberBits = 10;
constexpr std::uint32_t kMaxQueues = (1U << kQueueNumberBits) - 1;

constexpr std::uint32_t queue_id(pid_t process, std::uint32_t number) {
  return static_cast<std::uint32_t>(process) << kQueueNumberBits | number;
}

constexpr pid_t process_of_queue(std::uint32_t id) { return static_cast<pid_t>(id >> kQueueNumberBits); }

}  // namespace aclvk::runtime
