#pragma once

#include <vector>

#include "ops/attention/attention.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

struct AttentionPlan;

/// The ids of an operator's tensors; kNone for those that the operator does not have.
struct AttentionParameters {
  using Place = TensorParameters::Place;
  Place query = Place::kNone, query_rope = Place::kNone, key = Place::kNone, key_rope = Place::kNone;
  Place value = Place::kNone, position_bias = Place::kNone, drop_mask = Place::kNone, mask = Place::kNone;
  Place score_scale = Place::kNone, weight_scale = Place::kNone, sum_scale = Place::kNone;
  Place out_scale = Place::kNone, out_offset = Place::kNone, query_scale = Place::kNone;
  Place kv_scale = Place::kNone, kv_offset = Place::kNone, key_scale = Place::kNone, key_offset = Place::kNone;
  Place value_scale = Place::kNone, value_offset = Place::kNone, key_rope_scale = Place::kNone;
  Place table = Place::kNone, query_padding = Place::kNone, key_padding = Place::kNone;
  Place key_prefix = Place::kNone, value_prefix = Place::kNone, sink = Place::kNone;
  Place out = Place::kNone, log_sum_exp = Place::kNone, row_max = Place::kNone, row_sum = Place::kNone;
  // Of the gradients' operators, for which `out` is dy.
  Place result = Place::kNone, dq = Place::kNone, dq_rope = Place::kNone, dk = Place::kNone, dk_rope = Place::kNone;
  Place dv = Place::kNone;
};

/// Registers the tensors of a call with plan.tensors, in the order of the operator's signature.
void read_tensors(AttentionPlan& plan, const AttentionCall& call);
/// Checks that dtypes fit each other and that views are valid (161002). 207000 for keys of dtypes that no kernel reads.
void check_dtypes(const AttentionPlan& plan);

/// Returns the ids of the softmax statistics that the call returns.
std::vector<TensorParameters::Place> stats_of(const AttentionPlan& plan);

}  // namespace aclvk::ops
