#include "ops/attention/attention.hpp"

#include <algorithm>
#include <utility>

#include "ops/attention/assemble.hpp"
#include "ops/attention/flash.hpp"
#include "ops/attention/operands.hpp"
#include "ops/attention/plan.hpp"
#include "ops/attention/vec8.hpp"
#include "ops/create/fill.hpp"
#include "ops/executor/staged_executor.hpp"
#include "ops/kernel/copy.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

/// The operands of the kernels, readable as vec8s.
struct KernelOperands {
  Tensor query;
  std::vector<Tensor> keys;
  std::vector<Tensor> values;
  Tensor out;
  std::optional<Tensor> mask;
  std::optional<Tensor> position_bias;
  std::optional<Tensor> stats;
  std::optional<Tensor> table;
  std::optional<Tensor> padding;
};

/// Returns the tensor that the kernel writes softmax statistics to: the log-sum-exp itself, or pairs in the workspace
/// from which row maxima and row sums are copied.
std::optional<Tensor> make_stats(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging,
                                 Kernels& before) {
  if (plan.stats_kind == SoftmaxStats::kNone) return std::nullopt;
  if (plan.stats_kind == SoftmaxStats::kLogSumExp) return selected(by_rows(plan, *bound[plan.at.log_sum_exp]), 3);
  Shape shape = by_rows(plan, *bound[plan.at.row_max]).shape;
  shape[3] = 2;
  const Tensor pairs = staging.make(shape, DType::kFloat);
  append(before, fill_kernels(plan.name, pairs, {}));
  for (const auto& [param, part] : {std::pair{plan.at.row_max, 0}, std::pair{plan.at.row_sum, 1}}) {
    // Copies the rows of sequences only: values of other tokens are not changed.
    const auto own = [&](const Tensor& rows) { return sliced(rows, 2, 0, covered_queries(plan, shape[2])); };
    staging.finish_with(copy_kernels(plan.name, own(by_rows(plan, *bound[param])), own(sliced(pairs, 3, part, 1))));
  }
  return selected(pairs, 3);
}

Tensor make_out(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging, Kernels& before) {
  const Tensor out = by_heads(*bound[plan.at.out], plan.tensors.name(plan.at.out), plan.result, plan.heads);
  const Tensor written = plan.tensors.has(plan.at.out_scale) ? assembled_out(plan, out, bound, staging, before)
                                                             : write_as_vec8(plan.name, out, staging, before);
  return for_all_sequences(written, plan.batch(), plan.packed());
}

/// Returns the paddings of query and key as two neighbouring integers; an absent one is 0.
std::optional<Tensor> make_padding(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging,
                                   Kernels& before) {
  if (!plan.is_padded()) return std::nullopt;
  // Stays in device memory: kernels read the paddings when they run, in each replay.
  const Tensor both = staging.make({2}, DType::kInt64);
  append(before, fill_kernels(plan.name, both, {}));
  for (const auto& [param, part] : {std::pair{plan.at.query_padding, 0}, std::pair{plan.at.key_padding, 1}}) {
    if (!plan.tensors.has(param)) continue;
    append(before, copy_kernels(plan.name, sliced(both, 0, part, 1), *reshaped(*bound[param], {1})));
  }
  return both;
}

KernelOperands make_kernel_operands(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging,
                                    Kernels& before) {
  KernelOperands operands{make_query(plan, bound, staging, before),
                          make_keys(plan, bound, plan.at.key, staging, before),
                          make_keys(plan, bound, plan.at.value, staging, before),
                          make_out(plan, bound, staging, before),
                          {},
                          {},
                          {},
                          {},
                          {}};
  const std::int64_t queries = operands.query.shape[2];
  operands.mask = make_mask(plan, bound, queries, staging, before);
  operands.position_bias = make_position_bias(plan, bound, queries, staging, before);
  if (plan.reads_table()) operands.table = staging.read(*bound[plan.at.table]);
  operands.padding = make_padding(plan, bound, staging, before);
  const auto stats = make_stats(plan, bound, staging, before);
  if (stats) operands.stats = for_all_sequences(*stats, plan.batch(), plan.packed());
  return operands;
}

