// The operators of ops/attention. The versions of an operator differ in their parameters: each fills one AttentionCall.
#include "ops/attention/attention.hpp"

#include "api/aclnn/operator.hpp"
#include "ops/attention/qkv.hpp"
#include "ops/attention/rope.hpp"
#include "ops/attention/rope_gradient.hpp"

using namespace aclvk::ops;

namespace {

/// Returns a call with the parameters that all of these operators have.
AttentionCall call_of(const char* name, const void* query, const void* key, const void* value, std::int64_t heads,
                      double scale, const char* layout, std::int64_t key_heads, const void* out) {
  AttentionCall call{name, query, key, value};
  call.heads = heads;
  call.scale = scale;
  call.layout = layout;
  call.key_heads = key_heads;
  call.out = out;
  return call;
}

AttentionCall prompt(AttentionCall call, const void* position_bias, const void* mask, const void* lengths,
                     std::int64_t before, std::int64_t after) {
  call.position_bias = position_bias;
  call.mask = mask;
  call.query_lengths = lengths;
  call.before = before;
  call.after = after;
  call.same_lengths = true;
  return call;
}

AttentionCall with_key_lengths(AttentionCall call, const void* lengths, std::int64_t sparse_mode) {
  call.key_lengths = lengths;
  call.sparse_mode = sparse_mode;
  call.same_lengths = false;
  return call;
}

/// The query is one token of each sequence; the lengths are those of the keys.
AttentionCall incremental(AttentionCall call, const void* position_bias, const void* mask, const void* lengths) {
  call.has_lists = true;
  call.position_bias = position_bias;
  call.mask = mask;
  call.key_lengths = lengths;
  call.key_lengths_name = "actualSeqLengths";
  call.one_token = true;
  return call;
}

AttentionCall with_pages(AttentionCall call, NamedHandle table, std::int64_t size) {
  call.block_table = table;
  call.block_size = size;
  return call;
}

/// The scales that dequantise the products of an INT8 query and quantise an INT8 result.
AttentionCall with_products(AttentionCall call, NamedHandle scores, NamedHandle weights, NamedHandle sums,
                            NamedHandle out_scale, NamedHandle out_offset) {
  call.score_scale = scores;
  call.weight_scale = weights;
  call.sum_scale = sums;
  call.out_scale = out_scale;
  call.out_offset = out_offset;
  return call;
}

AttentionCall with_quantised(AttentionCall call, const QuantHandles& kv) {
  call.kv = kv;
  return call;
}

AttentionCall with_own_scales(AttentionCall call, const QuantHandles& keys, const QuantHandles& values) {
  call.keys = keys;
  call.values = values;
  return call;
}

AttentionCall with_padding(AttentionCall call, NamedHandle query, NamedHandle key) {
  call.query_padding = query;
  call.key_padding = key;
  return call;
}

AttentionCall with_prefix(AttentionCall call, NamedHandle key, NamedHandle value, NamedHandle length) {
  call.key_prefix = key;
  call.value_prefix = value;
  call.prefix_length = length;
  return call;
}

AttentionCall with_rope(AttentionCall call, NamedHandle query, NamedHandle key, NamedHandle key_scale) {
  call.query_rope = query;
  call.key_rope = key;
  call.key_rope_scale = key_scale;
  return call;
}

AttentionCall with_query_scale(AttentionCall call, NamedHandle scale, std::int64_t mode, NamedHandle sink) {
  call.query_scale = scale;
  call.query_mode = mode;
  call.sink = sink;
  return call;
}

AttentionCall fused(AttentionCall call, const void* position_bias, const void* mask, const void* lengths,
                    const void* key_lengths, std::int64_t before, std::int64_t after, std::int64_t sparse_mode,
                    bool has_log_sum_exp, const void* log_sum_exp) {
  call = with_key_lengths(prompt(call, position_bias, mask, lengths, before, after), key_lengths, sparse_mode);
  call.has_lists = true;
  // Without the flag the tensor may be any, and is not written.
  call.stats_kind = has_log_sum_exp ? SoftmaxStats::kLogSumExp : SoftmaxStats::kNone;
  call.log_sum_exp_out = log_sum_exp;
  return call;
}

/// For training: returns each row's maximum and sum.
AttentionCall training(const char* name, const void* query, const void* key, const void* value,
                       const void* position_bias, NamedHandle drop_mask, NamedHandle padding_mask, const void* mask,
                       NamedHandle prefix, double scale, double keep_prob, std::int64_t before, std::int64_t after,
                       std::int64_t heads, const char* layout, std::int64_t sparse_mode, const void* row_max,
                       const void* row_sum, const void* out) {
  AttentionCall call{name, query, key, value};
  call.position_bias = position_bias;
  call.position_bias_name = "realShiftOptional";
  call.position_bias_kind = 1;
  call.takes_last_rows = true;
  call.drop_mask = drop_mask;
  call.padding_mask = padding_mask;
  call.prefix = prefix;
  call.keep_prob = keep_prob;
  call.mask = mask;
  call.mask_name = "attenMaskOptional";
  call.scale = scale;
  call.before = before;
  call.after = after;
  call.heads = heads;
  call.heads_name = "headNum";
  call.layout = layout;
  call.sparse_mode = sparse_mode;
  call.stats_kind = SoftmaxStats::kMaxAndSum;
  call.row_max_out = row_max;
  call.row_sum_out = row_sum;
  call.out = out;
  call.out_name = "attentionOutOut";
  return call;
}

AttentionCall gradient(AttentionCall call, const GradientHandles& given) {
  call.position_bias_name = "pseShiftOptional";
  call.out_name = "dy";
  call.gradient = given;
  return call;
}

AttentionCall with_position_bias_kind(AttentionCall call, std::int64_t kind, NamedHandle query_start,
                                      NamedHandle key_start) {
  call.position_bias_kind = kind;
  call.query_start = query_start;
  call.key_start = key_start;
  return call;
}

AttentionCall with_rope_beside(AttentionCall call, NamedHandle query, NamedHandle key) {
  call.query_rope = query;
  call.key_rope = key;
  call.rope_is_beside = true;
  return call;
}

AttentionCall with_gradients_of_ropes(AttentionCall call, const void* query, const void* key) {
  call.gradient->dq_rope = query;
  call.gradient->dk_rope = key;
  return call;
}

AttentionCall with_softmax_layout(AttentionCall call, const char* layout) {
  call.softmax_layout = layout;
  return call;
}

AttentionCall with_ends(AttentionCall call, const void* query_ends, const void* key_ends) {
  call.query_lengths = query_ends;
  call.key_lengths = key_ends;
  call.key_lengths_name = "actualSeqKvLenOptional";
  return call;
}

}  // namespace

