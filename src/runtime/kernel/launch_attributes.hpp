#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace aclvk::runtime {

/// aclrtLaunchKernelAttr. `value` holds the bytes of its union, whose members all begin at offset 0.
struct LaunchAttribute {
  enum Id : int {
    kScheduling = 1,
    kDynamicMemory = 2,
    kEngine = 3,
    kBlockOffset = 4,
    kPrefetch = 5,
    kDump = 6,
    kTimeout = 7,
    kTimeoutUs = 8,
    kProfiling = 9,
  };

  int id = 0;
  std::array<std::uint32_t, 4> value{};
};

/// The attributes of a launch. Only the block offset changes the dispatch. The others are stored for queries, because a
/// Vulkan driver schedules by itself.
struct LaunchAttributes {
  std::vector<LaunchAttribute> all;

  /// Returns the attribute, or null.
  const LaunchAttribute* find(int id) const;
  /// Returns the first word of the attribute; 0 when the launch does not have it.
  std::uint32_t word(int id) const;
};

/// Throws kParamInvalid for an unknown attribute, a value out of its range, and two time limits.
void check_attributes(const LaunchAttributes& attributes);

}  // namespace aclvk::runtime
