#pragma once

#include <cstdint>

#include "vk_device/commands/command_recorder.hpp"

namespace aclvk::vk {

/// Return how many copy commands CommandRecorder::copy() and copy_2d() record: 1 when source and destination do not
/// overlap; otherwise the size divided by the distance of the two.
std::uint64_t copy_command_count(const BufferRange& dst, const BufferRange& src);
std::uint64_t copy_command_count(const Copy2d& copy);

}  // namespace aclvk::vk
