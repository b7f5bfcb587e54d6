#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "ops/operator.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// Some dims of a tensor, a bit each.
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

/// The kernels: one, or more where dims do not lie side by side or a row is so long that parts of it are reduced first.
/// The states of parts are in the workspace, in an order that is the same in each run. A null output is not wanted;
/// `outputs` has as many as the shader. The workspace may be NULL while nothing runs.
std::vector<runtime::Kernel> reduction_kernels(const Reduction& reduction, const Tensor& self,
                                               const std::vector<const Tensor*>& outputs, std::byte* workspace);
/// The bytes of workspace that these kernels need. Depends on shapes and strides, not on addresses.
std::uint64_t reduction_workspace(const Reduction& reduction, const Tensor& self, std::size_t outputs);

/// The executor of such a reduction, for operators without other tensors. All outputs are wanted, unless null. One
/// without a name is none of the operator's parameters.
std::shared_ptr<Executor> reduction_executor(const Reduction& reduction, const Tensor& self,
                                             const std::vector<const Tensor*>& outputs,
                                             const std::vector<const char*>& names);

// The dims of a reduction, checked (161002).

/// All dims.
DimMask all_dims(const Tensor& self);
/// One dim; counted from the end when negative.
DimMask mask_of(const Tensor& self, std::int64_t dim, const char* name);
/// A list of dims; an empty one stands for all.
DimMask mask_of(const Tensor& self, const std::vector<std::int64_t>& dims, const char* name);

/// The shape of the result. `keep`: reduced dims stay, with size 1.
Shape reduced_shape(const Tensor& self, DimMask dims, bool keep);
/// The output has this shape; for one element any shape with one element will do.
void check_reduced_shape(const Tensor& out, const char* name, const Tensor& self, DimMask dims, bool keep);
/// Refuses reductions that have no result for no elements.
void check_not_empty(const Tensor& self, const char* name, DimMask dims);
/// How many elements make one of the result.
std::int64_t reduced_count(const Tensor& self, DimMask dims);

}  // namespace aclvk::ops
