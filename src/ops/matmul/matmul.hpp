#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Products of matrices to which nothing is added. All of them are summed up in float, so `cube_math_type` (0 to 4)
// changes nothing.

/// aclnnMatmul, aclnnMatmulWeightNz: torch.matmul, with broadcast batches; vectors are a row on the left and a column
/// on the right.
std::shared_ptr<Executor> plan_matmul(const char* name, const void* self, const void* mat2, const void* out,
                                      std::int8_t cube_math_type);
/// aclnnMm (rank 2), aclnnBatchMatMul, aclnnBatchMatMulWeightNz (rank 3).
std::shared_ptr<Executor> plan_ranked_matmul(const char* name, std::size_t rank, const void* self, const void* mat2,
                                             const void* out, std::int8_t cube_math_type);
/// aclnnMv: a matrix and a vector.
std::shared_ptr<Executor> plan_mv(const void* self, const void* vec, const void* out, std::int8_t cube_math_type);
/// aclnnDot: two vectors.
std::shared_ptr<Executor> plan_dot(const void* self, const void* tensor, const void* out);
/// aclnnGer: every product of an element of one vector and one of another.
std::shared_ptr<Executor> plan_ger(const void* self, const void* vec2, const void* out);

}  // namespace aclvk::ops
