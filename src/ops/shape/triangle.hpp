#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// Which part of the matrices in the last two dims stays; the rest becomes 0.
enum class Triangle : std::uint32_t { kLower = 0, kUpper = 1 };

/// `diagonal` is the last one (kLower) or first one (kUpper) that stays; 0 is the main one, below zero is below it.
std::shared_ptr<Executor> plan_triangle(const char* name, Triangle triangle, const void* self, std::int64_t diagonal,
                                        const void* out);
/// The kernels for tensors that were checked; `self` may be `out`.
Kernels triangle_kernels(const char* name, Triangle triangle, const Tensor& self, std::int64_t diagonal,
                         const Tensor& out);
std::shared_ptr<Executor> plan_inplace_triangle(const char* name, Triangle triangle, const void* self,
                                                std::int64_t diagonal);

}  // namespace aclvk::ops
