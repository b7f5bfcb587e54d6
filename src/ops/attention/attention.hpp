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
  InputArg scale{};
  InputArg offset{};
  std::int64_t mode = 0;  ///< keyAntiquantMode: the dims along which elements share a scale
};

/// Further parameters of the gradients' operators. Each is NULL, or has the shape that AttentionCall::out prescribes.
struct GradientHandles {
  InputArg dy;          ///< in place of AttentionCall::out
  InputArg row_max;     ///< softmaxMax
  InputArg row_sum;     ///< softmaxSum
  InputArg softmax_in;  ///< not read: its contents are specified nowhere
  InputArg result;      ///< attentionIn
  OutputArg dq;
  OutputArg dk;
  OutputArg dv;
  OutputArg dq_rope{};
  OutputArg dk_rope{};
  OutputArg dsink{};
  std::vector<InputArg> scales{};  ///< of quantised inputs; NULL
};

/// The arguments of all attention operators, a superset; a member that an operator does not have keeps its default.
/// Members are named after what they do; comments give the parameter's name where it differs.
struct AttentionCall {
  const char* name;
  InputArg query{};
  InputArg key{};
  InputArg value{};
  InputListArg key_list{};  ///< in place of key and value
  InputListArg value_list{};
  InputArg position_bias{};
  std::int64_t position_bias_kind = 0;  ///< pseType
  bool takes_last_rows = false;         ///< the position bias may have kLastRows rows only
  IntArrayArg query_start{};            ///< the positions of the first tokens, for ALiBi
  IntArrayArg key_start{};
  InputArg mask{};
  IntArrayArg prefix{};  ///< the length of the prefix of each sequence
  IntArrayArg query_lengths{};
  IntArrayArg key_lengths{nullptr, "actualSeqLengthsKv"};
  bool same_lengths = false;  ///< keys have the lengths of queries where key_lengths is NULL
  ValueArg<std::int64_t> heads{};
  /// 0 means `heads`. Without a value the number follows from the shape of key.
  std::optional<std::int64_t> key_heads = std::nullopt;
  double scale = 1;
  std::int64_t before = INT32_MAX;  ///< preTokens
  std::int64_t after = INT32_MAX;   ///< nextTokens
  const char* layout = nullptr;
  std::int64_t sparse_mode = 0;
  bool one_token = false;  ///< each sequence has exactly one query token (decoding)

  InputArg block_table{};
  std::int64_t block_size = 0;
  InputArg query_padding{};
  InputArg key_padding{};

  InputArg drop_mask{};
  double keep_prob = 1;  ///< keepProb
  InputArg padding_mask{};

  InputArg score_scale{};   ///< deqScale1, of products of an INT8 query with keys
  InputArg weight_scale{};  ///< quantScale1
  InputArg sum_scale{};     ///< deqScale2, of products of weights with values
  InputArg query_scale{};   ///< dequantScaleQuery
  std::int64_t query_mode = 3;
  QuantHandles kv{};  ///< one tensor for both: its first dim is 2, for keys and for values
  QuantHandles keys{};
  QuantHandles values{};

  InputArg key_prefix{};  ///< keySharedPrefix: tokens before those of each sequence
  InputArg value_prefix{};
  IntArrayArg prefix_length{};

  InputArg query_rope{};  ///< columns appended to query and key (rotary part of MLA)
  InputArg key_rope{};
  InputArg key_rope_scale{};
  bool rope_is_beside = false;  ///< queryRope directly follows query in the signature
  InputArg sink{};

  InputArg out_scale{};  ///< quantises an INT8 result
  InputArg out_offset{};
  OutputArg out{};
  /// The softmax statistics that are returned: the log-sum-exp of each row, or its maximum and its sum.
  SoftmaxStats stats_kind = SoftmaxStats::kNone;
  OutputArg log_sum_exp_out{};
  OutputArg row_max_out{};
  OutputArg row_sum_out{};
  const char* softmax_layout = nullptr;  ///< softmaxOutLayout
  /// Set for the gradients' operators.
  std::optional<GradientHandles> gradient{};

  bool has_lists() const { return key_list.name != nullptr; }
  const char* out_name() const { return gradient ? gradient->dy.name : out.name; }
};

/// Plans aclnnFusedInferAttentionScore, aclnnPromptFlashAttention, aclnnIncreFlashAttention, aclnnFlashAttentionScore,
/// aclnnFlashAttentionVarLenScore and their later versions.
std::shared_ptr<Executor> plan_attention(const AttentionCall& call);

/// Plans aclnnFlashAttentionScoreGrad, aclnnFlashAttentionUnpaddingScoreGrad and their later versions.
std::shared_ptr<Executor> plan_attention_gradient(const AttentionCall& call);

}  // namespace aclvk::ops
