#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ops/attention/flash.hpp"
#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// What turns quantised keys, or values, into numbers: (x + offset) * scale.
struct QuantGiven {
  NamedHandle scale{};
  NamedHandle offset{};
  std::int64_t mode = 0;  ///< keyAntiquantMode: which of them share a scale
};

/// What the gradients of attention need besides, and where they go. Each is NULL or as `out` says.
struct GradientGiven {
  const void* result;      ///< attentionIn
  const void* softmax_in;  ///< left alone, as nothing says what it would hold
  const void* dq;
  const void* dk;
  const void* dv;
  const void* dq_rope = nullptr;
  const void* dk_rope = nullptr;
};

/// What the operators of attention are called with. Names are those of their parameters.
struct AttentionCall {
  const char* name;
  const void* query;
  const void* key;  ///< tensors, or lists of them
  const void* value;
  bool has_lists = false;
  const void* shift = nullptr;
  const char* shift_name = "pseShift";
  std::int64_t shift_kind = 0;   ///< pseType
  bool takes_last_rows = false;  ///< the shift may be that of the last tokens only
  NamedHandle query_start{};     ///< integers: where the parts begin, for slopes
  NamedHandle key_start{};
  const void* mask = nullptr;
  const char* mask_name = "attenMask";
  NamedHandle prefix{};  ///< integers
  const void* query_lengths = nullptr;
  const void* key_lengths = nullptr;
  const char* key_lengths_name = "actualSeqLengthsKv";
  bool same_lengths = false;  ///< queries and keys are as long as each other, where key_lengths is NULL
  std::int64_t heads = 0;
  const char* heads_name = "numHeads";
  /// 0: as many as `heads`. Without a number the shape of key tells.
  std::optional<std::int64_t> key_heads = std::nullopt;
  double scale = 1;
  std::int64_t before = INT32_MAX;  ///< preTokens
  std::int64_t behind = INT32_MAX;  ///< nextTokens
  const char* layout = nullptr;
  std::int64_t sparse_mode = 0;
  bool one_token = false;  ///< a sequence has one token of query

  NamedHandle block_table{};
  std::int64_t block_size = 0;
  NamedHandle query_padding{};
  NamedHandle key_padding{};

  NamedHandle drop_mask{};
  double kept = 1;  ///< keepProb
  NamedHandle padding_mask{};

  NamedHandle score_scale{};   ///< deqScale1, of products of an INT8 query with keys
  NamedHandle weight_scale{};  ///< quantScale1
  NamedHandle sum_scale{};     ///< deqScale2, of products of weights with values
  NamedHandle query_scale{};   ///< dequantScaleQuery
  std::int64_t query_mode = 3;
  QuantGiven both{};  ///< with a dim in front, for keys and for values
  QuantGiven keys{};
  QuantGiven values{};

  NamedHandle key_prefix{};  ///< keySharedPrefix: tokens before those of each sequence
  NamedHandle value_prefix{};
  NamedHandle prefix_length{};

  NamedHandle query_rope{};  ///< more columns of query and key
  NamedHandle key_rope{};
  NamedHandle key_rope_scale{};
  bool rope_is_beside = false;  ///< queryRope follows query among the parameters
  NamedHandle sink{};

  NamedHandle out_scale{};  ///< of an INT8 result
  NamedHandle out_offset{};
  const void* out = nullptr;
  const char* out_name = "attentionOut";
  /// Where a row's statistic goes: the logarithm of its sum, or its top and its sum.
  Statistic statistic = Statistic::kNone;
  const void* logarithm_out = nullptr;
  const void* top_out = nullptr;
  const void* sum_out = nullptr;
  const char* statistic_layout = nullptr;  ///< softmaxOutLayout
  /// Of the gradient's operators: `out` is dy, an input, and so are the statistics.
  std::optional<GradientGiven> gradient{};
};

/// aclnnFusedInferAttentionScore, aclnnPromptFlashAttention, aclnnIncreFlashAttention, aclnnFlashAttentionScore,
/// aclnnFlashAttentionVarLenScore and their later versions.
std::shared_ptr<Executor> plan_attention(const AttentionCall& call);

/// aclnnFlashAttentionScoreGrad, aclnnFlashAttentionUnpaddingScoreGrad and their later versions.
std::shared_ptr<Executor> plan_attention_gradient(const AttentionCall& call);

}  // namespace aclvk::ops
