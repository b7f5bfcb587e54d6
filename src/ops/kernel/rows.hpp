#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/inline_vector.hpp"
#include "ops/tensor/tensor.hpp"
#include "runtime/context/execution.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

// The frame of kernels over rows: reductions, softmax, normalisations, scans. Views, alignment, size limits and the
// distribution of work over threads are handled here and in shaders/common/rows.glsl; docs/adr/0023 says why rows are
// distributed as they are.

/// An operand of a kernel over rows. Strides and steps count elements.
struct RowOperand {
  const std::byte* start = nullptr;
  std::size_t bytes = 0;  ///< of an element
  DType dtype = DType::kFloat;
  Shape strides;          ///< from row to row, one for each dim of RowCall::rows
  std::int64_t step = 0;  ///< from element to element of a row; 0 for an operand with one element per row
  runtime::Access access = runtime::Access::kRead;
  /// Accessed once per row, or element by element, so that its alignment does not matter. Never true for the first
  /// operand, whose alignment the shader uses.
  bool scalar_access = false;
  std::int64_t extra_elements = 0;  ///< how far the kernel accesses elements past those of strides and step
};

/// A kernel over rows, before its distribution over threads is chosen.
struct RowCall {
  std::string_view name;    ///< the operator's; a string literal
  std::string_view shader;  ///< a string literal
  Shape rows;               ///< the loop nest that numbers the rows
  std::int64_t count = 0;   ///< elements of a row
  std::int64_t chunk = 0;   ///< elements of a chunk; 0 for rows that are not split
  std::vector<RowOperand> operands;
  DType promoted = DType::kFloat;
  InlineVector<std::uint32_t, 4> constants;  ///< the shader's own: add_constants(call, ...) of declare.hpp
  InlineVector<std::uint32_t, 8> arguments;  ///< the shader's own: add_arguments(call, ...)
  bool rows_in_registers = false;    ///< the shader can hold short rows in registers: kRegisterVec8s of rows.glsl
  bool shared_in_registers = false;  ///< it also holds operands that all rows share: kRowsPerTeam
  bool one_thread_per_row = false;   ///< forces teams of one thread
};

/// Returns an operand with one element per row. Its strides are still empty.
RowOperand row_operand(const Tensor& tensor, runtime::Access access);
/// Returns an operand with a row for each line of elements along `dim`. A 0-d tensor has one row of one element.
RowOperand operand_along(const Tensor& tensor, std::size_t dim, runtime::Access access);
/// Returns an operand for an optional tensor that is missing: an alias of the first operand.
RowOperand unused_row_operand(const RowCall& rows);

/// Returns one kernel, or several when the starts of rows span more than 2 GiB or there are more than 2^31 rows and
/// chunks. Without rows the kernel has no
/// workgroups: it does nothing, and keeps the number of tasks independent of sizes. Throws 161002 for a row that spans
/// more than 2 GiB, and 207000 for one that would take too many loop iterations.
std::vector<runtime::Kernel> row_kernels(const RowCall& call, runtime::Execution execution);

/// Returns the sizes, or strides, of some dims.
Shape values_of_dims(const Shape& values, const InlineVector<std::size_t, kMaxRank>& dims);

/// The number of chunks of a row; 1 when rows are not split.
inline std::int64_t chunks_of(std::int64_t count, std::int64_t chunk) {
  return chunk == 0 || count == 0 ? 1 : (count + chunk - 1) / chunk;
}

}  // namespace aclvk::ops
