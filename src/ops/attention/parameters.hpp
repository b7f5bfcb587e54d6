#pragma once

#include <vector>

#include "ops/attention/attention.hpp"
#include "ops/tensor_parameters.hpp"

namespace aclvk::ops {

struct AttentionPlan;

/// Which of the parameters of an operator are which. Those that it has not got have no place.
struct AttentionParameters {
  using ParamId = TensorParameters::ParamId;
  ParamId query = ParamId::kNone, query_rope = ParamId::kNone, key = ParamId::kNone, key_rope = ParamId::kNone;
  ParamId value = ParamId::kNone, shift = ParamId::kNone, drop_mask = ParamId::kNone, mask = ParamId::kNone;
  ParamId score_scale = ParamId::kNone, weight_scale = ParamId::kNone, sum_scale = ParamId::kNone;
  ParamId out_scale = ParamId::kNone, out_offset = ParamId::kNone, query_scale = ParamId::kNone;
  ParamId both_scale = ParamId::kNone, both_offset = ParamId::kNone, key_scale = ParamId::kNone,
          key_offset = ParamId::kNone;
  ParamId value_scale = ParamId::kNone, value_offset = ParamId::kNone, key_rope_scale = ParamId::kNone;
  ParamId table = ParamId::kNone, query_padding = ParamId::kNone, key_padding = ParamId::kNone;
  ParamId key_prefix = ParamId::kNone, value_prefix = ParamId::kNone, sink = ParamId::kNone;
  ParamId out = ParamId::kNone, logarithm = ParamId::kNone, top = ParamId::kNone, sum = ParamId::kNone;
  // Of gradients, where `out` is dy.
  ParamId result = ParamId::kNone, dq = ParamId::kNone, dq_rope = ParamId::kNone, dk = ParamId::kNone,
          dk_rope = ParamId::kNone;
  ParamId dv = ParamId::kNone;
};

/// Asks for the tensors of a call, in the order of its signature.
void read_tensors(AttentionPlan& plan, const AttentionCall& call);
/// That they have dtypes that belong together, and views that make sense (161002). 207000 for keys in formats that
/// nothing here reads.
void check_dtypes(const AttentionPlan& plan);

/// The places of the statistics that the call asks for.
std::vector<TensorParameters::ParamId> statistics_of(const AttentionPlan& plan);

}  // namespace aclvk::ops
