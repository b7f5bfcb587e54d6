#pragma once

#include <cstdint>

namespace aclvk::vk {

/// Returns the size of the machine's memory, or the limit of this process's control group when that is lower.
std::uint64_t host_memory_bytes();

}  // namespace aclvk::vk
