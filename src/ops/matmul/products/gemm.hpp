#pragma once

#include <optional>
#include <string_view>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/matmul/formats/blocks.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// A batched GEMM: out = alpha * a b + beta * c. The last two dims of each tensor are a matrix, the leading dims are
/// the batch and have equal sizes; a stride of 0 repeats a matrix. `out` shares no memory with a and b.
struct Gemm {
  std::string_view name;  ///< the operator's; a string literal
  Tensor a;               ///< m x k
  Tensor b;               ///< k x n
  std::optional<Tensor> c;
  Tensor out;  ///< m x n
  Scalar alpha = one();
  Scalar beta = one();
  Blocks blocks_of_a{};  ///< at most one of the factors has blocks
  Blocks blocks_of_b{};

  /// Returns a 1 of dtype BOOL, which converts to every dtype.
  static Scalar one();
};

/// The K of matmul/products/sweep.comp, a kernel for few rows.
constexpr std::int64_t kSweepK = 16;

/// Returns the dtype of accumulators: DOUBLE if any tensor is DOUBLE, FLOAT if an input is floating, else INT64 if an
/// input has 64 bits, else INT32.
DType sum_dtype(const Gemm& gemm);

/// Returns the kernels of a GEMM. Sums have a fixed order. If K is too large for one kernel, several accumulate one
/// after the other, in the workspace where `out` would round intermediate sums.
Kernels gemm_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution);

}  // namespace aclvk::ops
