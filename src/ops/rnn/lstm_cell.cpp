
#include "base/error.hpp"
#include "ops/args/rnn.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/output_mask.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/kernel/rows.hpp"
#include "ops/norm/add.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/rnn/lstm_step.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;
using runtime::Access;

constexpr DTypeSet kCellDtypes = {DType::kFloat, DType::kFloat16, DType::kBfloat16};

/// Adds an operand with `parts` times H elements a row (4 for gates); the shader indexes the parts itself.
void add_rows(RowCall& rows, const Tensor& tensor, Access access, std::int64_t parts) {
  RowOperand operand{tensor.address(), size_of(tensor.dtype), tensor.dtype, {parts * rows.count}, 1, access};
  // A gate starts at a multiple of H elements, which need not be aligned.
  operand.scalar_access = parts > 1;
  operand.extra_elements = (parts - 1) * rows.count;
  rows.operands.push_back(operand);
}

RowCall row_call(const char* name, const char* shader, const Tensor& state) {
  RowCall rows;
  rows.name = name;
  rows.shader = shader;
  rows.rows = {state.empty() ? 0 : state.shape[0]};
  rows.count = state.shape[1];
  return rows;
}

/// 161002 unless `state` and `states` are (batch, H) and `gates` (batch, 4 H).
void check_states(const TensorParameters& tensors, ParamId state, std::initializer_list<ParamId> states,
                  std::initializer_list<ParamId> gates) {
  tensors.check_all(kCellDtypes);
  const Shape& shape = tensors[state].shape;
  check(shape.size() == 2, Code::kNnInvalid, "{} has shape {}; it needs two dims, batch and hidden size.",
        tensors.name(state), shape);
  for (const ParamId param : states) tensors.check_shape(param, shape, "the states have shape");
  for (const ParamId param : gates) {
    tensors.check_shape(param, {shape[0], kGates * shape[1]}, "four gates for each element of a state are");
  }
}

}  // namespace

/// aclnnThnnFusedLstmCell. The biases may be NULL.
std::shared_ptr<Executor> plan(const ThnnFusedLstmCellArgs& args) {
  const char* name = "aclnnThnnFusedLstmCell";
  TensorParameters tensors;
  const ParamId input = tensors.input(args.inputGates);
  const ParamId hidden = tensors.input(args.hiddenGates);
  const ParamId cx = tensors.input(args.cx);
  const ParamId input_bias = tensors.optional_input(args.inputBiasOptional);
  const ParamId hidden_bias = tensors.optional_input(args.hiddenBiasOptional);
  const ParamId hy = tensors.output(args.hyOut);
  const ParamId cy = tensors.output(args.cyOut);
  const ParamId storage = tensors.output(args.storageOut);
  check_states(tensors, cx, {hy, cy}, {input, hidden, storage});
  for (const ParamId bias : {input_bias, hidden_bias}) {
    tensors.check_shape(bias, {kGates * tensors[cx].shape[1]}, "an element for each gate is");
  }
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({hy, cy}, {cx});
    // The preactivations are summed in float by pointwise kernels, so the cell reads one tensor for four.
    const Tensor preactivations = staging.make(bound[input]->shape, DType::kFloat);
    Kernels kernels = add_kernels(name, 1, *bound[input], *bound[hidden], bound[input_bias], preactivations);
    if (bound[hidden_bias])
      append(kernels, add_kernels(name, 1, preactivations, *bound[hidden_bias], nullptr, preactivations));
    const Tensor state = staging.read(*bound[cx]);
    RowCall rows = row_call(name, "rnn/lstm_cell_f32", state);
    add_rows(rows, state, Access::kRead, 1);
    add_rows(rows, preactivations, Access::kRead, kGates);
    add_rows(rows, staging.write(*bound[hy]), Access::kWrite, 1);
    add_rows(rows, staging.write(*bound[cy]), Access::kWrite, 1);
    add_rows(rows, staging.write(*bound[storage]), Access::kWrite, kGates);
    append(kernels, row_kernels(rows, execution));
    return kernels;
  });
}

/// aclnnThnnFusedLstmCellBackward. NULL incoming gradients count as 0. Without a bias grad_bias may be NULL.
std::shared_ptr<Executor> plan(const ThnnFusedLstmCellBackwardArgs& args) {
  const bool has_bias = args.hasBias;
  const char* name = "aclnnThnnFusedLstmCellBackward";
  TensorParameters tensors;
  const ParamId grad_hy = tensors.optional_input(args.gradHyOptional);
  const ParamId grad_cy = tensors.optional_input(args.gradCOptional);
  const ParamId cx = tensors.input(args.cx);
  const ParamId cy = tensors.input(args.cy);
  const ParamId storage = tensors.input(args.storage);
  const ParamId grad_gates = tensors.output(args.gradGatesOut);
  const ParamId grad_cx = tensors.output(args.gradCxOut);
  const ParamId grad_bias = wanted_output(tensors, has_bias, args.gradBiasOut);
  check_states(tensors, cx, {grad_hy, grad_cy, cy, grad_cx}, {storage, grad_gates});
  tensors.check_shape(grad_bias, {kGates * tensors[cx].shape[1]}, "an element for each gate is");
  const runtime::Execution execution = runtime::execution();
  return staged_executor(name, tensors, [=](const TensorParameters::BoundTensors& bound, Staging& staging) {
    bound.check_disjoint({grad_gates, grad_cx, grad_bias}, {cx, cy, storage});
    const Tensor state = staging.read(*bound[cx]);
    const std::int64_t size = state.shape[1];
    // Both gradients share an operand, because the frame of row kernels has six operands.
    const Tensor given = staging.make({state.shape[0], 2 * size}, DType::kFloat);
    Kernels kernels;
    std::int64_t start = 0;
    for (const ParamId param : {grad_hy, grad_cy}) {
      const Tensor half = sliced(given, 1, start, size);
      append(kernels, bound[param] ? copy_kernels(name, half, *bound[param]) : fill_kernels(name, half, {}));
      start += size;
    }
    const Tensor gates = staging.write(*bound[grad_gates]);
    RowCall rows = row_call(name, "rnn/lstm_cell_gradient_f32", state);
    add_rows(rows, state, Access::kRead, 1);
    add_rows(rows, staging.read(*bound[cy]), Access::kRead, 1);
    add_rows(rows, given, Access::kRead, 2);
    add_rows(rows, staging.read(*bound[storage]), Access::kRead, kGates);
    add_rows(rows, gates, Access::kWrite, kGates);
    add_rows(rows, staging.write(*bound[grad_cx]), Access::kWrite, 1);
    append(kernels, row_kernels(rows, execution));
    if (const Tensor* bias = bound[grad_bias]) {
      // The bias is added to each row of the batch, so its gradient is the sum over the batch.
      append(kernels, reduce_kernels(name, ReduceKind::kSum, DType::kFloat, gates, 1, *bias, staging));
    }
    return kernels;
  });
}

}  // namespace aclvk::ops
