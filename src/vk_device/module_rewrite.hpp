#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// The module with its push constants as a storage buffer of set 0 at this binding: for blocks that are longer than
/// push constants may be, and for those that only the device knows when it comes to the kernel. Both kinds of memory
/// follow the same layout rules, so nothing but the storage class differs.
std::vector<std::uint32_t> with_block_in_memory(const std::vector<std::uint32_t>& words, std::uint32_t binding);

}  // namespace aclvk::vk
