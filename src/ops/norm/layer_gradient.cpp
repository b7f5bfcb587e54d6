#include "ops/norm/layer_gradient.hpp"

#include <optional>

#include "norm/gradient.args.h"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/declare.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/norm/gradient_sums.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using runtime::Access;

CONSTANT_STRUCT(GradientConstants, GRADIENT_CONSTANTS);

// kFlags of norm/gradient.comp
constexpr std::uint32_t kGamma = 1;
constexpr std::uint32_t kMean = 2;

/// The operands, contiguous: x and dy as matrices of rows, gamma as one row.
struct Matrices {
  Matrices(const LayerGradient& call, Staging& staging)
      : dy(staging.read(*call.dy)), x(staging.read(*call.x)), scale(staging.read(*call.scale)) {
    if (call.gamma) gamma = staging.read(*call.gamma);
    if (call.mean) mean = staging.read(*call.mean);
    const Shape& shape = call.x->shape;
    rows = element_count({shape.begin(), shape.begin() + call.lead});
    count = element_count({shape.begin() + call.lead, shape.end()});
  }

  std::int64_t rows = 0;
  std::int64_t count = 0;
  Tensor dy;
  Tensor x;
  Tensor scale;
  std::optional<Tensor> gamma{};
  std::optional<Tensor> mean{};
};

void add_rows(RowCall& rows, const Tensor& tensor, Access access, std::int64_t stride) {
  RowOperand operand = row_operand(tensor, access);
  operand.strides = {stride};
  operand.step = 1;
  operand.scalar_access = false;
  rows.operands.push_back(operand);
}

void add_statistic(RowCall& rows, const Tensor& tensor) {
  rows.operands.push_back(row_operand(tensor, Access::kRead));
  rows.operands.back().strides = {1};
}

Kernels input_kernels(const LayerGradient& call, const Matrices& matrices, const Tensor& out, Staging& staging) {
  const Tensor dx = staging.write(out);
  RowCall rows;
  rows.name = call.name;
  rows.shader = "norm/gradient_f32";
  GradientConstants constants;
  constants.kFlags = (matrices.gamma ? kGamma : 0U) | (matrices.mean ? kMean : 0U);
  add_constants(rows, constants);
  rows.rows = {matrices.x.empty() ? 0 : matrices.rows};
  rows.count = matrices.count;
  add_rows(rows, matrices.dy, Access::kRead, matrices.count);
  add_rows(rows, matrices.x, Access::kRead, matrices.count);
  if (matrices.gamma) {
    add_rows(rows, *matrices.gamma, Access::kRead, 0);
  } else {
    rows.operands.push_back(unused_row_operand(rows));
  }
  if (matrices.mean) {
    add_statistic(rows, *matrices.mean);
  } else {
    rows.operands.push_back(unused_row_operand(rows));
  }
  add_statistic(rows, matrices.scale);
  add_rows(rows, dx, Access::kWrite, matrices.count);
  return row_kernels(rows, call.execution);
}

/// The gradients of gamma and beta: rows are images of GradientSums, and columns its channels.
Kernels parameter_kernels(const LayerGradient& call, const Matrices& matrices, const LayerGradientOutputs& outputs,
                          Staging& staging) {
  GradientSums sums{call.name, call.execution};
  sums.dy = &matrices.dy;
  sums.x = &matrices.x;
  sums.images = matrices.rows;
  sums.channels = matrices.count;
  if (matrices.mean) sums.mean = {&*matrices.mean, 1, 0, 0};
  sums.scale = {&matrices.scale, 1, 0, 0};
  return channel_sum_kernels(sums, outputs.dbeta, outputs.dgamma, staging);
}

}  // namespace

Kernels layer_gradient_kernels(const LayerGradient& call, const LayerGradientOutputs& outputs, Staging& staging) {
  const Matrices matrices(call, staging);
  Kernels kernels;
  // Parameters' gradients read dy, so they come before dx, which may be dy itself.
  if (outputs.dgamma || outputs.dbeta) kernels = parameter_kernels(call, matrices, outputs, staging);
  if (outputs.dx) append(kernels, input_kernels(call, matrices, *outputs.dx, staging));
  // An executor has at least one kernel; this one copies nothing.
  if (kernels.empty()) kernels = copy_kernels(call.name, sliced(*call.x, 0, 0, 0), sliced(*call.x, 0, 0, 0));
  return kernels;
}

}  // namespace aclvk::ops
