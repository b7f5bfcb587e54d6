#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/inline_vector.hpp"
#include "runtime/stream/task.hpp"
#include "vk_device/command_recorder.hpp"

namespace aclvk::runtime {

using vk::Access;
using vk::Arguments;

/// One operand of a kernel as an operator sees it: device address and number of bytes that the kernel may touch.
struct Operand {
  const void* address = nullptr;
  std::uint64_t bytes = 0;
  Access access = Access::kRead;
};

/// A kernel that an operator wants to run, with nothing of the device in it. `Stream::launch` resolves the addresses.
struct Kernel {
  std::string_view name;    ///< what traces show: "aclnnAdd"; a string literal
  std::string_view shader;  ///< stem below shaders/, e.g. "elementwise/binary_f32"; a string literal
  vk::Constants constants;
  InlineVector<Operand, 4> operands;
  Arguments arguments;
  Core core = Core::kVector;
  std::array<std::uint32_t, 3> groups{};  ///< all 0: nothing to do (an empty tensor); still counts as a task
  bool copies = false;                    ///< see vk::Dispatch
  vk::JoinedBlocks joined{};              ///< the same
};

/// The bytes of a plain struct, for Kernel::arguments.
template <typename T>
Arguments argument_bytes(const T& arguments) {
  static_assert(std::is_trivially_copyable_v<T>);
  Arguments bytes(sizeof(T));
  std::memcpy(bytes.data(), &arguments, sizeof(T));
  return bytes;
}

}  // namespace aclvk::runtime
