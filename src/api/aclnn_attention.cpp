#include "api/aclnn_phases.hpp"
#include "ops/attention/attention.hpp"
#include "ops/attention/qkv.hpp"
#include "ops/attention/rope.hpp"

// The parameters of every operator as the tables have them, and the public prototypes: a definition below that differs
// does not compile.
#include "aclnn_parameters.inc"
#include "aclnnop_all.h"

using namespace aclvk::ops;

namespace {

/// A call with what all of these operators have.
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

AttentionCall prompt(AttentionCall call, const void* shift, const void* mask, const void* lengths, std::int64_t before,
                     std::int64_t behind) {
  call.shift = shift;
  call.mask = mask;
  call.query_lengths = lengths;
  call.before = before;
  call.behind = behind;
  call.same_lengths = true;
  return call;
}

AttentionCall with_key_lengths(AttentionCall call, const void* lengths, std::int64_t sparse_mode) {
  call.key_lengths = lengths;
  call.sparse_mode = sparse_mode;
  call.same_lengths = false;
  return call;
}

/// One token of each sequence; the lengths are those of the keys.
AttentionCall incremental(AttentionCall call, const void* shift, const void* mask, const void* lengths) {
  call.has_lists = true;
  call.shift = shift;
  call.mask = mask;
  call.key_lengths = lengths;
  call.key_lengths_name = "actualSeqLengths";
  call.one_token = true;
  return call;
}

AttentionCall with_pages(AttentionCall call, const char* name, const void* table, std::int64_t size) {
  call.block_table_name = name;
  call.block_table = table;
  call.block_size = size;
  return call;
}

AttentionCall fused(AttentionCall call, const void* shift, const void* mask, const void* lengths,
                    const void* key_lengths, std::int64_t before, std::int64_t behind, std::int64_t sparse_mode,
                    bool has_logarithm, const void* logarithm) {
  call = with_key_lengths(prompt(call, shift, mask, lengths, before, behind), key_lengths, sparse_mode);
  call.has_lists = true;
  // Without the flag it may be any tensor, and is left alone.
  call.statistic = has_logarithm ? Statistic::kLogarithm : Statistic::kNone;
  call.logarithm_out = logarithm;
  return call;
}

/// For training: each row's top and sum are kept.
AttentionCall training(const char* name, const void* query, const void* key, const void* value, const void* shift,
                       const void* mask, double scale, double kept, std::int64_t before, std::int64_t behind,
                       std::int64_t heads, const char* layout, std::int64_t sparse_mode, const void* top,
                       const void* sum, const void* out) {
  AttentionCall call{name, query, key, value};
  call.shift = shift;
  call.shift_name = "realShiftOptional";
  call.shift_kind = 1;
  call.kept = kept;
  call.mask = mask;
  call.mask_name = "attenMaskOptional";
  call.scale = scale;
  call.before = before;
  call.behind = behind;
  call.heads = heads;
  call.heads_name = "headNum";
  call.layout = layout;
  call.sparse_mode = sparse_mode;
  call.statistic = Statistic::kTopAndSum;
  call.top_out = top;
  call.sum_out = sum;
  call.out = out;
  call.out_name = "attentionOutOut";
  return call;
}

AttentionCall with_kind_of_shift(AttentionCall call, std::int64_t kind) {
  call.shift_kind = kind;
  return call;
}

AttentionCall with_ends(AttentionCall call, const void* query_ends, const void* key_ends) {
  call.query_lengths = query_ends;
  call.key_lengths = key_ends;
  call.key_lengths_name = "actualSeqKvLenOptional";
  return call;
}

}  // namespace

