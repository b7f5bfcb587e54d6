#include "ops/attention/operands.hpp"

#include <algorithm>

#include "ops/attention/assemble.hpp"
#include "ops/attention/combined_mask.hpp"
#include "ops/attention/layout.hpp"
#include "ops/attention/vec8.hpp"
#include "ops/tensor/view.hpp"

namespace aclvk::ops {
namespace {

using BoundTensors = TensorParameters::BoundTensors;
using ParamId = TensorParameters::ParamId;

/// Returns ALiBi slopes with the dims sequences, heads, 1, 1.
Tensor alibi_slopes(const AttentionPlan& plan, const Tensor& tensor) {
  const Tensor rows = tensor.shape.size() == 1 ? repeated(tensor, 0, plan.batch()) : tensor;
  return repeated(repeated(rows, 2, 1), 3, 1);
}

}  // namespace

Tensor for_all_sequences(Tensor tensor, std::int64_t sequences, bool packed) {
  if (!packed) return tensor;
  // Packed sequences share the dim of tokens: each finds its own by Sequence::first_query and first_key.
  tensor.strides[0] = 0;
  tensor.shape[0] = sequences;
  return tensor;
}

Tensor by_rows(const AttentionPlan& plan, const Tensor& tensor) {
  return plan.packed() ? repeated(permuted(tensor, {1, 0, 2}), 0, 1) : tensor;
}

std::int64_t covered_queries(const AttentionPlan& plan, std::int64_t all) {
  if (!plan.packed()) return all;
  return plan.sequences.empty() ? 0 : plan.sequences.back().first_query + plan.sequences.back().queries;
}

Tensor make_query(const AttentionPlan& plan, const BoundTensors& bound, Staging& staging, Kernels& before) {
  const Tensor query =
      plan.assembles_query
          ? assembled_query(plan, bound, staging, before)
          : read_as_vec8(plan.name, by_heads(*bound[plan.at.query], "query", plan.layout, plan.heads), staging, before);
  return for_all_sequences(query, plan.batch(), plan.packed());
}

std::vector<Tensor> make_keys(const AttentionPlan& plan, const BoundTensors& bound, ParamId param, Staging& staging,
                              Kernels& before) {
  std::vector<Tensor> all;
  for (std::size_t i = 0; i < plan.tensors.list(param).size(); ++i) {
    const auto make = [&] {
      if (!plan.assembles_keys) {
        const Tensor keys = keys_by_heads(plan, bound.of_list(param, i), plan.tensors.name(param));
        return read_as_vec8(plan.name, keys, staging, before);
      }
      return param == plan.at.key ? assembled_keys(plan, bound, i, staging, before)
                                  : assembled_values(plan, bound, i, staging, before);
    };
    all.push_back(for_all_sequences(make(), plan.batch(), plan.packed() && !plan.is_paged));
  }
  return all;
}

std::optional<Tensor> make_mask(const AttentionPlan& plan, const BoundTensors& bound, std::int64_t queries,
                                Staging& staging, Kernels& before) {
  const Shape pairs{plan.batch(), plan.heads, queries, 1};
  const auto mask_as = [&](const Tensor& tensor) { return over_pairs(tensor, pairs); };
  if (!plan.drops()) {
    if (!plan.reads_mask) return std::nullopt;
    return mask_as(read_as_vec8(plan.name, *bound[plan.at.mask], staging, before));
  }
  std::int64_t most_queries = 0;
  std::int64_t most_keys = 0;
  for (const Sequence& sequence : plan.sequences) {
    most_queries = std::max(most_queries, sequence.queries);
    most_keys = std::max(most_keys, sequence.keys);
  }
  // Dropout and mask become one byte for each pair, so that the kernel reads a single mask.
  const auto mask = plan.reads_mask ? std::optional(mask_as(*bound[plan.at.mask])) : std::nullopt;
  return combined_mask_of(plan, *bound[plan.at.drop_mask], mask ? &*mask : nullptr, most_queries, most_keys, staging,
                          before);
}

std::optional<Tensor> make_position_bias(const AttentionPlan& plan, const BoundTensors& bound, std::int64_t queries,
                                         Staging& staging, Kernels& before) {
  const Tensor* position_bias = bound[plan.at.position_bias];
  if (!position_bias) return std::nullopt;
  if (plan.position_bias_kind == PositionBias::kAlibi || plan.position_bias_kind == PositionBias::kAlibiSqrt)
    return alibi_slopes(plan, *position_bias);
  return over_pairs(read_as_vec8(plan.name, *position_bias, staging, before), {plan.batch(), plan.heads, queries, 1});
}

}  // namespace aclvk::ops
