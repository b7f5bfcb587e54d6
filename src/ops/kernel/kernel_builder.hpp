#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/grid.hpp"
#include "ops/tensor/dtype.hpp"
#include "ops/tensor/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

/// Builds a kernel of a shader from the structs of its shaders/<stem>.args.h. Operands are added in the order of the
/// shader's bindings, constants and arguments in the order of its lists.
class KernelBuilder {
 public:
  /// Both are string literals: the operator's name, and the stem of the shader with its variant.
  KernelBuilder(std::string_view name, std::string_view shader) {
    kernel_.name = name;
    kernel_.shader = shader;
  }

  // All of them throw 207000 for memory of more than kMaxOperandBytes.

  void add_operand(const runtime::Operand& operand);
  /// The address is one of device memory, which has no type on the host.
  void add_operand(const void* address, std::uint64_t bytes, runtime::Access access) {
    add_operand(runtime::Operand{address, bytes, access});
  }
  /// Adds the memory from the tensor's first element to its last one.
  void add_tensor(const Tensor& tensor, runtime::Access access) {
    const ByteSpan span = span_of(tensor);
    add_operand(tensor.address(), span.end - span.begin, access);
  }

  template <typename Constants>
  void add_constants(const Constants& constants) {
    ops::add_constants(kernel_, constants);
  }
  /// Adds constants of operand_dtypes.glsl.
  void add_dtype(DType dtype) { kernel_.constants.push_back(static_cast<std::uint32_t>(dtype)); }
  /// Adds the constants that a frame has received from an operator.
  void add_constant_words(const std::uint32_t* begin, const std::uint32_t* end) {
    kernel_.constants.append(begin, end);
  }

  template <typename Arguments>
  void add_arguments(const Arguments& arguments) {
    append_arguments(words_, arguments);
  }
  /// Adds the arguments that a frame has received from an operator.
  void add_argument_words(const std::uint32_t* begin, const std::uint32_t* end) { words_.append(begin, end); }
  /// Adds an element of an array whose length depends on the call.
  void add_word(std::int64_t value) { words_.push_back(word(value)); }
  /// Adds the arguments of a loop nest: for each dim its size and the stride of each operand. Adds zeros up to kMaxRank
  /// dims if the block does not fit into push constants, because a buffer must be as long as the struct that the shader
  /// declares.
  void add_dims(const Shape& sizes, const std::vector<Shape>& strides);

  /// Sets the workgroups of a kernel that numbers its threads linearly. Throws 207000 for more than kMaxThreads.
  void set_threads(std::uint64_t threads, std::uint64_t local_size = 64, std::uint32_t layers = 1);
  void set_groups(const std::array<std::uint32_t, 3>& groups) { kernel_.groups = groups; }
  void set_core(runtime::Core core) { kernel_.core = core; }
  /// Marks a kernel that only copies its first operand to the second one.
  void set_copies(bool copies) { kernel_.copies = copies; }

  /// Returns the kernel, and leaves the builder empty.
  runtime::Kernel build();

 private:
  runtime::Kernel kernel_;
  InlineVector<std::uint32_t, 64> words_;  // the arguments
};

}  // namespace aclvk::ops
