#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "base/inline_vector.hpp"
#include "vk_device/buffers/buffer.hpp"

namespace aclvk::vk {

struct Pipeline;      // a compiled kernel, defined in vk_device/pipelines/pipeline_store.hpp
struct CustomLaunch;  // a launch of a program's own kernel, defined in vk_device/pipelines/custom_kernel.hpp

/// An operand of a kernel: the bytes that it may access, and how.
struct DispatchOperand {
  BufferRange range;
  Access access = Access::kRead;
};

/// The operands of a kernel, in the order of its bindings. Most kernels have up to three.
using DispatchOperands = InlineVector<DispatchOperand, 3>;

/// The values of specialization constants 0, 1, ... of a shader.
using Constants = InlineVector<std::uint32_t, 12>;

/// The arguments of a kernel. They follow the operand slots in its argument block (shaders/common/kernel.glsl).
using Arguments = InlineVector<std::byte, 64>;

/// Describes a dispatch that joins several launches of one kernel. Each launch has an argument block of its own, which
/// starts with the slots of its operands.
struct JoinedBlocks {
  std::size_t operands = 0;  ///< operands of one launch; 0 for a dispatch of a single launch
  std::size_t first = 0;     ///< offset of the first block in Dispatch::arguments
  std::size_t stride = 0;    ///< bytes from one block to the next

  /// Returns the offset of the slot of operand i, counted over all launches.
  std::size_t slot(std::size_t i) const { return first + i / operands * stride + i % operands * 8; }
};

/// A vkCmdDispatch. `shader` is the stem of its file below shaders/ ("elementwise/binary_f32").
struct Dispatch {
  std::string_view shader;  ///< must live as long as the process: a string literal, or interned
  Constants constants;
  DispatchOperands operands;
  Arguments arguments;
  std::array<std::uint32_t, 3> groups{};
  JoinedBlocks joined{};  ///< if set, `operands` lists those of all launches and `arguments` holds all blocks
  const Pipeline* pipeline = nullptr;  ///< owned by the device; null until Device::prepare()
  /// True when the kernel only copies operand 0 to operand 1, so that a copy command may replace it.
  bool copies = false;
  /// Set for a kernel that the program brought. Then `shader` and `constants` are unused, `arguments` is the whole
  /// argument block, the first operands are the storage buffers by binding, and the remaining operands are memory that
  /// the kernel accesses by address.
  std::shared_ptr<const CustomLaunch> custom;
};

}  // namespace aclvk::vk
