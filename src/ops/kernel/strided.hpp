#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/kernel/access.hpp"
#include "ops/tensor/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

// The frame of pointwise kernels. Views, strides, broadcasting, alignment and size limits are handled here and in
// shaders/common/strided.glsl, not in operators.

/// A loop nest over a common shape: sizes, outermost first, and the strides of each operand in elements.
struct LoopNest {
  Shape sizes;
  std::vector<Shape> strides;
};

/// Returns an equivalent nest with as few dims as possible: drops dims of size 1, orders dims by the strides of the
/// last operand (the output), and merges adjacent dims that are contiguous in every operand. Keeps at least one dim.
/// PyTorch's TensorIterator coalesces dims the same way.
LoopNest collapse(LoopNest nest);

/// The part of a nest that one kernel computes, and its start in each operand, in elements.
struct SubNest {
  LoopNest nest;
  InlineVector<std::int64_t, 4> starts;
};

/// The bytes of an element of each operand.
using ElementBytes = InlineVector<std::size_t, 4>;

/// The most that a part of a split nest has.
struct SplitLimits {
  std::uint64_t bytes = kMaxSpanBytes;        ///< that it spans of each operand
  std::uint64_t elements = kMaxNestElements;  ///< those of broadcast operands count, too
};

/// Splits a nest into parts of at most kMaxRank dims within the limits. Checks the number of parts with
/// check_kernels(): operands of 2^20 rows and columns whose memory layouts differ would take millions.
std::vector<SubNest> split(LoopNest nest, const ElementBytes& element_bytes, SplitLimits limits);

/// An operand of a pointwise kernel.
struct StridedOperand {
  const Tensor* tensor = nullptr;
  runtime::Access access = runtime::Access::kRead;
  /// The shader does not LOAD the operand: its value is among the arguments, or the shader accesses the tensor by
  /// itself, or it is unused. Its alignment does not matter then.
  bool not_loaded = false;
  /// For an operand that the shader indexes itself (INDEXED_OPERANDS of strided.glsl): the strides of the start index
  /// over the dims of the output. Such operands come first.
  const Shape* steps = nullptr;
  std::int64_t first = 0;  ///< the start index for the first element of the output
};

/// A pointwise kernel. The last operand is the output; the others broadcast to its shape.
struct StridedCall {
  std::string_view name;    ///< the operator's; a string literal
  std::string_view shader;  ///< a string literal
  InlineVector<StridedOperand, 4> operands;
  DType promoted = DType::kFloat;            ///< kPromoted of the shader
  InlineVector<std::uint32_t, 2> constants;  ///< the shader's own: add_constants(call, ...) of declare.hpp
  InlineVector<std::uint32_t, 8> arguments;  ///< the shader's own: add_arguments(call, ...)
  const Shape* shape = nullptr;              ///< the iteration space; null for the shape of the last operand
  bool copies = false;                       ///< a plain copy of the only input, which a vkCmdCopyBuffer can replace
  std::uint32_t layers = 1;                  ///< the size of the dispatch in gl_WorkGroupID.z
};

/// Returns one kernel, or several when an operand spans more than 2 GiB or the nest has more than kMaxRank dims or
/// 2^31 elements. An empty shape gives one kernel without workgroups: it does nothing, and keeps the number of tasks
/// independent of sizes. Throws 161002 when an operand with steps spans 4 GiB or more, or such a kernel has 2^32
/// elements or more.
std::vector<runtime::Kernel> strided_kernels(const StridedCall& call);

}  // namespace aclvk::ops
