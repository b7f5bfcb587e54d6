#pragma once

#include <array>

#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

/// Which of three gradients are wanted, as the array outputMask says. It must not be NULL (161001), and has three
/// values (161002).
using OutputMask = std::array<bool, 3>;
OutputMask required_output_mask(const void* array);

/// A result that may be NULL where it is not wanted; then it is not looked at.
TensorParameters::ParamId wanted_output(TensorParameters& tensors, bool wanted, const void* handle, const char* name);

}  // namespace aclvk::ops
