#pragma once

#include <optional>
#include <vector>

#include "ops/attention/plan.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// The operands of attention's kernels: views of tensors as sequences, heads, tokens, columns, in eights, or what is
// made of them in the workspace.

/// Of packed sequences each has the whole tensor, and knows where its tokens begin.
Tensor for_all_sequences(Tensor tensor, std::int64_t sequences, bool packed);

/// A statistic as sequences, heads, tokens and what a row has.
Tensor by_rows(const AttentionPlan& plan, const Tensor& tensor);

/// The tokens of query that belong to sequences: the first ones where they are packed.
std::int64_t covered_queries(const AttentionPlan& plan, std::int64_t all);

Tensor make_query(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, Staging& staging,
                  Kernels& before);
/// All of a list of keys, or of values.
std::vector<Tensor> make_keys(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                              TensorParameters::ParamId place, Staging& staging, Kernels& before);

/// A mask, or marks where weights are dropped.
std::optional<Tensor> make_mask(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                                std::int64_t queries, Staging& staging, Kernels& before);

/// What is added to scores, or slopes.
std::optional<Tensor> make_shift(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                                 std::int64_t queries, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
