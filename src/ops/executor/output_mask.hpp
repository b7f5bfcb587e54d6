#pragma once

#include <array>

#include "ops/executor/tensor_parameters.hpp"

namespace aclvk::ops {

/// The array outputMask of backward operators: which of three gradients to compute. Throws 161001 for NULL and 161002
/// unless it has three values.
using OutputMask = std::array<bool, 3>;
OutputMask required_output_mask(const BoolArrayArg& array);

/// Adds an output. Ignores the handle, which may be NULL, when the output is not wanted.
TensorParameters::ParamId wanted_output(TensorParameters& tensors, bool wanted, const OutputArg& arg);

}  // namespace aclvk::ops
