#pragma once

#include "ops/attention/plan.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// What turns quantised numbers into their own, as views that broadcast to sequences, heads, tokens, columns.

/// That scales and offsets are those that the dtypes need, with a number for each that the modes ask for (161002).
void check_scales(const AttentionPlan& plan, const AttentionCall& call, const Extent& extent);

/// Of keys or of values. Without a scale the numbers are what they are.
struct KeyScales {
  std::optional<Tensor> scale{};
  std::optional<Tensor> offset{};
  std::optional<Tensor> other_scale{};  ///< multiplies, too
};
/// For tensor `member` of a list, whose sizes are `sizes`; numbers in pages are collected in the workspace.
KeyScales scales_of_keys(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, const Shape& sizes,
                         std::size_t member, Staging& staging, Kernels& before);
KeyScales scales_of_values(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, const Shape& sizes,
                           std::size_t member, Staging& staging, Kernels& before);
KeyScales scales_of_query(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound);
KeyScales scales_of_key_rope(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound,
                             std::int64_t columns);
/// Of an INT8 result with so many columns.
KeyScales scales_of_out(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, std::int64_t columns);

/// What the rows of a table name in a pool of pages (pages, heads, tokens of one, parts, columns of a part), one after
/// the other: sequences, heads, tokens, columns. Pages that are not there give zeros.
Tensor collected(const char* name, const Tensor& pages, const Tensor& table, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
