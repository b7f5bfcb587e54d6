#pragma once

#include <cstdint>
#include <memory>

#include "ops/elementwise/pointwise.hpp"

namespace aclvk::ops {

// The tables of pointwise operators. A row's number is its position in its table, on the host and in the shader.
#define ROW(forms, name, rule, value) k##name,
#define UNARY(topic, forms, name, rule, value) k##name,
enum class UnaryOp : std::uint32_t {
#include "ops/elementwise/unary.def"
};
enum class BinaryOp : std::uint32_t {
#include "ops/elementwise/binary.def"
};
enum class BitwiseOp : std::uint32_t {
#include "ops/elementwise/bitwise.def"
};
enum class PowerOp : std::uint32_t {
#include "ops/elementwise/power.def"
};
enum class GradientOp : std::uint32_t {
#include "ops/elementwise/gradient.def"
};
enum class LogarithmOp : std::uint32_t {
#include "ops/elementwise/logarithm.def"
};
enum class TernaryOp : std::uint32_t {
#include "ops/elementwise/ternary.def"
};
#undef ROW
#undef UNARY

PointwiseRow row_of(UnaryOp op);
PointwiseRow row_of(BinaryOp op);
PointwiseRow row_of(BitwiseOp op);
PointwiseRow row_of(PowerOp op);
PointwiseRow row_of(GradientOp op);
PointwiseRow row_of(LogarithmOp op);
PointwiseRow row_of(TernaryOp op);

/// Copies `from` to `to` by way of `promoted`, with one kernel also when the dtypes agree. Computes the maximum of a
/// tensor and itself, which keeps NaN: no row is a plain copy.
Kernels converting_copy_kernels(const char* name, const Tensor& from, DType promoted, const Tensor& to);

/// Plans an operator of a table. `name` is its C name.
template <typename Op>
std::shared_ptr<Executor> plan_pointwise(const char* name, Op op, const PointwiseArguments& arguments) {
  const PointwiseRow row = row_of(op);
  return plan_pointwise(read_pointwise(name, row.inputs, arguments), row);
}

}  // namespace aclvk::ops
