#pragma once

#include <array>
#include <cstdint>

namespace aclvk::ops {

/// The workgroup counts of a kernel that numbers its threads linearly. Returns two dimensions, because Vulkan
/// guarantees 65535 groups per dimension only (maxComputeWorkGroupCount).
inline std::array<std::uint32_t, 3> row_of_groups(std::uint64_t threads, std::uint64_t local_size = 64) {
  constexpr std::uint64_t kMaxGroups = 65535;
  const std::uint64_t groups = (threads + local_size - 1) / local_size;
  const std::uint64_t rows = (groups + kMaxGroups - 1) / kMaxGroups;
  const std::uint64_t columns = rows == 0 ? 0 : (groups + rows - 1) / rows;
  return {static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows), rows == 0 ? 0U : 1U};
}

}  // namespace aclvk::ops
