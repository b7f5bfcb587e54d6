#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "runtime/task/task.hpp"
#include "vk_device/commands/command_recorder.hpp"

namespace aclvk::runtime {

using vk::Access;
using vk::Arguments;

/// One operand of a kernel as an operator names it: a device address and the number of bytes that the kernel may
/// access.
struct Operand {
  const void* address = nullptr;
  std::uint64_t bytes = 0;
  Access access = Access::kRead;
};

/// A kernel of an operator, independent of a device. Operators make it; `Stream::launch` resolves the addresses and
/// finds the pipeline.
struct Kernel {
  std::string_view name;    ///< the name in traces, "aclnnAdd" for instance; a string literal
  std::string_view shader;  ///< the stem below shaders/, "elementwise/binary_f32" for instance; a string literal
  vk::Constants constants;
  InlineVector<Operand, 4> operands;
  Arguments arguments;
  Core core = Core::kVector;
  std::array<std::uint32_t, 3> groups{};  ///< workgroups; all 0 for an empty tensor, which is still a task
  bool copies = false;                    ///< as vk::Dispatch::copies
  vk::JoinedBlocks joined{};              ///< as vk::Dispatch::joined
};

}  // namespace aclvk::runtime
