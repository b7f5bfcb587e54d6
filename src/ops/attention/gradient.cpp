#include <utility>

#include "ops/attention/attention.hpp"
#include "ops/attention/backward.hpp"
#include "ops/attention/operands.hpp"
#include "ops/attention/plan.hpp"
#include "ops/attention/vec8.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/access.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/reduction/reduce.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

constexpr std::size_t kColumns = 3;

/// Returns a gradient as views with the dims sequences, heads, tokens, columns; the gradient of a rope has further
/// columns.
std::vector<Tensor> parts_of(const AttentionPlan& plan, const BoundTensors& bound, ParamId own, ParamId rope,
                             std::int64_t heads) {
  std::vector<Tensor> parts;
  for (const ParamId param : {own, rope}) {
    if (plan.tensors.has(param)) {
      parts.push_back(by_heads(*bound[param], plan.tensors.name(param), plan.layout, heads));
    }
  }
  return parts;
}

/// Returns the tensor that kernels write: the gradient itself, or one in the workspace that is copied to `parts` at the
/// end. Tokens outside of all sequences are 0.
Tensor make_target(const AttentionPlan& plan, const std::vector<Tensor>& parts, bool in_several_kernels,
                   Staging& staging, Kernels& before) {
  const bool direct = parts.size() == 1 && !in_several_kernels && has_vec8_access(parts.front(), kColumns);
  Tensor target = parts.front();
  if (!direct) {
    Shape shape = target.shape;
    shape[kColumns] = 0;
    for (const Tensor& part : parts) shape[kColumns] += part.shape[kColumns];
    shape[kColumns] = (shape[kColumns] + kVec8 - 1) / kVec8 * kVec8;
    // Sums that several kernels continue stay floats; a 16-bit result would round each partial sum.
    target = staging.make(shape, in_several_kernels ? DType::kFloat : plan.computes_in);
    std::int64_t first = 0;
    for (const Tensor& part : parts) {
      staging.finish_with(copy_kernels(plan.name, part, sliced(target, kColumns, first, part.shape[kColumns])));
      first += part.shape[kColumns];
    }
  }
  if (plan.packed()) append(before, fill_kernels(plan.name, target, {}));
  return target;
}

/// Sums up the parts that rows have in the gradients of their heads' sinks.
Kernels sink_kernels(const AttentionPlan& plan, const Tensor& row_stats, const Tensor& dsink, Staging& staging) {
  constexpr std::int64_t kOfSink = 3;  // of the floats of a row
  constexpr DimMask kAllButHeads = 0b101;
  // Tokens after the last sequence have no row of softmax.
  const std::int64_t tokens = covered_queries(plan, row_stats.shape[2]);
  const Tensor parts = sliced(selected(row_stats, 3, kOfSink), 2, 0, tokens);
  return reduce_kernels(plan.name, ReduceKind::kSum, DType::kFloat, parts, kAllButHeads, dsink, staging);
}

Tensor make_row_stats(const AttentionPlan& plan, const BoundTensors& bound, const Tensor& dy, Staging& staging,
                      Kernels& before) {
  // delta = rowsum(dY Y) needs the result of the forward pass, which is an input of this operator.
  const Tensor y = read_as_vec8(
      plan.name, by_heads(*bound[plan.at.result], "attentionInOptional", plan.layout, plan.heads), staging, before);
  const Tensor row_stats = staging.make({dy.shape[0], dy.shape[1], dy.shape[2], 4}, DType::kFloat);
  const auto stat_of = [&](ParamId param) { return selected(by_rows(plan, *bound[param]), 3); };
  append(before, row_stats_kernels(plan.name, dy, y, stat_of(plan.at.row_max), stat_of(plan.at.row_sum),
                                   bound[plan.at.sink], row_stats));
  if (bound[plan.at.dsink]) append(before, sink_kernels(plan, row_stats, *bound[plan.at.dsink], staging));
  return row_stats;
}

