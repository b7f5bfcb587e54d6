#pragma once

#include <vector>

#include "ops/attention/attention.hpp"
#include "ops/executor/tensor_parameters.hpp"

namespace aclvk::ops {

struct AttentionPlan;

/// The ids of an operator's tensors; kNone for those that the operator does not have.
struct AttentionParameters {
  using ParamId = TensorParameters::ParamId;
  ParamId query = ParamId::kNone, query_rope = ParamId::kNone, key = ParamId::kNone, key_rope = ParamId::kNone;
  ParamId value = ParamId::kNone, position_bias = ParamId::kNone, drop_mask = ParamId::kNone, mask = ParamId::kNone;
  ParamId score_scale = ParamId::kNone, weight_scale = ParamId::kNone, sum_scale = ParamId::kNone;
  ParamId out_scale = ParamId::kNone, out_offset = ParamId::kNone, query_scale = ParamId::kNone;
  ParamId kv_scale = ParamId::kNone, kv_offset = ParamId::kNone, key_scale = ParamId::kNone,
          key_offset = ParamId::kNone;
  ParamId value_scale = ParamId::kNone, value_offset = ParamId::kNone, key_rope_scale = ParamId::kNone;
  ParamId table = ParamId::kNone, query_padding = ParamId::kNone, key_padding = ParamId::kNone;
  ParamId key_prefix = ParamId::kNone, value_prefix = ParamId::kNone, sink = ParamId::kNone;
  ParamId out = ParamId::kNone, log_sum_exp = ParamId::kNone, row_max = ParamId::kNone, row_sum = ParamId::kNone;
  // Of the gradients' operators, for which `out` is dy.
  ParamId result = ParamId::kNone, dq = ParamId::kNone, dq_rope = ParamId::kNone, dk = ParamId::kNone,
          dk_rope = ParamId::kNone;
  ParamId dv = ParamId::kNone, dsink = ParamId::kNone;
};

/// Registers the tensors of a call with plan.tensors, in the order of the operator's signature.
void read_tensors(AttentionPlan& plan, const AttentionCall& call);
/// Checks that dtypes fit each other and that views are valid (161002). 207000 for keys of dtypes that no kernel reads.
void check_dtypes(const AttentionPlan& plan);

/// Returns the ids of the softmax statistics that the call returns.
std::vector<TensorParameters::ParamId> stats_of(const AttentionPlan& plan);

}  // namespace aclvk::ops
