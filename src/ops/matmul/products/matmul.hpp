#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Products of matrices to which nothing is added. cubeMathType (0 to 4) permits a lower precision, which is never used:
// sums are float.

/// Plans aclnnMatmul and aclnnMatmulWeightNz: torch.matmul with broadcast batches; a vector is a row on the left, a
/// column on the right.
std::shared_ptr<Executor> plan_matmul(const char* name, const InputArg& self, const InputArg& mat2,
                                      const OutputArg& out, std::int8_t cube_math_type);
/// Plans aclnnMm (rank 2), aclnnBatchMatMul and aclnnBatchMatMulWeightNz (rank 3).
std::shared_ptr<Executor> plan_ranked_matmul(const char* name, std::size_t rank, const InputArg& self,
                                             const InputArg& mat2, const OutputArg& out, std::int8_t cube_math_type);

}  // namespace aclvk::ops
