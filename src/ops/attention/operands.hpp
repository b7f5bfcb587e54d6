#pragma once

#include <optional>
#include <vector>

#include "ops/attention/plan.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Operands of attention's kernels: views of the operator's tensors with the dims sequences, heads, tokens, columns,
// readable as vec8s, or copies in the workspace.

/// Returns, for packed sequences, the tensor with a dim of sequences of stride 0; Sequence::first_query and first_key
/// index into it.
Tensor for_all_sequences(Tensor tensor, std::int64_t sequences, bool packed);

/// Returns a softmax statistic with the dims sequences, heads, tokens, and the equal copies of each number, 1 or 8.
Tensor by_rows(const AttentionPlan& plan, const Tensor& tensor);

/// Returns the number of leading query tokens that belong to sequences; all of them unless packed.
std::int64_t covered_queries(const AttentionPlan& plan, std::int64_t all);

/// Returns the query.
Tensor make_query(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, Staging& staging,
                  Kernels& before);
/// Returns all members of the list of keys, or of the list of values.
std::vector<Tensor> make_keys(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                              TensorParameters::ParamId param, Staging& staging, Kernels& before);

/// Returns the attention mask, or the combined mask where weights are dropped.
std::optional<Tensor> make_mask(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                                std::int64_t queries, Staging& staging, Kernels& before);

/// Returns the position bias, or ALiBi slopes.
std::optional<Tensor> make_position_bias(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                                         std::int64_t queries, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
