#pragma once

#include "ops/attention/plan.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// Operands of attention that its kernel cannot read in place, copied to the workspace: dequantised keys and values,
// queries and keys with the columns of their ropes appended, keys and values with the shared prefix in front, pages
// gathered into one tensor. All of them have the dims sequences, heads, tokens, columns and the dtype
// AttentionPlan::computes_in; columns are padded with zeros to a multiple of 8.

/// The query.
Tensor assembled_query(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, Staging& staging,
                       Kernels& before);
/// Tensor `member` of the list of keys.
Tensor assembled_keys(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, std::size_t member,
                      Staging& staging, Kernels& before);
/// Tensor `member` of the list of values.
Tensor assembled_values(const AttentionPlan& plan, const TensorParameters::BoundTensors& bound, std::size_t member,
                        Staging& staging, Kernels& before);

/// Returns a float tensor for the kernel to write; a kernel that runs last quantises it to the INT8 `out`. Tokens
/// outside of all sequences are 0.
Tensor assembled_out(const AttentionPlan& plan, const Tensor& out, const TensorParameters::BoundTensors& bound,
                     Staging& staging, Kernels& before);

}  // namespace aclvk::ops
