#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "ops/attention/flash.hpp"
#include "ops/executor.hpp"

namespace aclvk::ops {

/// What the operators of attention are called with. Names are those of their parameters.
struct AttentionCall {
  const char* name;
  const void* query;
  const void* key;  ///< tensors, or lists of them
  const void* value;
  bool has_lists = false;
  const void* shift = nullptr;
  const char* shift_name = "pseShift";
  std::int64_t shift_kind = 0;  ///< pseType: it is added to scaled scores, or (1) before they are scaled
  const void* mask = nullptr;
  const char* mask_name = "attenMask";
  const void* query_lengths = nullptr;
  const void* key_lengths = nullptr;
  const char* key_lengths_name = "actualSeqLengthsKv";
  bool same_lengths = false;  ///< queries and keys are as long as each other, where key_lengths is NULL
  const void* block_table = nullptr;
  const char* block_table_name = "blockTable";
  std::int64_t heads = 0;
  const char* heads_name = "numHeads";
  /// 0: as many as `heads`. Without a number the shape of key tells.
  std::optional<std::int64_t> key_heads = std::nullopt;
  double scale = 1;
  double kept = 1;                  ///< keepProb
  std::int64_t before = INT32_MAX;  ///< preTokens
  std::int64_t behind = INT32_MAX;  ///< nextTokens
  const char* layout = nullptr;
  std::int64_t sparse_mode = 0;
  std::int64_t block_size = 0;
  bool one_token = false;  ///< a sequence has one token of query
  const void* out = nullptr;
  const char* out_name = "attentionOut";
  /// Where a row's statistic goes: the logarithm of its sum, or its top and its sum.
  Statistic statistic = Statistic::kNone;
  const void* logarithm_out = nullptr;
  const void* top_out = nullptr;
  const void* sum_out = nullptr;
};

/// aclnnFusedInferAttentionScore, aclnnPromptFlashAttention, aclnnIncreFlashAttention, aclnnFlashAttentionScore,
/// aclnnFlashAttentionVarLenScore and their later versions.
std::shared_ptr<Executor> plan_attention(const AttentionCall& call, const std::vector<LeftOut>& left_out);

}  // namespace aclvk::ops