#define OPERATOR(name, make) PLAN(name, make, ACLVK_PARAMETERS_##name)
#define CALL(name) call_of(#name, query, key, value, numHeads, scaleValue, inputLayout, numKeyValueHeads, attentionOut)
#define LEFT(parameter) \
  { #parameter, parameter }
#define QUANTISED LEFT(quantScale1), LEFT(quantScale2), LEFT(quantOffset2)
#define FUSED(name, optional)                                                                                    \
  with_pages(fused(CALL(name), pseShift##optional, attenMask##optional, actualSeqLengths##optional,              \
                   actualSeqLengthsKv##optional, preTokens, nextTokens, sparseMode, softmaxLseFlag, softmaxLse), \
             "blockTable" #optional, blockTable##optional, blockSize)
#define FUSED_QUANTISED(optional)                                                                                 \
  LEFT(deqScale1##optional), LEFT(quantScale1##optional), LEFT(deqScale2##optional), LEFT(quantScale2##optional), \
      LEFT(quantOffset2##optional), LEFT(antiquantScale##optional), LEFT(antiquantOffset##optional),              \
      LEFT(queryPaddingSize##optional), LEFT(kvPaddingSize##optional)
#define FUSED_LATER                                                                                         \
  FUSED_QUANTISED(Optional), LEFT(keyAntiquantScaleOptional), LEFT(keyAntiquantOffsetOptional),             \
      LEFT(valueAntiquantScaleOptional), LEFT(valueAntiquantOffsetOptional), LEFT(keySharedPrefixOptional), \
      LEFT(valueSharedPrefixOptional), LEFT(actualSharedPrefixLenOptional)
#define FUSED_ROPE LEFT(queryRopeOptional), LEFT(keyRopeOptional), LEFT(keyRopeAntiquantScaleOptional)

#define TRAINING(name)                                                                                      \
  training(#name, query, key, value, realShiftOptional, attenMaskOptional, scaleValue, keepProb, preTokens, \
           nextTokens, headNum, inputLayout, sparseMode, softmaxMaxOut, softmaxSumOut, attentionOutOut)
#define TRAINING_LEFT LEFT(paddingMaskOptional), LEFT(prefixOptional)

extern "C" {

OPERATOR(aclnnPromptFlashAttention, plan_attention(prompt(CALL(aclnnPromptFlashAttention), pseShift, attenMask,
                                                          actualSeqLengths, preTokens, nextTokens),
                                                   {}))
OPERATOR(aclnnPromptFlashAttentionV2,
         plan_attention(with_key_lengths(prompt(CALL(aclnnPromptFlashAttentionV2), pseShift, attenMask,
                                                actualSeqLengths, preTokens, nextTokens),
                                         actualSeqLengthsKv, sparseMode),
                        {LEFT(deqScale1), LEFT(deqScale2), QUANTISED}))
OPERATOR(aclnnPromptFlashAttentionV3,
         plan_attention(with_key_lengths(prompt(CALL(aclnnPromptFlashAttentionV3), pseShift, attenMask,
                                                actualSeqLengths, preTokens, nextTokens),
                                         actualSeqLengthsKv, sparseMode),
                        {LEFT(deqScale1), LEFT(deqScale2), QUANTISED}))

OPERATOR(aclnnIncreFlashAttention,
         plan_attention(incremental(CALL(aclnnIncreFlashAttention), pseShift, attenMask, actualSeqLengths), {}))
OPERATOR(aclnnIncreFlashAttentionV2,
         plan_attention(incremental(CALL(aclnnIncreFlashAttentionV2), pseShift, attenMask, actualSeqLengths),
                        {LEFT(dequantScale1), LEFT(dequantScale2), QUANTISED}))
OPERATOR(aclnnIncreFlashAttentionV3,
         plan_attention(with_pages(incremental(CALL(aclnnIncreFlashAttentionV3), pseShift, attenMask, actualSeqLengths),
                                   "blocktable", blocktable, blockSize),
                        {LEFT(dequantScale1), LEFT(dequantScale2), QUANTISED, LEFT(antiquantScale),
                         LEFT(antiquantOffset)}))
OPERATOR(aclnnIncreFlashAttentionV4,
         plan_attention(with_pages(incremental(CALL(aclnnIncreFlashAttentionV4), pseShift, attenMask, actualSeqLengths),
                                   "blocktable", blocktable, blockSize),
                        {LEFT(dequantScale1), LEFT(dequantScale2), QUANTISED, LEFT(antiquantScale),
                         LEFT(antiquantOffset), LEFT(kvPaddingSize)}))

OPERATOR(aclnnFusedInferAttentionScore, plan_attention(FUSED(aclnnFusedInferAttentionScore, ), {FUSED_QUANTISED()}))
OPERATOR(aclnnFusedInferAttentionScoreV2,
         plan_attention(FUSED(aclnnFusedInferAttentionScoreV2, Optional), {FUSED_LATER}))
OPERATOR(aclnnFusedInferAttentionScoreV3,
         plan_attention(FUSED(aclnnFusedInferAttentionScoreV3, Optional), {FUSED_LATER, FUSED_ROPE}))
OPERATOR(aclnnFusedInferAttentionScoreV4,
         plan_attention(FUSED(aclnnFusedInferAttentionScoreV4, Optional),
                        {FUSED_LATER, FUSED_ROPE, LEFT(dequantScaleQueryOptional), LEFT(learnableSinkOptional)}))

OPERATOR(aclnnFlashAttentionScore, plan_attention(TRAINING(aclnnFlashAttentionScore), {TRAINING_LEFT}))
OPERATOR(aclnnFlashAttentionScoreV2, plan_attention(with_kind_of_shift(TRAINING(aclnnFlashAttentionScoreV2), pseType),
                                                    {TRAINING_LEFT, LEFT(qStartIdxOptional), LEFT(kvStartIdxOptional)}))
OPERATOR(aclnnFlashAttentionVarLenScore, plan_attention(with_ends(TRAINING(aclnnFlashAttentionVarLenScore),
                                                                  actualSeqQLenOptional, actualSeqKvLenOptional),
                                                        {TRAINING_LEFT}))
OPERATOR(aclnnFlashAttentionVarLenScoreV2,
         plan_attention(with_kind_of_shift(with_ends(TRAINING(aclnnFlashAttentionVarLenScoreV2), actualSeqQLenOptional,
                                                     actualSeqKvLenOptional),
                                           pseType),
                        {TRAINING_LEFT, LEFT(qStartIdxOptional), LEFT(kvStartIdxOptional)}))
OPERATOR(aclnnFlashAttentionVarLenScoreV3,
         plan_attention(with_kind_of_shift(with_ends(TRAINING(aclnnFlashAttentionVarLenScoreV3), actualSeqQLenOptional,
                                                     actualSeqKvLenOptional),
                                           pseType),
                        {TRAINING_LEFT, LEFT(queryRope), LEFT(keyRope), LEFT(qStartIdxOptional),
                         LEFT(kvStartIdxOptional)}))

OPERATOR(aclnnRotaryPositionEmbedding, plan_rotary(x, cos, sin, mode, out))
OPERATOR(aclnnTransformBiasRescaleQkv, plan_split_qkv(qkv, qkvBias, numHeads, qOut, kOut, vOut))
OPERATOR(aclnnInterleaveRope, plan_interleave_rope(x, cos, sin, out))
OPERATOR(aclnnApplyRotaryPosEmb,
         plan_apply_rotary("aclnnApplyRotaryPosEmb", queryRef, keyRef, cos, sin, layout, 1, "half"))
OPERATOR(aclnnApplyRotaryPosEmbV2,
         plan_apply_rotary("aclnnApplyRotaryPosEmbV2", queryRef, keyRef, cos, sin, layout, 4, rotaryMode))
OPERATOR(aclnnRopeWithSinCosCache, plan_rope_with_cache({positions, queryIn, keyIn, cosSinCache, mropeSection, headSize,
                                                         isNeoxStyle, queryOut, keyOut}))

}  // extern "C"
