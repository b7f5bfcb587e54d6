#include <utility>

#include "ops/attention/attention.hpp"
#include "ops/attention/backward.hpp"
#include "ops/attention/eights.hpp"
#include "ops/attention/operands.hpp"
#include "ops/attention/plan.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/shape/matrix_view.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

constexpr std::int64_t kVec8 = 8;
constexpr std::size_t kColumns = 3;

/// A gradient as sequences, heads, tokens, columns; that of ropes are more columns.
std::vector<Tensor> parts_of(const AttentionPlan& plan, const BoundTensors& bound, ParamId own, ParamId rope,
                             std::int64_t heads) {
  std::vector<Tensor> parts;
  for (const ParamId place : {own, rope}) {
    if (plan.tensors.has(place)) {
      parts.push_back(by_heads(*bound[place], plan.tensors.name(place), plan.layout, heads));
    }
  }
  return parts;
}

/// Where the kernels write the columns of `parts`. Tokens that belong to no sequence have zeros.
Tensor make_target(const AttentionPlan& plan, const std::vector<Tensor>& parts, bool in_pieces, Staging& staging,
                   Kernels& before) {
  const bool direct = parts.size() == 1 && !in_pieces && has_vec8_access(parts.front(), kColumns);
  Tensor target = parts.front();
  if (!direct) {
    Shape shape = target.shape;
    shape[kColumns] = 0;
    for (const Tensor& part : parts) shape[kColumns] += part.shape[kColumns];
    shape[kColumns] = (shape[kColumns] + kVec8 - 1) / kVec8 * kVec8;
    target = staging.make(shape, in_pieces ? DType::kFloat : plan.computes_in);
    std::int64_t first = 0;
    for (const Tensor& part : parts) {
      staging.finish_with(copy_kernels(plan.name, part, sliced(target, kColumns, first, part.shape[kColumns])));
      first += part.shape[kColumns];
    }
  }
  if (plan.packed()) append(before, fill_kernels(plan.name, target, {}));
  return target;
}

Tensor make_rows(const AttentionPlan& plan, const BoundTensors& bound, const Tensor& dy, Staging& staging,
                 Kernels& before) {
  const Tensor y = read_in_eights(
      plan.name, by_heads(*bound[plan.at.result], "attentionInOptional", plan.layout, plan.heads), staging, before);
  const Tensor rows = staging.make({dy.shape[0], dy.shape[1], dy.shape[2], 4}, DType::kFloat);
  const auto statistic = [&](ParamId place) { return selected(by_rows(plan, *bound[place]), 3); };
  append(before, row_facts_kernels(plan.name, dy, y, statistic(plan.at.top), statistic(plan.at.sum), rows));
  return rows;
}

/// What all sequences have in common.
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
      read_in_eights(plan.name, by_heads(*bound[plan.at.out], "dy", plan.layout, plan.heads), staging, before);
  gradient.rows = for_all(make_rows(plan, bound, dy, staging, before));
  forward.out = for_all(dy);
  forward.sequences = plan.sequences;
  forward.scale = plan.scale;
  forward.mask = make_mask(plan, bound, forward.q.shape[2], staging, before);
  forward.drops = plan.drops();
  forward.gain = 1 / plan.kept;
  forward.shift = make_shift(plan, bound, forward.q.shape[2], staging, before);
  forward.shift_kind = plan.shift_kind;
  forward.shift_of_last = plan.shift_of_last;
  forward.apart = plan.apart;
  const auto target = [&](ParamId own, ParamId rope, std::int64_t heads, bool of_keys) {
    const bool in_pieces = takes_pieces(forward, of_keys);
    return for_all(make_target(plan, parts_of(plan, bound, own, rope, heads), in_pieces, staging, before));
  };
  gradient.dq = target(plan.at.dq, plan.at.dq_rope, plan.heads, false);
  gradient.dk = target(plan.at.dk, plan.at.dk_rope, plan.key_heads, true);
  gradient.dv = target(plan.at.dv, ParamId::kNone, plan.key_heads, true);
  return gradient;
}

/// Some sequences, which share a window.
AttentionGradient for_stretch(const AttentionGradient& all, const Stretch& stretch) {
  AttentionGradient gradient = all;
  Attention& forward = gradient.forward;
  const auto begin = all.forward.sequences.begin() + static_cast<std::ptrdiff_t>(stretch.first);
  forward.sequences = {begin, begin + static_cast<std::ptrdiff_t>(stretch.count)};
  forward.window = stretch.window;
  if (stretch.count == all.forward.sequences.size()) return gradient;
  const auto own = [&](Tensor& tensor) {
    tensor = sliced(tensor, 0, static_cast<std::int64_t>(stretch.first), static_cast<std::int64_t>(stretch.count));
  };
  for (Tensor* tensor :
       {&forward.q, &forward.k, &forward.v, &forward.out, &gradient.rows, &gradient.dq, &gradient.dk, &gradient.dv}) {
    own(*tensor);
  }
  if (forward.mask) own(*forward.mask);
  if (forward.shift) own(*forward.shift);
  return gradient;
}

void check_memory(const AttentionPlan& plan, const BoundTensors& bound) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  const ParamId results[] = {at.dq, at.dq_rope, at.dk, at.dk_rope, at.dv};
  for (const ParamId result : results) {
    if (!tensors.has(result)) continue;
    const auto apart_from = [&](ParamId other) {
      if (other != result && tensors.has(other)) {
        check_disjoint(*bound[result], tensors.name(result), *bound[other], tensors.name(other));
      }
    };
    for (const ParamId other : {at.query, at.query_rope, at.key, at.key_rope, at.value, at.out, at.shift, at.drop_mask,
                                at.mask, at.top, at.sum, at.result}) {
      apart_from(other);
    }
    for (const ParamId other : results) apart_from(other);
  }
}

/// Where nobody sees anything, or there is nothing to see.
Kernels nothing(const AttentionPlan& plan, const BoundTensors& bound) {
  Kernels kernels;
  for (const ParamId place : {plan.at.dq, plan.at.dq_rope, plan.at.dk, plan.at.dk_rope, plan.at.dv}) {
    if (plan.tensors.has(place)) append(kernels, fill_kernels(plan.name, *bound[place], {}));
  }
  return kernels;
}

Kernels kernels_for(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging) {
  check_memory(plan, bound);
  for (const ParamId place : {plan.at.query, plan.at.key, plan.at.value}) {
    if (bound[place]->empty()) return nothing(plan, bound);
  }
  Kernels kernels;
  const AttentionGradient gradient = make_gradient(plan, bound, staging, kernels);
  for (const Stretch& stretch : plan.stretches) {
    append(kernels, gradient_kernels(for_stretch(gradient, stretch), runtime::execution()));
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
