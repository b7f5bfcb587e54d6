#pragma once

#include "ops/attention/plan.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Operands of attention that are not what its kernel reads, made in the workspace: numbers instead of quantised ones,
// the columns of ropes behind their own, the tokens of a prefix before their own, pages one after the other. All as
// sequences, heads, tokens, columns in the dtype that the plan computes in; columns are filled up to eights.

Tensor assembled_query(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, Staging& staging,
                       Kernels& before);
/// Tensor `member` of the list of keys, or of values.
Tensor assembled_keys(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, std::size_t member,
                      Staging& staging, Kernels& before);
Tensor assembled_values(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, std::size_t member,
                        Staging& staging, Kernels& before);

/// A float tensor that becomes the INT8 result when all is done: with zeros for tokens that belong to no sequence.
Tensor assembled_out(const AttentionPlan& plan, const Tensor& out, const TensorParameters::BoundTensors& bound,
                     Staging& staging, Kernels& before);

}  // namespace aclvk::ops
