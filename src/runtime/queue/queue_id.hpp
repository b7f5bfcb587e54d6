#pragma once

#include <sys/types.h>

#include <cstdint>

namespace aclvk::runtime {

// The id of a queue says in which process it lives: the process in the upper 22 bits, a number from 1 on in the lower
// ten. So it means the same queue in every process.

constexpr std::uint32_t kQueueNumberBits = 10;
constexpr std::uint32_t kMaxQueues = (1U << kQueueNumberBits) - 1;

constexpr std::uint32_t queue_id(pid_t process, std::uint32_t number) {
  return static_cast<std::uint32_t>(process) << kQueueNumberBits | number;
}

constexpr pid_t process_of_queue(std::uint32_t id) { return static_cast<pid_t>(id >> kQueueNumberBits); }

}  // namespace aclvk::runtime
