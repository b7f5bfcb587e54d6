#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace aclvk::runtime {

/// aclrtLaunchKernelAttr. The value is its union as words; the members lie at its start.
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

/// What a program asks of a launch. A GPU driver schedules by itself, so most of it is only kept and given back; the
/// block offset is obeyed.
struct LaunchAttributes {
  std::vector<LaunchAttribute> all;

  /// The attribute, or null.
  const LaunchAttribute* find(int id) const;
  /// Its first word; 0 when it is not there.
  std::uint32_t word(int id) const;
};

/// Throws kParamInvalid for an unknown attribute, a value that it does not take, and two time limits.
void check_attributes(const LaunchAttributes& attributes);

}  // namespace aclvk::runtime
