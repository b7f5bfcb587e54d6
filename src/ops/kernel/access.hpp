#pragma once

#include <cstddef>
#include <cstdint>

namespace aclvk::ops {

// Numbers of memory accesses that shaders and their hosts share.

/// The elements that a thread loads and stores at once.
constexpr std::int64_t kVec8 = 8;
/// The bytes of the widest access of a thread.
constexpr std::size_t kLine = 32;
/// The most bytes that an operand of the frames' kernels spans: keeps byte offsets in a shader below 2^32.
constexpr std::uint64_t kMaxSpanBytes = std::uint64_t{1} << 31;
/// The bytes of an operand's slot in an argument block (shaders/common/kernel.glsl).
constexpr std::size_t kSlotBytes = 8;

}  // namespace aclvk::ops
