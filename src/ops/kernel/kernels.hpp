#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "ops/tensor/dtype.hpp"
#include "ops/tensor/scalar.hpp"
#include "runtime/kernel/kernel.hpp"

namespace aclvk::ops {

/// The most iterations that all loops of a thread may take together. Lavapipe of Mesa 22.3 silently ends loops after
/// 65535 (shaders/common/bounded_loop.glsl); on GPUs the watchdog of the driver ends kernels that run for long.
constexpr std::int64_t kMaxIterations = 60000;

/// The kernels of an operator, in the order in which they run.
using Kernels = std::vector<runtime::Kernel>;
/// Throws 207000 for more than 2^18 kernels of one operator: recording them would block the host, and only tensors of
/// absurd sizes need them.
void check_kernels(std::size_t count);

/// Appends kernels, and checks their total number with check_kernels().
void append(Kernels& to, Kernels more);

/// The compute classes of shaders/common/compute.glsl: the type in which a shader variant computes.
enum class ComputeClass : std::size_t { kF32, kF64, kI32, kI64, kI64f, kC64, kC128 };

/// The class that computes in `promoted` and can read and write all of `dtypes`.
ComputeClass class_for(DType promoted, std::initializer_list<DType> dtypes);

/// The names of a shader's variants, indexed by class.
using ClassShaders = std::array<std::string_view, 7>;
#define ACLVK_CLASS_SHADERS(stem) \
  { stem "_f32", stem "_f64", stem "_i32", stem "_i64", stem "_i64f", stem "_c64", stem "_c128" }

/// A scalar as four words of an argument block, as value_of() of compute.glsl reads them.
std::array<std::uint32_t, 4> scalar_words(const Scalar& scalar, ComputeClass compute);

}  // namespace aclvk::ops
