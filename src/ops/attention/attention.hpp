#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ops/attention/flash.hpp"
#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// Dequantisation of keys or of values: (x + offset) * scale.
struct QuantHandles {
  NamedHandle scale{};
  NamedHandle offset{};
  std::int64_t mode = 0;  ///< keyAntiquantMode: the dims along which elements share a scale
};

/// Further parameters of the gradients' operators. Each is NULL, or has the shape that AttentionCall::out prescribes.
struct GradientHandles {
  const void* result;      ///< attentionIn
  const void* softmax_in;  ///< not read: its contents are specified nowhere
  const void* dq;
  const void* dk;
  const void* dv;
  const void* dq_rope = nullptr;
  const void* dk_rope = nullptr;
};

/// The arguments of all attention operators, a superset; a member that an operator does not have keeps its default.
/// Members are named after what they do; comments give the parameter's name where it differs.
struct AttentionCall {
  const char* name;
  const void* query;
  const void* key;  ///< tensors, or lists of them
  const void* value;
  bool has_lists = false;
  const void* position_bias = nullptr;
  const char* position_bias_name = "pseShift";
  std::int64_t position_bias_kind = 0;  ///< pseType
  bool takes_last_rows = false;         ///< the position bias may have kLastRows rows only
  NamedHandle query_start{};            ///< integers: the positions of the first tokens, for ALiBi
  NamedHandle key_start{};
  const void* mask = nullptr;
  const char* mask_name = "attenMask";
  NamedHandle prefix{};  ///< integers: the length of the prefix of each sequence
  const void* query_lengths = nullptr;
  const void* key_lengths = nullptr;
  const char* key_lengths_name = "actualSeqLengthsKv";
  bool same_lengths = false;  ///< keys have the lengths of queries where key_lengths is NULL
  std::int64_t heads = 0;
  const char* heads_name = "numHeads";
  /// 0 means `heads`. Without a value the number follows from the shape of key.
  std::optional<std::int64_t> key_heads = std::nullopt;
  double scale = 1;
  std::int64_t before = INT32_MAX;  ///< preTokens
  std::int64_t after = INT32_MAX;   ///< nextTokens
  const char* layout = nullptr;
  std::int64_t sparse_mode = 0;
  bool one_token = false;  ///< each sequence has exactly one query token (decoding)

  NamedHandle block_table{};
  std::int64_t block_size = 0;
  NamedHandle query_padding{};
  NamedHandle key_padding{};

  NamedHandle drop_mask{};
  double keep_prob = 1;  ///< keepProb
  NamedHandle padding_mask{};

  NamedHandle score_scale{};   ///< deqScale1, of products of an INT8 query with keys
  NamedHandle weight_scale{};  ///< quantScale1
  NamedHandle sum_scale{};     ///< deqScale2, of products of weights with values
  NamedHandle query_scale{};   ///< dequantScaleQuery
  std::int64_t query_mode = 3;
  QuantHandles kv{};  ///< one tensor for both: its first dim is 2, for keys and for values
  QuantHandles keys{};
  QuantHandles values{};

  NamedHandle key_prefix{};  ///< keySharedPrefix: tokens before those of each sequence
  NamedHandle value_prefix{};
  NamedHandle prefix_length{};

  NamedHandle query_rope{};  ///< columns appended to query and key (rotary part of MLA)
  NamedHandle key_rope{};
  NamedHandle key_rope_scale{};
  bool rope_is_beside = false;  ///< queryRope directly follows query in the signature
  NamedHandle sink{};

  NamedHandle out_scale{};  ///< quantises an INT8 result
  NamedHandle out_offset{};
  const void* out = nullptr;
  const char* out_name = "attentionOut";
  /// The softmax statistics that are returned: the log-sum-exp of each row, or its maximum and its sum.
  SoftmaxStats stats_kind = SoftmaxStats::kNone;
  const void* log_sum_exp_out = nullptr;
  const void* row_max_out = nullptr;
  const void* row_sum_out = nullptr;
  const char* softmax_layout = nullptr;  ///< softmaxOutLayout
  /// Set for the gradients' operators, for which `out` is dy and the softmax statistics are inputs.
  std::optional<GradientHandles> gradient{};
};

/// Plans aclnnFusedInferAttentionScore, aclnnPromptFlashAttention, aclnnIncreFlashAttention, aclnnFlashAttentionScore,
/// aclnnFlashAttentionVarLenScore and their later versions.
std::shared_ptr<Executor> plan_attention(const AttentionCall& call);

/// Plans aclnnFlashAttentionScoreGrad, aclnnFlashAttentionUnpaddingScoreGrad and their later versions.
std::shared_ptr<Executor> plan_attention_gradient(const AttentionCall& call);

}  // namespace aclvk::ops
