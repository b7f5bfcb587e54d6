#include "ops/attention/attention.hpp"

#include <algorithm>
#include <utility>

#include "ops/attention/assemble.hpp"
#include "ops/attention/eights.hpp"
#include "ops/attention/flash.hpp"
#include "ops/attention/operands.hpp"
#include "ops/attention/plan.hpp"
#include "ops/create/fill.hpp"
#include "ops/elementwise/copy.hpp"
#include "ops/shape/view.hpp"
#include "ops/staged_executor.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

/// The tensors of a run, in eights.
struct Ready {
  Tensor query;
  std::vector<Tensor> keys;
  std::vector<Tensor> values;
  Tensor out;
  std::optional<Tensor> mask;
  std::optional<Tensor> shift;
  std::optional<Tensor> statistics;
  std::optional<Tensor> table;
  std::optional<Tensor> padding;
};

/// Where the kernel writes it: to the logarithms, or pairs of which the tops and the sums are copies.
std::optional<Tensor> make_statistics(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging,
                                      Kernels& before) {
  if (plan.statistic == Statistic::kNone) return std::nullopt;
  if (plan.statistic == Statistic::kLogarithm) return selected(by_rows(plan, *bound[plan.at.logarithm]), 3);
  Shape shape = by_rows(plan, *bound[plan.at.top]).shape;
  shape[3] = 2;
  const Tensor pairs = staging.make(shape, DType::kFloat);
  append(before, fill_kernels(plan.name, pairs, {}));
  for (const auto& [place, part] : {std::pair{plan.at.top, 0}, std::pair{plan.at.sum, 1}}) {
    const auto own = [&](const Tensor& rows) { return sliced(rows, 2, 0, covered_queries(plan, shape[2])); };
    staging.finish_with(copy_kernels(plan.name, own(by_rows(plan, *bound[place])), own(sliced(pairs, 3, part, 1))));
  }
  return selected(pairs, 3);
}

Tensor make_out(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging, Kernels& before) {
  const Tensor out = by_heads(*bound[plan.at.out], plan.tensors.name(plan.at.out), plan.result, plan.heads);
  const Tensor written = plan.tensors.has(plan.at.out_scale) ? assembled_out(plan, out, bound, staging, before)
                                                             : write_in_eights(plan.name, out, staging, before);
  return for_all_sequences(written, plan.batch(), plan.packed());
}

/// How much padding follows the tokens of query and of key, side by side.
std::optional<Tensor> make_padding(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging,
                                   Kernels& before) {
  if (!plan.is_padded()) return std::nullopt;
  const Tensor both = staging.make({2}, DType::kInt64);
  append(before, fill_kernels(plan.name, both, {}));
  for (const auto& [place, part] : {std::pair{plan.at.query_padding, 0}, std::pair{plan.at.key_padding, 1}}) {
    if (!plan.tensors.has(place)) continue;
    append(before, copy_kernels(plan.name, sliced(both, 0, part, 1), *reshaped(*bound[place], {1})));
  }
  return both;
}

Ready make_ready(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging, Kernels& before) {
  Ready ready{make_query(plan, bound, staging, before),
              make_keys(plan, bound, plan.at.key, staging, before),
              make_keys(plan, bound, plan.at.value, staging, before),
              make_out(plan, bound, staging, before),
              {},
              {},
              {},
              {},
              {}};
  const std::int64_t queries = ready.query.shape[2];
  ready.mask = make_mask(plan, bound, queries, staging, before);
  ready.shift = make_shift(plan, bound, queries, staging, before);
  if (plan.reads_table()) ready.table = staging.read(*bound[plan.at.table]);
  ready.padding = make_padding(plan, bound, staging, before);
  const auto statistics = make_statistics(plan, bound, staging, before);
  if (statistics) ready.statistics = for_all_sequences(*statistics, plan.batch(), plan.packed());
  return ready;
}

/// Some sequences, which share a window and member `member` of the lists.
Attention attention_for(const AttentionPlan& plan, const Ready& ready, const BoundTensors& bound, std::size_t member,
                        const Stretch& stretch) {
  const bool all = stretch.count == plan.sequences.size();
  const auto own = [&](const Tensor& tensor) {
    const auto first = static_cast<std::int64_t>(stretch.first);
    return all ? tensor : sliced(tensor, 0, first, static_cast<std::int64_t>(stretch.count));
  };
  const bool alone = ready.keys.size() > 1;
  const auto keys = [&](const Tensor& tensor) { return alone || plan.reads_table() ? tensor : own(tensor); };
  Attention attention{plan.name, own(ready.query), keys(ready.keys[member]), keys(ready.values[member]),
                      own(ready.out)};
  const auto begin = plan.sequences.begin() + static_cast<std::ptrdiff_t>(stretch.first);
  attention.sequences = {begin, begin + static_cast<std::ptrdiff_t>(stretch.count)};
  attention.packed = plan.packed() && !plan.is_paged;
  attention.scale = plan.scale;
  attention.window = stretch.window;
  if (ready.mask) attention.mask = own(*ready.mask);
  attention.drops = plan.drops();
  attention.gain = 1 / plan.kept;
  if (ready.shift) attention.shift = own(*ready.shift);
  attention.shift_kind = plan.shift_kind;
  attention.shift_of_last = plan.shift_of_last;
  attention.apart = plan.apart;
  if (ready.table) attention.table = own(*ready.table);
  attention.padding = ready.padding;
  if (bound[plan.at.sink]) attention.sinks = *bound[plan.at.sink];
  attention.statistic = plan.statistic;
  if (ready.statistics) attention.statistics = own(*ready.statistics);
  return attention;
}

void check_memory(const AttentionPlan& plan, const BoundTensors& bound) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  if (plan.statistic == Statistic::kTopAndSum)
    check_disjoint(*bound[at.top], "softmaxMaxOut", *bound[at.sum], "softmaxSumOut");
  for (const ParamId place : statistics_of(plan)) {
    check_disjoint(*bound[at.out], tensors.name(at.out), *bound[place], tensors.name(place));
  }
  for (const ParamId place : {at.query, at.query_rope, at.key, at.key_rope, at.value, at.shift, at.drop_mask, at.sink,
                              at.key_prefix, at.value_prefix}) {
    if (!tensors.has(place)) continue;
    for (std::size_t i = 0; i < tensors.list(place).size(); ++i) {
      check_disjoint(*bound[at.out], tensors.name(at.out), bound.of_list(place, i), tensors.name(place));
    }
  }
}

/// One after the other they keep what rows have in the same place.
void give_state(std::vector<Attention>& parts, Staging& staging) {
  std::int64_t floats = 0;
  for (const Attention& part : parts) floats = std::max(floats, attention_state(part, runtime::execution()));
  if (floats == 0) return;
  const Tensor state = staging.make({floats}, DType::kFloat);
  for (Attention& part : parts) part.state = state;
}

Kernels kernels_for(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging) {
  check_memory(plan, bound);
  Kernels kernels;
  const Ready ready = make_ready(plan, bound, staging, kernels);
  std::vector<Attention> parts;
  const auto add = [&](std::size_t member, const Stretch& stretch) {
    parts.push_back(attention_for(plan, ready, bound, member, stretch));
  };
  for (std::size_t member = 0; member < ready.keys.size() && ready.keys.size() > 1; ++member) {
    add(member, {member, 1, plan.stretches.front().window});
  }
  for (std::size_t i = 0; i < plan.stretches.size() && ready.keys.size() == 1; ++i) add(0, plan.stretches[i]);
  give_state(parts, staging);
  for (const Attention& part : parts) append(kernels, attention_kernels(part, runtime::execution()));
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
