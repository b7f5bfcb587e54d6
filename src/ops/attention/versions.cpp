// The versions of the attention operators, which differ in their parameters: each fills one AttentionCall. Functions
// are named after the parameters that they read, and take the arguments of any version that has these.
#include <memory>

#include "ops/args/attention.hpp"
#include "ops/attention/attention.hpp"

namespace aclvk::ops {
namespace {

void set_factors(AttentionCall& call, const InputArg& key, const InputArg& value) {
  call.key = key;
  call.value = value;
}
void set_factors(AttentionCall& call, const InputListArg& key, const InputListArg& value) {
  call.key_list = key;
  call.value_list = value;
}

/// The scales that dequantise the products of an INT8 query with keys, of weights with values, and quantise the
/// weights.
void set_products(AttentionCall& call, const InputArg& scores, const InputArg& weights, const InputArg& sums) {
  call.score_scale = scores;
  call.weight_scale = weights;
  call.sum_scale = sums;
}

/// The scale and the offset that quantise an INT8 result.
void set_quantised_out(AttentionCall& call, const InputArg& scale, const InputArg& offset) {
  call.out_scale = scale;
  call.out_offset = offset;
}

void set_pages(AttentionCall& call, const InputArg& table, std::int64_t size) {
  call.block_table = table;
  call.block_size = size;
}

/// The parameters that all operators for inference have.
template <typename Args>
AttentionCall inference(const Args& args) {
  AttentionCall call{Args::kOperator};
  call.query = args.query;
  set_factors(call, args.key, args.value);
  call.heads = args.numHeads;
  call.scale = args.scaleValue;
  call.layout = args.inputLayout.handle;
  call.key_heads = args.numKeyValueHeads.value;
  call.out = args.attentionOut;
  return call;
}

template <typename Args>
void set_band(AttentionCall& call, const Args& args) {
  call.before = args.preTokens;
  call.after = args.nextTokens;
}

template <typename Args>
AttentionCall prompt(const Args& args) {
  AttentionCall call = inference(args);
  call.position_bias = args.pseShift;
  call.mask = args.attenMask;
  call.query_lengths = args.actualSeqLengths;
  call.same_lengths = true;
  set_band(call, args);
  return call;
}

template <typename Args>
AttentionCall prompt_quantised(const Args& args) {
  AttentionCall call = prompt(args);
  call.key_lengths = args.actualSeqLengthsKv;
  call.same_lengths = false;
  call.sparse_mode = args.sparseMode;
  set_products(call, args.deqScale1, args.quantScale1, args.deqScale2);
  set_quantised_out(call, args.quantScale2, args.quantOffset2);
  return call;
}

/// The query is one token of each sequence; the lengths are those of the keys.
template <typename Args>
AttentionCall incremental(const Args& args) {
  AttentionCall call = inference(args);
  call.position_bias = args.pseShift;
  call.mask = args.attenMask;
  call.key_lengths = args.actualSeqLengths;
  call.one_token = true;
  return call;
}

template <typename Args>
AttentionCall incremental_quantised(const Args& args) {
  AttentionCall call = incremental(args);
  set_products(call, args.dequantScale1, args.quantScale1, args.dequantScale2);
  set_quantised_out(call, args.quantScale2, args.quantOffset2);
  return call;
}

template <typename Args>
AttentionCall incremental_in_pages(const Args& args) {
  AttentionCall call = incremental_quantised(args);
  call.kv = {args.antiquantScale, args.antiquantOffset, 0};
  set_pages(call, args.blocktable, args.blockSize);
  return call;
}

template <typename Args>
void set_fused(AttentionCall& call, const Args& args) {
  set_band(call, args);
  call.sparse_mode = args.sparseMode;
  // Without the flag the tensor may be any, and is not written.
  call.stats_kind = args.softmaxLseFlag ? SoftmaxStats::kLogSumExp : SoftmaxStats::kNone;
  call.log_sum_exp_out = args.softmaxLse;
}

AttentionCall fused(const FusedInferAttentionScoreArgs& args) {
  AttentionCall call = inference(args);
  set_fused(call, args);
  call.position_bias = args.pseShift;
  call.mask = args.attenMask;
  call.query_lengths = args.actualSeqLengths;
  call.key_lengths = args.actualSeqLengthsKv;
  set_products(call, args.deqScale1, args.quantScale1, args.deqScale2);
  set_quantised_out(call, args.quantScale2, args.quantOffset2);
  call.kv = {args.antiquantScale, args.antiquantOffset, args.antiquantMode};
  set_pages(call, args.blockTable, args.blockSize);
  call.query_padding = args.queryPaddingSize;
  call.key_padding = args.kvPaddingSize;
  return call;
}

/// Errors use the names of the first version for the position bias, the mask and the lengths.
template <typename Args>
AttentionCall fused_v2(const Args& args) {
  AttentionCall call = inference(args);
  set_fused(call, args);
  call.position_bias = renamed(args.pseShiftOptional, "pseShift");
  call.mask = renamed(args.attenMaskOptional, "attenMask");
  call.query_lengths = args.actualSeqLengthsOptional;
  call.key_lengths = renamed(args.actualSeqLengthsKvOptional, "actualSeqLengthsKv");
  set_products(call, args.deqScale1Optional, args.quantScale1Optional, args.deqScale2Optional);
  set_quantised_out(call, args.quantScale2Optional, args.quantOffset2Optional);
  call.kv = {args.antiquantScaleOptional, args.antiquantOffsetOptional, args.antiquantMode};
  call.keys = {args.keyAntiquantScaleOptional, args.keyAntiquantOffsetOptional, args.keyAntiquantMode};
  call.values = {args.valueAntiquantScaleOptional, args.valueAntiquantOffsetOptional, args.valueAntiquantMode};
  set_pages(call, args.blockTableOptional, args.blockSize);
  call.query_padding = args.queryPaddingSizeOptional;
  call.key_padding = args.kvPaddingSizeOptional;
  call.key_prefix = args.keySharedPrefixOptional;
  call.value_prefix = args.valueSharedPrefixOptional;
  call.prefix_length = args.actualSharedPrefixLenOptional;
  return call;
}

template <typename Args>
AttentionCall fused_v3(const Args& args) {
  AttentionCall call = fused_v2(args);
  call.query_rope = args.queryRopeOptional;
  call.key_rope = args.keyRopeOptional;
  call.key_rope_scale = args.keyRopeAntiquantScaleOptional;
  return call;
}

/// The parameters that operators for training and their gradients have.
template <typename Args>
AttentionCall trained(const Args& args) {
  AttentionCall call{Args::kOperator};
  call.query = args.query;
  call.value = args.value;
  // pseType 1, the only bias of the first version: added before the scale.
  call.position_bias_kind = 1;
  call.takes_last_rows = true;
  call.drop_mask = args.dropMaskOptional;
  call.padding_mask = args.paddingMaskOptional;
  call.prefix = args.prefixOptional;
  call.keep_prob = args.keepProb;
  call.mask = args.attenMaskOptional;
  call.scale = args.scaleValue;
  set_band(call, args);
  call.heads = args.headNum;
  call.layout = args.inputLayout.handle;
  call.sparse_mode = args.sparseMode;
  call.stats_kind = SoftmaxStats::kMaxAndSum;
  return call;
}

/// Returns each row's maximum and sum.
template <typename Args>
AttentionCall training(const Args& args) {
  AttentionCall call = trained(args);
  call.key = args.key;
  call.position_bias = args.realShiftOptional;
  call.row_max_out = args.softmaxMaxOut;
  call.row_sum_out = args.softmaxSumOut;
  call.out = args.attentionOutOut;
  return call;
}

template <typename Args>
AttentionCall gradient(const Args& args) {
  AttentionCall call = trained(args);
  call.key = renamed(args.keyIn, "key");
  call.position_bias = args.pseShiftOptional;
  call.gradient = GradientHandles{args.dy,
                                  args.softmaxMaxOptional,
                                  args.softmaxSumOptional,
                                  args.softmaxInOptional,
                                  args.attentionInOptional,
                                  args.dqOut,
                                  args.dkOut,
                                  args.dvOut};
  return call;
}

template <typename Args>
void set_ends(AttentionCall& call, const Args& args) {
  call.query_lengths = args.actualSeqQLenOptional;
  call.key_lengths = args.actualSeqKvLenOptional;
}

template <typename Args>
void set_kind(AttentionCall& call, const Args& args) {
  call.position_bias_kind = args.pseType;
  call.query_start = args.qStartIdxOptional;
  call.key_start = args.kvStartIdxOptional;
}

/// The sinks are logits of the forward pass, which have gradients, too.
template <typename Args>
AttentionCall gradient_with_sink(const Args& args) {
  AttentionCall call = gradient(args);
  set_kind(call, args);
  call.sink = args.sinkInOptional;
  call.gradient->dsink = args.dsinkOut;
  return call;
}

void set_ropes_beside(AttentionCall& call, const InputArg& query, const InputArg& key) {
  call.query_rope = query;
  call.key_rope = key;
  call.rope_is_beside = true;
}

}  // namespace

std::shared_ptr<Executor> plan(const PromptFlashAttentionArgs& args) { return plan_attention(prompt(args)); }
std::shared_ptr<Executor> plan(const PromptFlashAttentionV2Args& args) {
  return plan_attention(prompt_quantised(args));
}
std::shared_ptr<Executor> plan(const PromptFlashAttentionV3Args& args) {
  return plan_attention(prompt_quantised(args));
}

std::shared_ptr<Executor> plan(const IncreFlashAttentionArgs& args) { return plan_attention(incremental(args)); }
std::shared_ptr<Executor> plan(const IncreFlashAttentionV2Args& args) {
  return plan_attention(incremental_quantised(args));
}
std::shared_ptr<Executor> plan(const IncreFlashAttentionV3Args& args) {
  return plan_attention(incremental_in_pages(args));
}
std::shared_ptr<Executor> plan(const IncreFlashAttentionV4Args& args) {
  AttentionCall call = incremental_in_pages(args);
  call.key_padding = args.kvPaddingSize;
  return plan_attention(call);
}

std::shared_ptr<Executor> plan(const FusedInferAttentionScoreArgs& args) { return plan_attention(fused(args)); }
std::shared_ptr<Executor> plan(const FusedInferAttentionScoreV2Args& args) { return plan_attention(fused_v2(args)); }
// The workspace depends on the shapes of the tensors only, so one that is planned with these lengths fits all others:
// GetMaxWorkspaceSize of the versions 3 and 4 plans like GetWorkspaceSize.
std::shared_ptr<Executor> plan(const FusedInferAttentionScoreV3Args& args) { return plan_attention(fused_v3(args)); }
std::shared_ptr<Executor> plan(const FusedInferAttentionScoreV4Args& args) {
  AttentionCall call = fused_v3(args);
  call.query_scale = args.dequantScaleQueryOptional;
  call.query_mode = args.queryQuantMode;
  call.sink = args.learnableSinkOptional;
  return plan_attention(call);
}

std::shared_ptr<Executor> plan(const FlashAttentionScoreArgs& args) { return plan_attention(training(args)); }
std::shared_ptr<Executor> plan(const FlashAttentionScoreV2Args& args) {
  AttentionCall call = training(args);
  set_kind(call, args);
  return plan_attention(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionVarLenScoreArgs& args) {
  AttentionCall call = training(args);
  set_ends(call, args);
  return plan_attention(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionVarLenScoreV2Args& args) {
  AttentionCall call = training(args);
  set_ends(call, args);
  set_kind(call, args);
  return plan_attention(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionVarLenScoreV3Args& args) {
  AttentionCall call = training(args);
  set_ends(call, args);
  set_kind(call, args);
  set_ropes_beside(call, args.queryRope, args.keyRope);
  return plan_attention(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionVarLenScoreV4Args& args) {
  AttentionCall call = training(args);
  set_ends(call, args);
  call.softmax_layout = args.softmaxOutLayout.handle;
  return plan_attention(call);
}

std::shared_ptr<Executor> plan(const FlashAttentionScoreGradArgs& args) {
  return plan_attention_gradient(gradient(args));
}
std::shared_ptr<Executor> plan(const FlashAttentionScoreGradV2Args& args) {
  AttentionCall call = gradient(args);
  set_kind(call, args);
  return plan_attention_gradient(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionScoreGradV3Args& args) {
  return plan_attention_gradient(gradient_with_sink(args));
}
// The dropout mask is an input, so its generator's seed and offset are not read; nor is outDtype, which belongs to
// quantised inputs.
std::shared_ptr<Executor> plan(const FlashAttentionScoreGradV4Args& args) {
  AttentionCall call = gradient_with_sink(args);
  set_ends(call, args);
  call.softmax_layout = args.softmaxInLayout.handle;
  call.query_rope = args.queryRopeOptional;
  call.key_rope = args.keyRopeOptional;
  call.gradient->dq_rope = args.dqRopeOut;
  call.gradient->dk_rope = args.dkRopeOut;
  call.gradient->scales = {args.dScaleQOptional, args.dScaleKOptional, args.dScaleVOptional, args.dScaleDyOptional,
                           args.dScaleOOptional};
  return plan_attention_gradient(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionUnpaddingScoreGradArgs& args) {
  AttentionCall call = gradient(args);
  set_ends(call, args);
  return plan_attention_gradient(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionUnpaddingScoreGradV2Args& args) {
  AttentionCall call = gradient(args);
  set_ends(call, args);
  set_kind(call, args);
  return plan_attention_gradient(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionUnpaddingScoreGradV3Args& args) {
  AttentionCall call = gradient(args);
  set_ends(call, args);
  set_kind(call, args);
  set_ropes_beside(call, args.queryRope, args.keyInRope);
  call.gradient->dq_rope = args.dqRopeOut;
  call.gradient->dk_rope = args.dkRopeOut;
  return plan_attention_gradient(call);
}
std::shared_ptr<Executor> plan(const FlashAttentionUnpaddingScoreGradV4Args& args) {
  AttentionCall call = gradient(args);
  set_ends(call, args);
  call.softmax_layout = args.softmaxInLayout.handle;
  return plan_attention_gradient(call);
}

}  // namespace aclvk::ops
