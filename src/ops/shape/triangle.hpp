#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// The part of the matrices in the last two dims that is kept (tril, triu); the rest becomes 0.
enum class Triangle : std::uint32_t { kLower = 0, kUpper = 1 };

/// `diagonal` is the last (kLower) or first (kUpper) diagonal that is kept; 0 is the main one, negative ones are below
/// it.
std::shared_ptr<Executor> plan_triangle(const char* name, Triangle triangle, const InputArg& self,
                                        std::int64_t diagonal, const OutputArg& out);
/// The kernels for checked tensors; `self` may be `out`.
Kernels triangle_kernels(const char* name, Triangle triangle, const Tensor& self, std::int64_t diagonal,
                         const Tensor& out);
std::shared_ptr<Executor> plan_inplace_triangle(const char* name, Triangle triangle, const UpdatedArg& self,
                                                std::int64_t diagonal);

}  // namespace aclvk::ops
