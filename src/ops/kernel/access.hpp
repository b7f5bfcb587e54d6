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
/// The most bytes of an operand of any kernel. Shaders add the offset of the operand from the start of its line or of
/// its binding, of up to 256 bytes, to byte offsets of 32 bits.
constexpr std::uint64_t kMaxOperandBytes = (std::uint64_t{1} << 32) - 256;
/// The most threads of a kernel that numbers them linearly: those of workgroups that only fill the grid count, too.
constexpr std::uint64_t kMaxThreads = (std::uint64_t{1} << 32) - (std::uint64_t{1} << 26);
/// The most elements of a nest of the frames' kernels: strided.glsl divides numbers of threads below 2^31.
constexpr std::uint64_t kMaxNestElements = std::uint64_t{1} << 31;
/// The bytes of an operand's slot in an argument block (shaders/common/kernel.glsl).
constexpr std::size_t kSlotBytes = 8;

}  // namespace aclvk::ops
