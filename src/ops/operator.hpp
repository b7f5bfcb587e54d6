#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string_view>

#include "ops/dtype.hpp"
#include "ops/executor.hpp"
#include "ops/scalar.hpp"
#include "ops/tensor.hpp"

namespace aclvk::ops {

// The checks that operators share, in the order in which all of them make them: NULL (161001), then dtypes, promotion,
// shapes and attributes (161002). The first one that fails decides the code.

using TensorPtr = std::shared_ptr<const Tensor>;
using ScalarPtr = std::shared_ptr<const Scalar>;

TensorPtr required_tensor(const void* handle, const char* name);
/// Null for a NULL handle.
TensorPtr optional_tensor(const void* handle, const char* name);
ScalarPtr required_scalar(const void* handle, const char* name);

void check_dtype(const Tensor& tensor, const char* name, const DTypeSet& supported);
void check_castable(DType from, DType to, const char* what, const char* target);
/// The shape to which both broadcast.
Shape check_broadcast(const Tensor& first, const char* first_name, const Tensor& second, const char* second_name);
void check_shape(const Tensor& tensor, const char* name, const Shape& expected, const char* reason);

/// The compute classes of shaders/common/compute.glsl.
enum class ComputeClass : std::size_t { kF32, kF64, kI32, kI64, kI64f, kC64, kC128 };

/// The class that computes in `promoted` and can read and write all of `dtypes`.
ComputeClass class_for(DType promoted, std::initializer_list<DType> dtypes);

/// The names of a shader's variants, by class.
using ClassShaders = std::array<std::string_view, 7>;
#define ACLVK_CLASS_SHADERS(stem) \
  { stem "_f32", stem "_f64", stem "_i32", stem "_i64", stem "_i64f", stem "_c64", stem "_c128" }

/// A scalar as four words of an argument block, as value_of() of compute.glsl reads them.
std::array<std::uint32_t, 4> scalar_words(const Scalar& scalar, ComputeClass compute);

}  // namespace aclvk::ops