/// Returns the attention of a range of sequences with list member `member` as keys and values.
Attention attention_for(const AttentionPlan& plan, const KernelOperands& operands, const BoundTensors& bound,
                        std::size_t member, const SequenceRange& range) {
  const bool all = range.count == plan.sequences.size();
  const auto own = [&](const Tensor& tensor) {
    const auto first = static_cast<std::int64_t>(range.first);
    return all ? tensor : sliced(tensor, 0, first, static_cast<std::int64_t>(range.count));
  };
  const bool has_members = operands.keys.size() > 1;
  // A list member has one sequence only, and pages belong to no sequence: neither is sliced.
  const auto keys = [&](const Tensor& tensor) { return has_members || plan.reads_table() ? tensor : own(tensor); };
  Attention attention{plan.name, own(operands.query), keys(operands.keys[member]), keys(operands.values[member]),
                      own(operands.out)};
  const auto begin = plan.sequences.begin() + static_cast<std::ptrdiff_t>(range.first);
  attention.sequences = {begin, begin + static_cast<std::ptrdiff_t>(range.count)};
  attention.packed = plan.packed() && !plan.is_paged;
  attention.scale = plan.scale;
  attention.window = range.window;
  if (operands.mask) attention.mask = own(*operands.mask);
  attention.drops = plan.drops();
  attention.dropout_scale = 1 / plan.keep_prob;
  if (operands.position_bias) attention.position_bias = own(*operands.position_bias);
  attention.position_bias_kind = plan.position_bias_kind;
  attention.bias_of_last_rows = plan.bias_of_last_rows;
  attention.position_offset = plan.position_offset;
  if (operands.table) attention.table = own(*operands.table);
  attention.padding = operands.padding;
  if (bound[plan.at.sink]) attention.sinks = *bound[plan.at.sink];
  attention.stats_kind = plan.stats_kind;
  if (operands.stats) attention.stats = own(*operands.stats);
  return attention;
}

/// Checks that results share no memory with inputs: tiles write some rows while other tiles still read.
void check_memory(const AttentionPlan& plan, const BoundTensors& bound) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  if (plan.stats_kind == SoftmaxStats::kMaxAndSum)
    check_disjoint(*bound[at.row_max], "softmaxMaxOut", *bound[at.row_sum], "softmaxSumOut");
  for (const ParamId param : stats_of(plan)) {
    check_disjoint(*bound[at.out], tensors.name(at.out), *bound[param], tensors.name(param));
  }
  for (const ParamId param : {at.query, at.query_rope, at.key, at.key_rope, at.value, at.position_bias, at.drop_mask,
                              at.sink, at.key_prefix, at.value_prefix}) {
    if (!tensors.has(param)) continue;
    for (std::size_t i = 0; i < tensors.list(param).size(); ++i) {
      check_disjoint(*bound[at.out], tensors.name(at.out), bound.of_list(param, i), tensors.name(param));
    }
  }
}

/// Gives all calls the same memory for the state between kernels, as calls run one after the other.
void assign_state(std::vector<Attention>& calls, Staging& staging) {
  std::int64_t floats = 0;
  for (const Attention& call : calls) floats = std::max(floats, attention_state(call, runtime::execution()));
  if (floats == 0) return;
  const Tensor state = staging.make({floats}, DType::kFloat);
  for (Attention& call : calls) call.state = state;
}

Kernels kernels_for(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging) {
  check_memory(plan, bound);
  Kernels kernels;
  const KernelOperands operands = make_kernel_operands(plan, bound, staging, kernels);
  std::vector<Attention> calls;
  const auto add = [&](std::size_t member, const SequenceRange& range) {
    calls.push_back(attention_for(plan, operands, bound, member, range));
  };
  // Each list member is memory of its own, so each sequence of a list is a call of its own.
  for (std::size_t member = 0; member < operands.keys.size() && operands.keys.size() > 1; ++member) {
    add(member, {member, 1, plan.ranges.front().window});
  }
  for (std::size_t i = 0; i < plan.ranges.size() && operands.keys.size() == 1; ++i) add(0, plan.ranges[i]);
  assign_state(calls, staging);
  for (const Attention& call : calls) append(kernels, attention_kernels(call, runtime::execution()));
  return kernels;
}

}  // namespace

std::shared_ptr<Executor> plan_attention(const AttentionCall& call) {
  const AttentionPlan plan = checked_plan(call);
  return staged_executor(call.name, plan.tensors, [plan](const BoundTensors& bound, Staging& staging) {
    return kernels_for(plan, bound, staging);
  });
}

}  // namespace aclvk::ops
