#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/handle.hpp"
#include "runtime/task.hpp"

namespace aclvk::runtime {

class Device;

/// An aclrtFuncHandle: what a kernel runs, apart from its arguments. The argument block that goes with it is
///
///     8 bytes an operand: its device address
///     the scalars: what the shader finds behind its operands (shaders/common/kernel.glsl)
///
/// The bytes that each operand may touch belong to the function.
class Function {
 public:
  explicit Function(KernelTask kernel) : kernel_(std::move(kernel)) {}

  std::size_t argument_bytes() const;
  /// Throws kParamInvalid for a block of another size.
  void check_size(std::size_t bytes) const;
  /// The kernel differs from this function's in nothing but its arguments.
  bool runs(const KernelTask& kernel) const;
  /// The block of a kernel of this function.
  static std::vector<std::byte> pack(const KernelTask& kernel);
  /// The kernel with other arguments. Throws kParamInvalid when the block has another size, an operand does not lie in
  /// live device memory, or the kernel cannot run with so many blocks.
  KernelTask with(const std::vector<std::byte>& arguments, std::uint32_t blocks, const Device& device) const;

 private:
  const KernelTask kernel_;
};

using FunctionHandles = HandleTable<const Function, HandleTag::kFunction>;
FunctionHandles& function_handles();

}  // namespace aclvk::runtime
