#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/tensor.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

// What all pointwise operators share: views, strides, broadcasting, alignment and size limits are dealt with here and
// in shaders/common/strided.glsl, not in operators.

/// A loop nest over a common shape: sizes outermost first, and for each operand its strides in elements.
struct LoopNest {
  Shape sizes;
  std::vector<Shape> strides;
};

/// The same loops with as few dims as possible, jointly over all operands: dims of size 1 go, dims are ordered by the
/// strides of the last operand (the output), and neighbours that every operand walks in one step become one. At least
/// one dim.
LoopNest collapse(LoopNest nest);

/// A part of a nest that a kernel can walk, and where it starts in each operand (in elements).
struct SubNest {
  LoopNest nest;
  InlineVector<std::int64_t, 4> starts;
};

/// The size of an element of each operand.
using ElementBytes = InlineVector<std::size_t, 4>;

/// Throws 207000 for so many kernels of an operator that the host would be busy with them for long: sizes that nobody
/// can mean.
void check_kernels(std::size_t count);

/// Cuts a nest so that no operand spans more than `max_bytes` in a piece, and a piece has at most kMaxRank dims. Each
/// piece is a kernel, of which there are as many as check_kernels() allows: operands that lie in memory in different
/// orders, of 2^20 rows and columns, would take millions.
std::vector<SubNest> split(LoopNest nest, const ElementBytes& element_bytes, std::uint64_t max_bytes);

struct StridedOperand {
  const Tensor* tensor = nullptr;
  runtime::Access access = runtime::Access::kRead;
  bool in_arguments = false;  ///< its value is in the family's arguments; the tensor only fills the operand's place
  /// For an operand whose elements the shader finds itself (RANDOM_ACCESS of strided.glsl): what a step along each dim of the
  /// output adds to the number that the shader starts from. Such operands come first.
  const Shape* steps = nullptr;
  std::int64_t first = 0;  ///< what that number is for the first element of the output
};

/// A pointwise kernel. The last operand is the output; the others broadcast to its shape.
struct StridedCall {
  std::string_view name;    ///< the operator's; a string literal
  std::string_view shader;  ///< a string literal
  InlineVector<StridedOperand, 4> operands;
  InlineVector<std::uint32_t, 2> constants;  ///< the family's; they follow those of strided.glsl
  InlineVector<std::uint32_t, 8> arguments;  ///< the family's, FAMILY_WORDS of its shader
  const Shape* shape = nullptr;              ///< what is walked, when it is not the shape of the last operand
  bool copies = false;                       ///< the output gets the bits of the only input
  std::uint32_t layers = 1;                  ///< how often all of it runs, told apart by gl_WorkGroupID.z
};

/// Groups of so many threads, in as few dims as fit.
std::array<std::uint32_t, 3> grid_for(std::uint64_t threads, std::uint32_t local_size);

/// One kernel, or several for operands of more than 2 GiB or more dims than kernels have. An empty shape gives one
/// kernel without groups: it does nothing, and keeps the number of tasks independent of sizes. An operand with steps
/// has less than 4 GiB, and the output then less than 2^32 elements: 161002 otherwise.
std::vector<runtime::Kernel> strided_kernels(const StridedCall& call);

}  // namespace aclvk::ops
