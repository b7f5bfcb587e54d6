#pragma once

#include <cstdint>

#include "vk_device/command_recorder.hpp"

namespace aclvk::vk {

/// Commands that it takes to copy one range to the other, or the rows: 1 where no bytes of both are the same; else the
/// more, the closer together they are.
std::uint64_t copy_command_count(const BufferRange& dst, const BufferRange& src);
std::uint64_t copy_command_count(const Copy2d& copy);

}  // namespace aclvk::vk
