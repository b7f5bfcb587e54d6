#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/executor/operator.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// A set of dims, one bit each.
using DimMask = std::uint32_t;

/// A reduction over some dims, for the shaders that include shaders/reduction/reduction.glsl.
struct Reduction {
  std::string_view name;    ///< the operator's; a string literal
  std::string_view shader;  ///< a string literal
  ComputeClass compute = ComputeClass::kF32;
  DType promoted = DType::kFloat;
  std::uint32_t operation = 0;  ///< kOperator of the shader
  std::array<std::uint32_t, 4> argument{};
  DimMask dims = 0;
  runtime::Execution execution;  ///< runtime::execution() when the workspace was sized
};

/// Returns one kernel, or several when the reduced dims cannot be merged or rows are so long that chunks are reduced
/// first. States of chunks are in the workspace and are joined in a fixed order, so results are deterministic.
/// `outputs` has as many as the shader; null for outputs that are not wanted. The workspace may be NULL in the first
/// phase.
std::vector<runtime::Kernel> reduction_kernels(const Reduction& reduction, const Tensor& self,
                                               const std::vector<const Tensor*>& outputs, std::byte* workspace);
/// The bytes of workspace that reduction_kernels() needs. Depends on shapes and strides, not on addresses.
std::uint64_t reduction_workspace(const Reduction& reduction, const Tensor& self, std::size_t outputs);

/// The executor of an operator that is one reduction. Null outputs are not wanted. An output without a name is no
/// parameter of the operator.
std::shared_ptr<Executor> reduction_executor(const Reduction& reduction, const Tensor& self,
                                             const std::vector<const Tensor*>& outputs,
                                             const std::vector<const char*>& names);

// Checks of a reduction's dims. All throw 161002.

/// All dims.
DimMask all_dims(const Tensor& self);
/// One dim; negative ones count from the end.
DimMask mask_of(const Tensor& self, std::int64_t dim, const char* name);
/// A list of dims; an empty list means all.
DimMask mask_of(const Tensor& self, const std::vector<std::int64_t>& dims, const char* name);

/// The shape of the result. `keep`: reduced dims stay, with size 1.
Shape reduced_shape(const Tensor& self, DimMask dims, bool keep);
/// Checks the output's shape. A result of one element may have any shape with one element.
void check_reduced_shape(const Tensor& out, const char* name, const Tensor& self, DimMask dims, bool keep);
/// Refuses to reduce no elements, for reductions without an identity.
void check_not_empty(const Tensor& self, const char* name, DimMask dims);
/// The number of elements per element of the result.
std::int64_t reduced_count(const Tensor& self, DimMask dims);

}  // namespace aclvk::ops
