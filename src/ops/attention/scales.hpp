#pragma once

#include "ops/attention/plan.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Scales and offsets of quantised operands, as views that broadcast to sequences, heads, tokens, columns.

/// Checks that the call has the scales and offsets that its dtypes need, and that their shapes fit the quantisation
/// modes (161002).
void check_scales(const AttentionPlan& plan, const AttentionCall& call, const Extent& extent);

/// The dequantisation of one operand: (x + offset) * scale * second_scale. Without a scale the operand is not
/// quantised.
struct KeyScales {
  std::optional<Tensor> scale{};
  std::optional<Tensor> offset{};
  std::optional<Tensor> second_scale{};  ///< quantScale1, a further factor of values
};
/// Returns the scales of list member `member` of shape `sizes`. Scales in pages are gathered in the workspace.
KeyScales scales_of_keys(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, const Shape& sizes,
                         std::size_t member, Staging& staging, Kernels& before);
/// Returns the scales of values: their own, or, for an INT8 query with scales of products, deqScale2 and quantScale1.
KeyScales scales_of_values(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, const Shape& sizes,
                           std::size_t member, Staging& staging, Kernels& before);
/// Returns the scales of an INT8 query: one for each head of each token, or deqScale1.
KeyScales scales_of_query(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound);
/// Returns the scales of an INT8 keyRope with `columns` columns.
KeyScales scales_of_key_rope(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                             std::int64_t columns);
/// Returns the scales that quantise an INT8 result of `columns` columns.
KeyScales scales_of_out(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, std::int64_t columns);

/// Gathers the pages that each row of the block table names from a pool (pages, heads, tokens of a page, column blocks,
/// columns of a block) into a tensor of sequences, heads, tokens, columns. Indices out of range give zeros.
Tensor gathered_pages(const char* name, const Tensor& pages, const Tensor& table, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
