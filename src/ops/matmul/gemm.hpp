#pragma once

#include <optional>
#include <string_view>

#include "ops/matmul/blocks.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// out = alpha * a b + beta * c, for each matrix of a batch. The last two dims of a tensor are its matrix, the
/// dims before are the batch, the same for all of them (strides of 0 repeat a matrix). `out` shares no memory with a
/// and b.
struct Gemm {
  std::string_view name;  ///< the operator's; a string literal
  Tensor a;               ///< m x k
  Tensor b;               ///< k x n
  std::optional<Tensor> c;
  Tensor out;  ///< m x n
  Scalar alpha = one();
  Scalar beta = one();
  Blocks blocks_of_a{};  ///< one of the factors may lie in blocks
  Blocks blocks_of_b{};

  static Scalar one();
};

/// The depth at which few rows have a kernel of their own.
constexpr std::int64_t kSweepK = 16;

/// What products are summed up in: double where a tensor has that, in float where one that is read has floats; else in
/// integers of 64 bits where one of them has those, or of 32.
DType sum_dtype(const Gemm& gemm);

/// The order of sums is the same in each run. A product that is too deep for one kernel has its sums in the workspace
/// until all is added up, where `out` would round them.
Kernels gemm_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution);

}  // namespace aclvk::ops
