#include "ops/attention/parameters.hpp"

#include <utility>

#include "base/error.hpp"
#include "ops/attention/plan.hpp"
#include "ops/executor/operator_dtypes.hpp"

namespace aclvk::ops {
namespace {

using ParamId = TensorParameters::ParamId;

constexpr DTypeSet kFactors = {DType::kFloat16, DType::kBfloat16, DType::kFloat, DType::kInt8};
constexpr DTypeSet kReals = {DType::kFloat16, DType::kBfloat16, DType::kFloat};
constexpr DTypeSet kQuantised = {DType::kInt8, DType::kInt4, DType::kInt32, DType::kFloat8E5M2, DType::kFloat8E4M3};
constexpr DTypeSet kUnread = {DType::kHifloat8, DType::kFloat4E2M1, DType::kFloat4E1M2};
constexpr DTypeSet kFloat8 = {DType::kHifloat8, DType::kFloat8E5M2, DType::kFloat8E4M3};
constexpr DTypeSet kMasks = {DType::kBool, DType::kInt8, DType::kUint8};
constexpr DTypeSet kScales = {DType::kUint64, DType::kInt64, DType::kFloat, DType::kBfloat16, DType::kFloat16};

/// Checks that keys and values have the dtype of the query, or a quantised one.
void check_factors(const AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const DTypeSet& known = dtypes_of(plan.name).inputs;
  const Tensor& query = tensors[plan.at.query];
  const bool is_gradient = tensors.has(plan.at.dq);
  check(!is_gradient || !kFloat8.contains(query.dtype) || !known.contains(query.dtype), Code::kFeatureNotSupported,
        "query has dtype {}; nothing public tells how the scales of a quantised gradient lie.", query.dtype);
  check_dtype(query, "query", kFactors);
  check(known.contains(query.dtype), Code::kNnInvalid, "query has dtype {}, which {} does not support.", query.dtype,
        plan.name);
  const DType keys = tensors[plan.at.key].dtype;
  check(!known.contains(keys) || !kUnread.contains(keys), Code::kFeatureNotSupported,
        "key has dtype {}; the layout of its scales is not documented, so it is not supported.", keys);
  const bool quantised = query.dtype != DType::kInt8 && kQuantised.contains(keys) && known.contains(keys);
  for (const ParamId param : {plan.at.key, plan.at.value, plan.at.key_prefix, plan.at.value_prefix}) {
    if (!tensors.has(param)) continue;
    for (const Tensor& member : tensors.list(param)) {
      if (quantised) check_same_dtype(member, tensors.name(param), tensors[plan.at.key], "key");
      if (!quantised) check_same_dtype(member, tensors.name(param), query, "query");
    }
  }
}

/// Registers the results of the forward pass, which are inputs, and the gradients.
void read_gradients(AttentionPlan& plan, const AttentionCall& call) {
  TensorParameters& tensors = plan.tensors;
  AttentionParameters& at = plan.at;
  const GradientHandles& given = *call.gradient;
  at.row_max = tensors.input(given.row_max);
  at.row_sum = tensors.input(given.row_sum);
  tensors.optional_input(given.softmax_in);
  at.result = tensors.input(given.result);
  at.sink = tensors.optional_input(call.sink);
  if (!call.rope_is_beside) {
    at.query_rope = tensors.optional_input(call.query_rope);
    at.key_rope = tensors.optional_input(call.key_rope);
  }
  tensors.unsupported(given.scales);
  at.dq = tensors.output(given.dq);
  const auto of_rope = [&](const OutputArg& arg) {
    return tensors.has(at.query_rope) ? tensors.output(arg) : tensors.optional_output(arg);
  };
  if (call.rope_is_beside) at.dq_rope = of_rope(given.dq_rope);
  at.dk = tensors.output(given.dk);
  if (call.rope_is_beside) at.dk_rope = of_rope(given.dk_rope);
  at.dv = tensors.output(given.dv);
  if (!call.rope_is_beside) at.dq_rope = of_rope(given.dq_rope);
  if (!call.rope_is_beside) at.dk_rope = of_rope(given.dk_rope);
  tensors.no_output("dpseOut");  // not written: the interface does not define it
  if (given.dsink.name == nullptr) return;
  at.dsink = tensors.has(at.sink) ? tensors.output(given.dsink) : tensors.no_output(given.dsink.name);
}

}  // namespace

void read_tensors(AttentionPlan& plan, const AttentionCall& call) {
  TensorParameters& tensors = plan.tensors;
  AttentionParameters& at = plan.at;
  const auto given = [&](const InputArg& one) { return tensors.optional_input(one); };
  const auto factor = [&](const InputArg& one, const InputListArg& list) {
    return call.has_lists() ? tensors.input_list(list) : tensors.input(one);
  };
  at.query = tensors.input(call.query);
  // The order of the calls is that of the signature, which differs between versions.
  if (call.rope_is_beside) at.query_rope = given(call.query_rope);
  at.key = factor(call.key, call.key_list);
  if (call.rope_is_beside) at.key_rope = given(call.key_rope);
  at.value = factor(call.value, call.value_list);
  if (call.gradient) at.out = tensors.input(call.gradient->dy);
  at.position_bias = given(call.position_bias);
  at.drop_mask = given(call.drop_mask);
  given(call.padding_mask);
  at.mask = given(call.mask);
  if (call.gradient) return read_gradients(plan, call);
  at.score_scale = given(call.score_scale);
  at.weight_scale = given(call.weight_scale);
  at.sum_scale = given(call.sum_scale);
  at.out_scale = given(call.out_scale);
  at.out_offset = given(call.out_offset);
  at.kv_scale = given(call.kv.scale);
  at.kv_offset = given(call.kv.offset);
  at.table = given(call.block_table);
  at.query_padding = given(call.query_padding);
  at.key_padding = given(call.key_padding);
  at.key_scale = given(call.keys.scale);
  at.key_offset = given(call.keys.offset);
  at.value_scale = given(call.values.scale);
  at.value_offset = given(call.values.offset);
  at.key_prefix = given(call.key_prefix);
  at.value_prefix = given(call.value_prefix);
  if (!call.rope_is_beside) at.query_rope = given(call.query_rope);
  if (!call.rope_is_beside) at.key_rope = given(call.key_rope);
  at.key_rope_scale = given(call.key_rope_scale);
  at.query_scale = given(call.query_scale);
  at.sink = given(call.sink);
  if (call.stats_kind == SoftmaxStats::kMaxAndSum) {
    at.row_max = tensors.output(call.row_max_out);
    at.row_sum = tensors.output(call.row_sum_out);
    tensors.no_output("softmaxOutOut");  // not written: the interface does not define it
  }
  at.out = tensors.output(call.out);
  if (call.stats_kind == SoftmaxStats::kLogSumExp) at.log_sum_exp = tensors.output(call.log_sum_exp_out);
}

void check_dtypes(const AttentionPlan& plan) {
  const TensorParameters& tensors = plan.tensors;
  const AttentionParameters& at = plan.at;
  check_factors(plan);
  tensors.check_dtypes({at.position_bias, at.query_rope, at.sink, at.out_scale, at.out_offset}, kReals);
  tensors.check_dtypes({at.key_rope}, {DType::kFloat16, DType::kBfloat16, DType::kFloat, DType::kInt8});
  tensors.check_dtypes({at.key_rope_scale, at.query_scale, at.weight_scale}, kReals);
  tensors.check_dtypes({at.kv_scale, at.kv_offset, at.key_scale, at.key_offset}, kReals);
  tensors.check_dtypes({at.value_scale, at.value_offset}, kReals);
  tensors.check_dtypes({at.score_scale, at.sum_scale}, kScales);
  tensors.check_dtypes({at.mask}, kMasks);
  tensors.check_dtypes({at.drop_mask}, {DType::kUint8});
  tensors.check_dtypes({at.table}, {DType::kInt32, DType::kInt64});
  tensors.check_dtypes({at.query_padding, at.key_padding}, {DType::kInt32, DType::kInt64});
  if (tensors.has(at.key_rope) && tensors.has(at.query_rope) && !tensors.has(at.key_rope_scale)) {
    check_same_dtype(tensors[at.key_rope], tensors.name(at.key_rope), tensors[at.query_rope], "queryRope");
  }
  const Tensor& out = tensors[at.out];
  const Tensor& query = tensors[at.query];
  if (tensors.has(at.out_scale)) {
    check_dtype(out, tensors.name(at.out), {DType::kInt8});
  } else if (query.dtype == DType::kInt8) {
    check_dtype(out, tensors.name(at.out), {DType::kFloat16, DType::kBfloat16});
  } else {
    check_same_dtype(out, tensors.name(at.out), query, "query");
  }
  for (const ParamId param : stats_of(plan)) check_dtype(tensors[param], tensors.name(param), {DType::kFloat});
  for (const ParamId param : {at.result, at.dq, at.dk, at.dv}) {
    if (tensors.has(param)) check_same_dtype(tensors[param], tensors.name(param), query, "query");
  }
  for (const auto& [param, of] :
       {std::pair(at.dq_rope, at.query_rope), std::pair(at.dk_rope, at.key_rope), std::pair(at.dsink, at.sink)}) {
    if (tensors.has(param) && tensors.has(of))
      check_same_dtype(tensors[param], tensors.name(param), tensors[of], tensors.name(of));
  }
  tensors.check_views();
}

std::vector<ParamId> stats_of(const AttentionPlan& plan) {
  switch (plan.stats_kind) {
    case SoftmaxStats::kLogSumExp: return {plan.at.log_sum_exp};
    case SoftmaxStats::kMaxAndSum: return {plan.at.row_max, plan.at.row_sum};
    default: return {};
  }
}

}  // namespace aclvk::ops