/// Returns the operands for all sequences.
AttentionGradient make_gradient(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging,
                                Kernels& before) {
  AttentionGradient gradient;
  Attention& forward = gradient.forward;
  const auto for_all = [&](const Tensor& tensor) { return for_all_sequences(tensor, plan.batch(), plan.packed()); };
  forward.name = plan.name;
  forward.q = make_query(plan, bound, staging, before);
  forward.k = make_keys(plan, bound, plan.at.key, staging, before).front();
  forward.v = make_keys(plan, bound, plan.at.value, staging, before).front();
  const Tensor dy =
      read_as_vec8(plan.name, by_heads(*bound[plan.at.out], "dy", plan.layout, plan.heads), staging, before);
  gradient.row_stats = for_all(make_row_stats(plan, bound, dy, staging, before));
  forward.out = for_all(dy);
  forward.sequences = plan.sequences;
  forward.scale = plan.scale;
  forward.mask = make_mask(plan, bound, forward.q.shape[2], staging, before);
  forward.drops = plan.drops();
  forward.dropout_scale = 1 / plan.keep_prob;
  forward.position_bias = make_position_bias(plan, bound, forward.q.shape[2], staging, before);
  forward.position_bias_kind = plan.position_bias_kind;
  forward.bias_of_last_rows = plan.bias_of_last_rows;
  forward.position_offset = plan.position_offset;
  const auto target = [&](ParamId own, ParamId rope, std::int64_t heads, bool of_keys) {
    const bool in_several_kernels = needs_several_kernels(forward, of_keys);
    return for_all(make_target(plan, parts_of(plan, bound, own, rope, heads), in_several_kernels, staging, before));
  };
  gradient.dq = target(plan.at.dq, plan.at.dq_rope, plan.heads, false);
  gradient.dk = target(plan.at.dk, plan.at.dk_rope, plan.key_heads, true);
  gradient.dv = target(plan.at.dv, ParamId::kNone, plan.key_heads, true);
  return gradient;
}

/// Returns the operands for a range of sequences.
AttentionGradient for_range(const AttentionGradient& all, const SequenceRange& range) {
  AttentionGradient gradient = all;
  Attention& forward = gradient.forward;
  const auto begin = all.forward.sequences.begin() + static_cast<std::ptrdiff_t>(range.first);
  forward.sequences = {begin, begin + static_cast<std::ptrdiff_t>(range.count)};
  forward.window = range.window;
  if (range.count == all.forward.sequences.size()) return gradient;
  const auto own = [&](Tensor& tensor) {
    tensor = sliced(tensor, 0, static_cast<std::int64_t>(range.first), static_cast<std::int64_t>(range.count));
  };
  for (Tensor* tensor : {&forward.q, &forward.k, &forward.v, &forward.out, &gradient.row_stats, &gradient.dq,
                         &gradient.dk, &gradient.dv}) {
    own(*tensor);
  }
  if (forward.mask) own(*forward.mask);
  if (forward.position_bias) own(*forward.position_bias);
  return gradient;
}

/// Checks that gradients share no memory with inputs or with one another: several kernels read the inputs.
void check_memory(const AttentionPlan& plan, const BoundTensors& bound) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  const ParamId results[] = {at.dq, at.dq_rope, at.dk, at.dk_rope, at.dv, at.dsink};
  for (const ParamId result : results) {
    if (!tensors.has(result)) continue;
    const auto check_disjoint_from = [&](ParamId other) {
      if (other != result && tensors.has(other)) {
        check_disjoint(*bound[result], tensors.name(result), *bound[other], tensors.name(other));
      }
    };
    for (const ParamId other : {at.query, at.query_rope, at.key, at.key_rope, at.value, at.out, at.position_bias,
                                at.drop_mask, at.mask, at.row_max, at.row_sum, at.result, at.sink}) {
      check_disjoint_from(other);
    }
    for (const ParamId other : results) check_disjoint_from(other);
  }
}

/// Returns the kernels for empty inputs: all gradients are 0.
Kernels nothing(const AttentionPlan& plan, const BoundTensors& bound) {
  Kernels kernels;
  for (const ParamId param : {plan.at.dq, plan.at.dq_rope, plan.at.dk, plan.at.dk_rope, plan.at.dv, plan.at.dsink}) {
    if (plan.tensors.has(param)) append(kernels, fill_kernels(plan.name, *bound[param], {}));
  }
  return kernels;
}

Kernels kernels_for(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging) {
  check_memory(plan, bound);
  for (const ParamId param : {plan.at.query, plan.at.key, plan.at.value}) {
    if (bound[param]->empty()) return nothing(plan, bound);
  }
  Kernels kernels;
  const AttentionGradient gradient = make_gradient(plan, bound, staging, kernels);
  for (const SequenceRange& range : plan.ranges) {
    append(kernels, gradient_kernels(for_range(gradient, range), runtime::execution()));
  }
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_attention_gradient(const AttentionCall& call) {
  const AttentionPlan plan = checked_plan(call);
  return staged_executor(call.name, plan.tensors, [plan](const BoundTensors& bound, Staging& staging) {
    return kernels_for(plan, bound, staging);
  });
}

}  // namespace aclvk::ops
