#pragma once

#include <memory>
#include <tuple>
#include <utility>

#include "aclnnop/aclnn_fused_infer_attention_score_v3.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v4.h"
#include "ops/attention/attention_reference.hpp"

namespace aclvk::test {

/// The parameters of aclnnFusedInferAttentionScoreV4. What is null was left out.
struct FusedCall {
  const OpTensor* query = nullptr;
  std::vector<const OpTensor*> keys{};
  std::vector<const OpTensor*> values{};
  const OpTensor* shift = nullptr;
  const OpTensor* mask = nullptr;
  std::vector<std::int64_t> query_lengths{};
  std::vector<std::int64_t> key_lengths{};
  const OpTensor* score_scale = nullptr;
  const OpTensor* weight_scale = nullptr;
  const OpTensor* sum_scale = nullptr;
  const OpTensor* out_scale = nullptr;
  const OpTensor* out_offset = nullptr;
  const OpTensor* both_scale = nullptr;
  const OpTensor* both_offset = nullptr;
  const OpTensor* table = nullptr;
  const OpTensor* query_padding = nullptr;
  const OpTensor* key_padding = nullptr;
  const OpTensor* key_scale = nullptr;
  const OpTensor* key_offset = nullptr;
  const OpTensor* value_scale = nullptr;
  const OpTensor* value_offset = nullptr;
  const OpTensor* key_prefix = nullptr;
  const OpTensor* value_prefix = nullptr;
  std::vector<std::int64_t> prefix_length{};
  const OpTensor* query_rope = nullptr;
  const OpTensor* key_rope = nullptr;
  const OpTensor* key_rope_scale = nullptr;
  const OpTensor* query_scale = nullptr;
  const OpTensor* sink = nullptr;
  std::int64_t heads = 1;
  std::int64_t key_heads = 1;
  double scale = 0.25;
  std::string layout = "BNSD";
  std::int64_t sparse_mode = 0;
  std::int64_t page = 0;
  std::int64_t both_mode = 0;
  std::int64_t key_mode = 0;
  std::int64_t value_mode = 0;
  std::int64_t query_mode = 3;
  const OpTensor* out = nullptr;
  const OpTensor* logarithm = nullptr;
};

/// The handles of a call, for as long as it is planned and run. Lists destroy the handles of their members, which the
/// tensors destroy again: that is refused, and does no harm.
class FusedHandles {
  // Their types are those of what they return.
  auto parameters(uint64_t* size, aclOpExecutor** executor) {
    const FusedCall& c = call_;
    constexpr std::int64_t kAll = 2147483647;
    return std::make_tuple(
        handle(c.query), keys_, values_, handle(c.shift), handle(c.mask), given(c.query_lengths, query_lengths_),
        given(c.key_lengths, key_lengths_), handle(c.score_scale), handle(c.weight_scale), handle(c.sum_scale),
        handle(c.out_scale), handle(c.out_offset), handle(c.both_scale), handle(c.both_offset), handle(c.table),
        handle(c.query_padding), handle(c.key_padding), handle(c.key_scale), handle(c.key_offset),
        handle(c.value_scale), handle(c.value_offset), handle(c.key_prefix), handle(c.value_prefix),
        given(c.prefix_length, prefix_length_), handle(c.query_rope), handle(c.key_rope), handle(c.key_rope_scale),
        handle(c.query_scale), handle(c.sink), c.heads, c.scale, kAll, kAll, layout_.data(), c.key_heads, c.sparse_mode,
        std::int64_t{1}, c.page, c.both_mode, c.logarithm != nullptr, c.key_mode, c.value_mode, c.query_mode,
        handle(c.out), handle(c.logarithm), size, executor);
  }

  template <std::size_t kFirst, std::size_t... kPlaces, typename All>
  static auto part(const All& all, std::index_sequence<kPlaces...>) {
    return std::make_tuple(std::get<kFirst + kPlaces>(all)...);
  }
  /// Without queryScale and learnableSink, which follow the 27th, and queryQuantMode, which is in front of the results.
  template <typename All>
  static auto of_the_third(const All& all) {
    return std::tuple_cat(part<0>(all, std::make_index_sequence<27>()), part<29>(all, std::make_index_sequence<13>()),
                          part<43>(all, std::make_index_sequence<4>()));
  }

 public:
  /// With other lists than those of the tensors, where some are given.
  explicit FusedHandles(const FusedCall& call, const aclTensorList* keys = nullptr,
                        const aclTensorList* values = nullptr)
      : call_(call),
        layout_(call.layout),
        own_keys_(keys ? std::vector<const OpTensor*>{} : call.keys),
        own_values_(values ? std::vector<const OpTensor*>{} : call.values),
        keys_(keys ? keys : own_keys_.get()),
        values_(values ? values : own_values_.get()),
        query_lengths_(call.query_lengths),
        key_lengths_(call.key_lengths),
        prefix_length_(call.prefix_length) {}

