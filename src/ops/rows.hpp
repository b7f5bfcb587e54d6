#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/tensor.hpp"
#include "runtime/device/execution.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

// What kernels over rows share (reductions, softmax, normalisations, scans): views, alignment, size limits and who does
// which part are dealt with here and in shaders/common/rows.glsl.

/// One operand of a kernel over rows. Strides and steps count elements.
struct RowOperand {
  const std::byte* start = nullptr;
  std::size_t bytes = 0;  ///< of an element
  DType dtype = DType::kFloat;
  Shape strides;          ///< from row to row, a number for each dim of RowCall::rows
  std::int64_t step = 0;  ///< along the row; 0 for what a row has one of
  runtime::Access access = runtime::Access::kRead;
  bool scalar_access = false;       ///< reached once in a row, or in a way of its own: its alignment does not matter.
                                    ///< Not the first operand, from which the shader sees where lines begin
  std::int64_t extra_elements = 0;  ///< elements behind those that strides and step lead to that the kernel may touch
};

struct RowCall {
  std::string_view name;    ///< the operator's; a string literal
  std::string_view shader;  ///< a string literal
  Shape rows;               ///< the loop nest that numbers the rows
  std::int64_t count = 0;   ///< elements of a row
  std::int64_t chunk = 0;   ///< elements of a chunk; 0 for rows in one piece
  std::vector<RowOperand> operands;
  DType promoted = DType::kFloat;
  InlineVector<std::uint32_t, 4> constants;  ///< the shader's; they follow those of rows.glsl
  InlineVector<std::uint32_t, 8> arguments;  ///< the shader's, FAMILY_WORDS
  bool rows_in_registers = false;            ///< the shader can hold rows: kRegisterVec8s of rows.glsl
  bool shared_in_registers = false;          ///< it holds what rows share, too: kRowsPerTeam
  bool one_thread_per_row = false;           ///< a row belongs to one thread, whatever the device is like
};

/// An operand of a kernel over rows without its strides.
RowOperand row_operand(const Tensor& tensor, runtime::Access access);
/// The place of an operand that there is none of: the first one, which is read anyway.
RowOperand unused_row_operand(const RowCall& rows);
/// A number among the arguments of a shader.
std::uint32_t float_argument(double value);

/// One kernel, or several where rows lie further apart than 2 GiB. No rows give one kernel without groups: it does
/// nothing, and keeps the number of tasks independent of sizes.
std::vector<runtime::Kernel> row_kernels(const RowCall& call, runtime::Execution execution);

/// The sizes and strides of some dims of a tensor, as one loop nest over it.
Shape pick(const Shape& values, const InlineVector<std::size_t, kMaxRank>& dims);

/// The number of chunks of a row.
inline std::int64_t chunks_of(std::int64_t count, std::int64_t chunk) {
  return chunk == 0 || count == 0 ? 1 : (count + chunk - 1) / chunk;
}

}  // namespace aclvk::ops
