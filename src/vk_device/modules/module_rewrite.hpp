#pragma once

#include <cstdint>
#include <vector>

namespace aclvk::vk {

/// Returns the module with its push constants turned into a storage buffer of set 0 at this binding. Needed for
/// argument blocks longer than 128 bytes, and for blocks in device memory. Push constants and storage buffers follow
/// the same layout rules, so only the storage class and the decorations change.
std::vector<std::uint32_t> with_block_in_memory(const std::vector<std::uint32_t>& words, std::uint32_t binding);

}  // namespace aclvk::vk