  aclnnStatus plan(uint64_t* size, aclOpExecutor** executor) {
    return std::apply(aclnnFusedInferAttentionScoreV4GetWorkspaceSize, parameters(size, executor));
  }
  /// The same with what is enough for all lengths.
  aclnnStatus plan_for_all(uint64_t* size, aclOpExecutor** executor) {
    return std::apply(aclnnFusedInferAttentionScoreV4GetMaxWorkspaceSize, parameters(size, executor));
  }
  /// The same of aclnnFusedInferAttentionScoreV3, which has no scale of the query and no sink.
  aclnnStatus plan_third(uint64_t* size, aclOpExecutor** executor) {
    return std::apply(aclnnFusedInferAttentionScoreV3GetWorkspaceSize, of_the_third(parameters(size, executor)));
  }
  aclnnStatus plan_third_for_all(uint64_t* size, aclOpExecutor** executor) {
    return std::apply(aclnnFusedInferAttentionScoreV3GetMaxWorkspaceSize, of_the_third(parameters(size, executor)));
  }

  std::vector<const OpTensor*> inputs() const {
    const FusedCall& c = call_;
    std::vector<const OpTensor*> all = {c.query,       c.shift,          c.mask,        c.score_scale,  c.weight_scale,
                                        c.sum_scale,   c.out_scale,      c.out_offset,  c.both_scale,   c.both_offset,
                                        c.table,       c.query_padding,  c.key_padding, c.key_scale,    c.key_offset,
                                        c.value_scale, c.value_offset,   c.key_prefix,  c.value_prefix, c.query_rope,
                                        c.key_rope,    c.key_rope_scale, c.query_scale, c.sink,         c.logarithm};
    all.insert(all.end(), c.keys.begin(), c.keys.end());
    all.insert(all.end(), c.values.begin(), c.values.end());
    all.erase(std::remove(all.begin(), all.end(), nullptr), all.end());
    return all;
  }

 private:
  static aclTensor* handle(const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; }
  static aclIntArray* given(const std::vector<std::int64_t>& values, const OpInts& ints) {
    return values.empty() ? nullptr : ints.get();
  }

  const FusedCall& call_;
  std::string layout_;
  OpList own_keys_;
  OpList own_values_;
  const aclTensorList* keys_;
  const aclTensorList* values_;
  OpInts query_lengths_;
  OpInts key_lengths_;
  OpInts prefix_length_;
};

/// What the numbers of a call are, and which keys are seen, for each sequence, head, token and column.
struct Meaning {
  using Number4 = std::function<Real(std::int64_t, std::int64_t, std::int64_t, std::int64_t)>;
  Sizes sizes{};
  std::int64_t value_columns = 0;  ///< 0: as many as keys have
  Number4 query{};
  Number4 key{};
  Number4 value{};
  std::function<bool(std::int64_t, std::int64_t, std::int64_t)> sees{};  ///< sequence, query, key
  Number4 shift{};                                                       ///< sequence, head, query, key
  std::function<Real(std::int64_t)> sink{};                              ///< of a head
  double scale = 0.25;

  Attended of(std::int64_t b, std::int64_t n, std::int64_t q) const {
    const std::int64_t own = n / (sizes.heads / sizes.key_heads);
    const std::int64_t extra = sink ? 1 : 0;  // a last key without a value
    const auto score = [&](std::int64_t k) -> std::optional<Real> {
      if (k == sizes.keys) return sink(n);
      if (sees && !sees(b, q, k)) return std::nullopt;
      Real sum = 0;
      for (std::int64_t d = 0; d < sizes.columns; ++d) sum += query(b, n, q, d) * key(b, own, k, d);
      return scale * sum + (shift ? shift(b, n, q, k) : 0);
    };
    return attend(sizes.keys + extra, value_columns > 0 ? value_columns : sizes.columns, score,
                  [&](std::int64_t k, std::int64_t d) { return k == sizes.keys ? 0 : value(b, own, k, d); });
  }
};

/// A tensor in one of the layouts, and its elements by sequence, head, token and column.
class LaidOut {
 public:
  LaidOut(aclDataType type, std::string layout, const Sizes& sizes, std::int64_t heads, std::int64_t tokens,
          std::int64_t columns)
      : layout_(std::move(layout)),
        sizes_(sizes),
        heads_(heads),
        tensor_(std::make_shared<OpTensor>(type, laid_out(layout_, sizes.sequences, heads, tokens, columns))) {}

  OpTensor& tensor() { return *tensor_; }
  const OpTensor* get() const { return tensor_.get(); }
  std::int64_t at(std::int64_t b, std::int64_t n, std::int64_t s, std::int64_t d) const {
    return laid_out_at(layout_, tensor_->shape(), sizes_, heads_, b, n, s, d);
  }
  Real operator()(std::int64_t b, std::int64_t n, std::int64_t s, std::int64_t d) const {
    return tensor_->before(at(b, n, s, d)).real();
  }

 private:
  std::string layout_;
  Sizes sizes_;
  std::int64_t heads_;
  std::shared_ptr<OpTensor> tensor_;
};

}  // namespace aclvk::test
