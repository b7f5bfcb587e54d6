#pragma once

#include <cstdint>

#include "vk_device/commands/command_recorder.hpp"

namespace aclvk::vk {

/// Return how many copy commands CommandRecorder::copy() and copy_2d() record: 1 when source and destination do not
/// overlap; otherwise the size divided by the distance of the two.
std::uint64_t copy_command_count(const BufferRange& dst, const BufferRange& src);
std::uint64_t copy_command_count(const Copy2d& copy);

/// Calls copy_row(row) for each row of a copy, in an order in which no row overwrites source bytes of a later one: a
/// row that moves down in memory ends before the source of each later row, and one that moves up begins after the
/// source of each earlier row. Both follow from pitches that are no less than the width. `dst` and `src` are addresses.
template <typename CopyRow>
void visit_rows(std::uint64_t dst, std::uint64_t dst_pitch, std::uint64_t src, std::uint64_t src_pitch,
                std::uint64_t height, const CopyRow& copy_row) {
  const auto moves_up = [&](std::uint64_t row) { return dst + row * dst_pitch > src + row * src_pitch; };
  for (std::uint64_t row = 0; row < height; ++row) {
    if (!moves_up(row)) copy_row(row);
  }
  for (std::uint64_t row = height; row-- > 0;) {
    if (moves_up(row)) copy_row(row);
  }
}

}  // namespace aclvk::vk
