#pragma once

#include <cstdint>

namespace aclvk::vk {

/// The memory of the machine, or what the control group of this process may use of it.
std::uint64_t host_memory_bytes();

}  // namespace aclvk::vk
