#pragma once

#include "vk_device/buffers/buffer.hpp"

namespace aclvk::vk {

/// Returns true for memory of aclrtHostRegister: pages of the program, which it may have unmapped or protected since.
bool is_registered_host_memory(const BufferRange& range);

}  // namespace aclvk::vk