#define CALL(name) call_of(#name, query, key, value, numHeads, scaleValue, inputLayout, numKeyValueHeads, attentionOut)
#define NAMED(parameter) \
  NamedHandle { parameter, #parameter }
#define QUANT(scale, offset, mode) \
  QuantHandles { NAMED(scale), NAMED(offset), mode }
#define PROMPT(name, lengths) prompt(CALL(name), pseShift, attenMask, lengths, preTokens, nextTokens)
#define PROMPT_QUANTISED(name)                                                                                      \
  with_products(with_key_lengths(PROMPT(name, actualSeqLengths), actualSeqLengthsKv, sparseMode), NAMED(deqScale1), \
                NAMED(quantScale1), NAMED(deqScale2), NAMED(quantScale2), NAMED(quantOffset2))
#define INCREMENTAL(name) incremental(CALL(name), pseShift, attenMask, actualSeqLengths)
#define INCREMENTAL_QUANTISED(name)                                                                                    \
  with_products(INCREMENTAL(name), NAMED(dequantScale1), NAMED(quantScale1), NAMED(dequantScale2), NAMED(quantScale2), \
                NAMED(quantOffset2))
#define INCREMENTAL_IN_PAGES(name)                                                                   \
  with_pages(with_quantised(INCREMENTAL_QUANTISED(name), QUANT(antiquantScale, antiquantOffset, 0)), \
             NAMED(blocktable), blockSize)
#define FUSED_LENGTHS(name, optional)                                                                                  \
  fused(CALL(name), pseShift##optional, attenMask##optional, actualSeqLengths##optional, actualSeqLengthsKv##optional, \
        preTokens, nextTokens, sparseMode, softmaxLseFlag, softmaxLse)
#define FUSED_QUANTISED(name, optional)                                                                       \
  with_quantised(                                                                                             \
      with_products(FUSED_LENGTHS(name, optional), NAMED(deqScale1##optional), NAMED(quantScale1##optional),  \
                    NAMED(deqScale2##optional), NAMED(quantScale2##optional), NAMED(quantOffset2##optional)), \
      QUANT(antiquantScale##optional, antiquantOffset##optional, antiquantMode))
#define FUSED(name, optional)                                                                       \
  with_padding(with_pages(FUSED_QUANTISED(name, optional), NAMED(blockTable##optional), blockSize), \
               NAMED(queryPaddingSize##optional), NAMED(kvPaddingSize##optional))
#define FUSED_V2(name)                                                                                               \
  with_prefix(with_own_scales(FUSED(name, Optional),                                                                 \
                              QUANT(keyAntiquantScaleOptional, keyAntiquantOffsetOptional, keyAntiquantMode),        \
                              QUANT(valueAntiquantScaleOptional, valueAntiquantOffsetOptional, valueAntiquantMode)), \
              NAMED(keySharedPrefixOptional), NAMED(valueSharedPrefixOptional), NAMED(actualSharedPrefixLenOptional))
#define FUSED_V3(name) \
  with_rope(FUSED_V2(name), NAMED(queryRopeOptional), NAMED(keyRopeOptional), NAMED(keyRopeAntiquantScaleOptional))

#define TRAINING(name)                                                                                       \
  training(#name, query, key, value, realShiftOptional, NAMED(dropMaskOptional), NAMED(paddingMaskOptional), \
           attenMaskOptional, NAMED(prefixOptional), scaleValue, keepProb, preTokens, nextTokens, headNum,   \
           inputLayout, sparseMode, softmaxMaxOut, softmaxSumOut, attentionOutOut)
#define PACKED(name) with_ends(TRAINING(name), actualSeqQLenOptional, actualSeqKvLenOptional)
#define WITH_KIND(call) with_position_bias_kind(call, pseType, NAMED(qStartIdxOptional), NAMED(kvStartIdxOptional))

#define GRADIENT(name)                                                                                                 \
  gradient(training(#name, query, keyIn, value, pseShiftOptional, NAMED(dropMaskOptional), NAMED(paddingMaskOptional), \
                    attenMaskOptional, NAMED(prefixOptional), scaleValue, keepProb, preTokens, nextTokens, headNum,    \
                    inputLayout, sparseMode, softmaxMaxOptional, softmaxSumOptional, dy),                              \
           {attentionInOptional, softmaxInOptional, dqOut, dkOut, dvOut})
#define PACKED_GRADIENT(name) with_ends(GRADIENT(name), actualSeqQLenOptional, actualSeqKvLenOptional)

extern "C" {

OPERATOR(aclnnPromptFlashAttention, plan_attention(PROMPT(aclnnPromptFlashAttention, actualSeqLengths)))
OPERATOR(aclnnPromptFlashAttentionV2, plan_attention(PROMPT_QUANTISED(aclnnPromptFlashAttentionV2)))
OPERATOR(aclnnPromptFlashAttentionV3, plan_attention(PROMPT_QUANTISED(aclnnPromptFlashAttentionV3)))

OPERATOR(aclnnIncreFlashAttention, plan_attention(INCREMENTAL(aclnnIncreFlashAttention)))
OPERATOR(aclnnIncreFlashAttentionV2, plan_attention(INCREMENTAL_QUANTISED(aclnnIncreFlashAttentionV2)))
OPERATOR(aclnnIncreFlashAttentionV3, plan_attention(INCREMENTAL_IN_PAGES(aclnnIncreFlashAttentionV3)))
OPERATOR(aclnnIncreFlashAttentionV4,
         plan_attention(with_padding(INCREMENTAL_IN_PAGES(aclnnIncreFlashAttentionV4), {}, NAMED(kvPaddingSize))))

OPERATOR(aclnnFusedInferAttentionScore, plan_attention(FUSED(aclnnFusedInferAttentionScore, )))
OPERATOR(aclnnFusedInferAttentionScoreV2, plan_attention(FUSED_V2(aclnnFusedInferAttentionScoreV2)))
// The workspace depends on the shapes of the tensors only, so one that is planned with these lengths fits all others.
#define FOR_ALL_LENGTHS(function, make) \
  OPERATOR(function, make)              \
  FIRST_PHASE(function##GetMaxWorkspaceSize, function, make)
FOR_ALL_LENGTHS(aclnnFusedInferAttentionScoreV3, plan_attention(FUSED_V3(aclnnFusedInferAttentionScoreV3)))
FOR_ALL_LENGTHS(aclnnFusedInferAttentionScoreV4,
                plan_attention(with_query_scale(FUSED_V3(aclnnFusedInferAttentionScoreV4),
                                                NAMED(dequantScaleQueryOptional), queryQuantMode,
                                                NAMED(learnableSinkOptional))))

OPERATOR(aclnnFlashAttentionScore, plan_attention(TRAINING(aclnnFlashAttentionScore)))
OPERATOR(aclnnFlashAttentionScoreV2, plan_attention(WITH_KIND(TRAINING(aclnnFlashAttentionScoreV2))))
OPERATOR(aclnnFlashAttentionVarLenScore, plan_attention(PACKED(aclnnFlashAttentionVarLenScore)))
OPERATOR(aclnnFlashAttentionVarLenScoreV2, plan_attention(WITH_KIND(PACKED(aclnnFlashAttentionVarLenScoreV2))))
OPERATOR(aclnnFlashAttentionVarLenScoreV3,
         plan_attention(with_rope_beside(WITH_KIND(PACKED(aclnnFlashAttentionVarLenScoreV3)), NAMED(queryRope),
                                         NAMED(keyRope))))
OPERATOR(aclnnFlashAttentionVarLenScoreV4,
         plan_attention(with_softmax_layout(PACKED(aclnnFlashAttentionVarLenScoreV4), softmaxOutLayout)))

OPERATOR(aclnnFlashAttentionScoreGrad, plan_attention_gradient(GRADIENT(aclnnFlashAttentionScoreGrad)))
OPERATOR(aclnnFlashAttentionScoreGradV2, plan_attention_gradient(WITH_KIND(GRADIENT(aclnnFlashAttentionScoreGradV2))))
OPERATOR(aclnnFlashAttentionUnpaddingScoreGrad,
         plan_attention_gradient(PACKED_GRADIENT(aclnnFlashAttentionUnpaddingScoreGrad)))
OPERATOR(aclnnFlashAttentionUnpaddingScoreGradV2,
         plan_attention_gradient(WITH_KIND(PACKED_GRADIENT(aclnnFlashAttentionUnpaddingScoreGradV2))))
OPERATOR(aclnnFlashAttentionUnpaddingScoreGradV3,
         plan_attention_gradient(with_gradients_of_ropes(
             with_rope_beside(WITH_KIND(PACKED_GRADIENT(aclnnFlashAttentionUnpaddingScoreGradV3)), NAMED(queryRope),
                              NAMED(keyInRope)),
             dqRopeOut, dkRopeOut)))
OPERATOR(aclnnFlashAttentionUnpaddingScoreGradV4,
         plan_attention_gradient(with_softmax_layout(PACKED_GRADIENT(aclnnFlashAttentionUnpaddingScoreGradV4),
                                                     softmaxInLayout)))

OPERATOR(aclnnRotaryPositionEmbedding, plan_rotary(x, cos, sin, mode, out))
OPERATOR(aclnnRotaryPositionEmbeddingGrad, plan_rotary_gradient(dy, cos, sin, xOptional, mode, dxOut, dcosOut, dsinOut))
OPERATOR(aclnnTransformBiasRescaleQkv, plan_split_qkv(qkv, qkvBias, numHeads, qOut, kOut, vOut))
OPERATOR(aclnnInterleaveRope, plan_interleave_rope(x, cos, sin, out))
OPERATOR(aclnnApplyRotaryPosEmb,
         plan_apply_rotary("aclnnApplyRotaryPosEmb", queryRef, keyRef, cos, sin, layout, 1, "half"))
OPERATOR(aclnnApplyRotaryPosEmbV2,
         plan_apply_rotary("aclnnApplyRotaryPosEmbV2", queryRef, keyRef, cos, sin, layout, 4, rotaryMode))
OPERATOR(aclnnRopeWithSinCosCache, plan_rope_with_cache({positions, queryIn, keyIn, cosSinCache, mropeSection, headSize,
                                                         isNeoxStyle, queryOut, keyOut}))

}  // extern "C"
