#pragma once

#include <cmath>
#include <string>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"
#include "ops/attention/attention_reference.hpp"

namespace aclvk::test {

/// What a gradient of attention is asked for.
struct AttentionGradientCase {
  std::string layout = "BNSD";
  Sizes sizes{2, 4, 2, 9, 37, 16};
  std::int64_t value_columns = 16;
  aclDataType type = ACL_FLOAT;
  int version = 2;
  std::vector<std::int64_t> queries{};  ///< of packed sequences
  std::vector<std::int64_t> keys{};
  std::int64_t zeros = 0;   ///< that close the lists of ends
  std::int64_t beyond = 0;  ///< tokens after the last sequence
  double kept = 1;
  std::int64_t mode = 0;
  std::int64_t before = 65536;
  std::int64_t after = 65536;
  std::vector<std::int64_t> prefix{};
  int shift_kind = -1;  ///< pseType; -1 without a shift
  bool last_rows = false;
  bool masked = false;
  bool sinks = false;  ///< from version 3 on
  aclDataType sink_type = ACL_FLOAT;
  bool ropes = false;  ///< of the version that takes all layouts

  /// aclnnFlashAttentionScoreGradV4, for packed sequences the fifth that takes these.
  bool takes_all() const { return version == (packed() ? 5 : 4); }
  bool packed() const { return layout == "TND"; }
  bool has_slopes() const { return shift_kind > 1; }
  std::int64_t rope_columns() const { return (packed() && version == 3) || (takes_all() && ropes) ? 8 : 0; }
};

using Numbers = std::vector<Real>;

/// The tensors of a call, and what the definition of attention makes of their numbers.
class Gradient {
 public:
  explicit Gradient(const AttentionGradientCase& of)
      : c(of),
        queries_(lengths(c.queries, c.sizes.queries)),
        keys_(lengths(c.keys, c.sizes.keys)),
        query_ends_(ends_of(queries_)),
        key_ends_(ends_of(keys_)),
        query(c.type, shape(c.sizes.heads, true, c.sizes.columns)),
        key(c.type, shape(c.sizes.key_heads, false, c.sizes.columns)),
        value(c.type, shape(c.sizes.key_heads, false, c.value_columns)),
        query_rope(c.type, shape(c.sizes.heads, true, 8)),
        key_rope(c.type, shape(c.sizes.key_heads, false, 8)),
        dy(c.type, shape(c.sizes.heads, true, c.value_columns)),
        y(c.type, dy.shape()),
        shift(c.has_slopes() ? ACL_FLOAT : c.type, shift_shape()),
        mask(ACL_BOOL, {c.sizes.queries, c.sizes.keys}),
        drops(ACL_UINT8, {(bits() + 127) / 128 * 16}),
        top(ACL_FLOAT, statistic_shape()),
        sum(ACL_FLOAT, top.shape()),
        dq(c.type, query.shape()),
        dk(c.type, key.shape()),
        dv(c.type, value.shape()),
        dq_rope(c.type, query_rope.shape()),
        dk_rope(c.type, key_rope.shape()),
        sink(c.sink_type, {c.sizes.heads}),
        dsink(c.sink_type, {c.sizes.heads}),
        want_dq(size_of(dq)),
        want_dk(size_of(dk)),
        want_dv(size_of(dv)),
        want_dq_rope(size_of(dq_rope)),
        want_dk_rope(size_of(dk_rope)),
        want_dsink(size_of(dsink)),
        of_queries_(closed(query_ends_)),
        of_keys_(closed(key_ends_)),
        prefix_(c.prefix),
        layout_(c.layout) {
    unsigned seed = 0;
    for (OpTensor* tensor : {&query, &key, &value, &query_rope, &key_rope, &dy}) fill_small(*tensor, ++seed);
    sink.fill([](std::int64_t i) -> Number { return Real(i % 5 - 2) / 2; });
    shift.fill([&](std::int64_t i) -> Number { return shift_number(coordinates_of(i, shift.shape())); });
    const bool hides_later = c.last_rows;
    mask.fill([&](std::int64_t i) -> Number {
      const std::int64_t k = i % c.sizes.keys;
      return Real(hides_later ? k > i / c.sizes.keys : i % 3 == 1);
    });
    std::mt19937 random(7);
    drops.fill([&](std::int64_t) -> Number { return Real(random() % 256); });
    find_all();
  }

  aclnnStatus plan(uint64_t* size, aclOpExecutor** executor) {
    const aclTensor* const added = c.shift_kind >= 0 ? shift.get() : nullptr;
    const aclTensor* const dropped = c.kept < 1 ? drops.get() : nullptr;
    const aclTensor* const hidden = c.masked ? mask.get() : nullptr;
    const aclIntArray* const seen = c.prefix.empty() ? nullptr : prefix_.get();
    char* const layout = layout_.data();
    const std::int64_t n = c.sizes.heads;
    const std::int64_t kind = c.shift_kind < 0 ? 1 : c.shift_kind;
    const aclTensor* const sinks = c.sinks ? sink.get() : nullptr;
    const aclTensor* const of_sinks = c.sinks ? dsink.get() : nullptr;
    if (c.takes_all()) {
      const auto with_ropes = [&](const OpTensor& tensor) { return c.ropes ? tensor.get() : nullptr; };
      const auto if_packed = [&](const OpInts& ends) { return c.packed() ? ends.get() : nullptr; };
      return aclnnFlashAttentionScoreGradV4GetWorkspaceSize(
          query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(), nullptr,
          y.get(), sinks, with_ropes(query_rope), with_ropes(key_rope), nullptr, nullptr, nullptr, nullptr, nullptr,
          seen, if_packed(of_queries_), if_packed(of_keys_), nullptr, nullptr, 0.5, c.kept, c.before, c.after, n,
          layout, same_layout_, 0, c.mode, kind, 2, 0, 0, dq.get(), dk.get(), dv.get(), with_ropes(dq_rope),
          with_ropes(dk_rope), nullptr, of_sinks, size, executor);
    }
    if (!c.packed() && c.version == 3) {
      return aclnnFlashAttentionScoreGradV3GetWorkspaceSize(
          query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(), nullptr,
          y.get(), sinks, seen, nullptr, nullptr, 0.5, c.kept, c.before, c.after, n, layout, 0, c.mode, kind, dq.get(),
          dk.get(), dv.get(), nullptr, of_sinks, size, executor);
    }
    if (!c.packed() && c.version == 1) {
      return aclnnFlashAttentionScoreGradGetWorkspaceSize(query.get(), key.get(), value.get(), dy.get(), added, dropped,
                                                          nullptr, hidden, top.get(), sum.get(), nullptr, y.get(), seen,
                                                          0.5, c.kept, c.before, c.after, n, layout, 0, c.mode,
                                                          dq.get(), dk.get(), dv.get(), nullptr, size, executor);
    }
    if (!c.packed()) {
      return aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
          query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(), nullptr,
          y.get(), seen, nullptr, nullptr, 0.5, c.kept, c.before, c.after, n, layout, 0, c.mode, kind, dq.get(),
          dk.get(), dv.get(), nullptr, size, executor);
    }
    const aclIntArray* const ends = of_queries_.get();
    const aclIntArray* const key_ends = of_keys_.get();
    switch (c.version) {
      case 1:
        return aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
            query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(),
            nullptr, y.get(), seen, ends, key_ends, 0.5, c.kept, c.before, c.after, n, layout, 0, c.mode, dq.get(),
            dk.get(), dv.get(), nullptr, size, executor);
      case 2:
        return aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
            query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(),
            nullptr, y.get(), seen, ends, key_ends, nullptr, nullptr, 0.5, c.kept, c.before, c.after, n, layout, 0,
            c.mode, kind, dq.get(), dk.get(), dv.get(), nullptr, size, executor);
      case 3:
        return aclnnFlashAttentionUnpaddingScoreGradV3GetWorkspaceSize(
            query.get(), query_rope.get(), key.get(), key_rope.get(), value.get(), dy.get(), added, dropped, nullptr,
            hidden, top.get(), sum.get(), nullptr, y.get(), seen, ends, key_ends, nullptr, nullptr, 0.5, c.kept,
            c.before, c.after, n, layout, 0, c.mode, kind, dq.get(), dq_rope.get(), dk.get(), dk_rope.get(), dv.get(),
            nullptr, size, executor);
      default:
        return aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
            query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(),
            nullptr, y.get(), seen, ends, key_ends, 0.5, c.kept, c.before, c.after, n, layout, 0, c.mode, dq.get(),
            dk.get(), dv.get(), nullptr, same_layout_, size, executor);
    }
  }
  Launch launch() const {
    constexpr Launch kForms[] = {aclnnFlashAttentionScoreGrad, aclnnFlashAttentionScoreGradV2,
                                 aclnnFlashAttentionScoreGradV3, aclnnFlashAttentionScoreGradV4};
    constexpr Launch kPackedForms[] = {aclnnFlashAttentionUnpaddingScoreGrad, aclnnFlashAttentionUnpaddingScoreGradV2,
                                       aclnnFlashAttentionUnpaddingScoreGradV3, aclnnFlashAttentionUnpaddingScoreGradV4,
                                       aclnnFlashAttentionScoreGradV4};
    return c.packed() ? kPackedForms[c.version - 1] : kForms[c.version - 1];
  }
  std::vector<const OpTensor*> others() const {
    return {&query, &key, &value, &query_rope, &key_rope, &dy,      &y,       &shift, &mask,
            &drops, &top, &sum,   &dk,         &dv,       &dq_rope, &dk_rope, &sink,  &dsink};
  }

  /// The sum of all results, each times its dy: what dq, dk and dv are derivatives of. `moved` is added to an element.
  struct Moved {
    const OpTensor* tensor = nullptr;
    std::int64_t element = 0;
    Real by = 0;
  };
  Real sum_of_results(const Moved& moved) const {
    Real all = 0;
    std::int64_t bit = 0;
    for_each_row([&](std::int64_t b, std::int64_t n, std::int64_t q) {
      const Row row = row_of(b, n, q, bit, moved);
      for (std::int64_t d = 0; d < c.value_columns; ++d) {
        all += row.result[static_cast<std::size_t>(d)] * number(dy, true, c.sizes.heads, b, n, q, d, {});
      }
      bit += own(keys_, b);
    });
    return all;
  }

  const AttentionGradientCase c;

 private:
  std::vector<std::int64_t> queries_, keys_, query_ends_, key_ends_;

 public:
  OpTensor query, key, value, query_rope, key_rope, dy, y, shift, mask, drops, top, sum, dq, dk, dv, dq_rope, dk_rope,
      sink, dsink;
  Numbers want_dq, want_dk, want_dv, want_dq_rope, want_dk_rope, want_dsink;

 private:
  /// A row of the forward pass.
  struct Row {
    Numbers weights;  ///< that are not hidden; of which some are dropped
    Numbers gains;    ///< what a weight counts
    Numbers result;
    Real top = 0;
    Real sum = 0;
    Real sink_weight = 0;
  };

  std::vector<std::int64_t> lengths(const std::vector<std::int64_t>& given, std::int64_t all) const {
    return given.empty() ? std::vector<std::int64_t>(static_cast<std::size_t>(c.sizes.sequences), all) : given;
  }
  static std::vector<std::int64_t> ends_of(const std::vector<std::int64_t>& lengths) {
    std::vector<std::int64_t> ends;
    for (const std::int64_t length : lengths) ends.push_back(length + (ends.empty() ? 0 : ends.back()));
    return ends;
  }
  std::vector<std::int64_t> closed(std::vector<std::int64_t> ends) const {
    ends.resize(ends.size() + static_cast<std::size_t>(c.zeros), 0);
    return ends;
  }
  static std::size_t size_of(const OpTensor& tensor) { return static_cast<std::size_t>(tensor.count()); }
  static std::int64_t own(const std::vector<std::int64_t>& lengths, std::int64_t b) {
    return lengths[static_cast<std::size_t>(b)];
  }
  Shape shape(std::int64_t heads, bool of_query, std::int64_t columns) const {
    if (c.packed()) return {(of_query ? query_ends_ : key_ends_).back() + c.beyond, heads, columns};
    return laid_out(c.layout, c.sizes.sequences, heads, of_query ? c.sizes.queries : c.sizes.keys, columns);
  }
  Shape statistic_shape() const {
    if (c.packed()) return {query_ends_.back() + c.beyond, c.sizes.heads, 8};
    return {c.sizes.sequences, c.sizes.heads, c.sizes.queries, 8};
  }
  Shape shift_shape() const {
    if (c.has_slopes()) return {c.sizes.heads};
    if (c.last_rows) return {1, c.sizes.heads, 1024, c.sizes.keys};
    return {c.sizes.sequences, c.sizes.heads, c.sizes.queries, c.sizes.keys};
  }
  Number shift_number(const Shape& at) const {
    if (c.has_slopes()) return Real(at[0] + 1) / 8;
    if (c.last_rows) return far_number(at[1], at[3] - (c.sizes.queries - 1024 + at[2]));
    return std::sin(Real(at[0] * 5 + at[1] * 3 + at[2] * 7 + at[3] * 2));
  }
  static Real far_number(std::int64_t head, std::int64_t distance) { return Real(head + 1) * Real(distance % 61) / 64; }
  std::int64_t bits() const {
    std::int64_t count = 0;
    for (std::size_t b = 0; b < queries_.size(); ++b) count += c.sizes.heads * queries_[b] * keys_[b];
    return count;
  }

  std::int64_t at(const OpTensor& tensor, bool of_query, std::int64_t heads, std::int64_t b, std::int64_t n,
                  std::int64_t t, std::int64_t d) const {
    if (!c.packed()) return laid_out_at(c.layout, tensor.shape(), c.sizes, heads, b, n, t, d);
    const auto i = static_cast<std::size_t>(b);
    const std::int64_t first = of_query ? query_ends_[i] - queries_[i] : key_ends_[i] - keys_[i];
    return ((first + t) * tensor.shape()[1] + n) * tensor.shape()[2] + d;
  }
  Real number(const OpTensor& tensor, bool of_query, std::int64_t heads, std::int64_t b, std::int64_t n, std::int64_t t,
              std::int64_t d, const Moved& moved) const {
    const std::int64_t element = at(tensor, of_query, heads, b, n, t, d);
    const bool is_moved = moved.tensor == &tensor && moved.element == element;
    return tensor.before(element).real() + (is_moved ? moved.by : 0);
  }
  /// Columns of ropes follow those of the tensor.
  Real query_number(std::int64_t b, std::int64_t n, std::int64_t q, std::int64_t d, const Moved& moved) const {
    const std::int64_t columns = c.sizes.columns;
    return d < columns ? number(query, true, c.sizes.heads, b, n, q, d, moved)
                       : number(query_rope, true, c.sizes.heads, b, n, q, d - columns, moved);
  }
  Real key_number(std::int64_t b, std::int64_t n, std::int64_t k, std::int64_t d, const Moved& moved) const {
    const std::int64_t columns = c.sizes.columns;
    return d < columns ? number(key, false, c.sizes.key_heads, b, n, k, d, moved)
                       : number(key_rope, false, c.sizes.key_heads, b, n, k, d - columns, moved);
  }

  bool sees(std::int64_t b, std::int64_t q, std::int64_t k) const {
    const std::int64_t from_end = own(keys_, b) - own(queries_, b);
    if (c.masked && mask.before(q * c.sizes.keys + k).real() != 0 && c.mode < 2) return false;
    const auto in_band = [&](std::int64_t middle) { return k >= middle - c.before && k <= middle + c.after; };
    switch (c.mode) {
      case 0: return !c.masked || in_band(q);
      case 2: return k <= q;
      case 3: return k <= q + from_end;
      case 4: return in_band(q + from_end);
      case 5:
      case 6: return k <= q + from_end || k < c.prefix[static_cast<std::size_t>(b)];
      case 7: return b == c.sizes.sequences - 1 ? in_band(q + from_end) : k <= q + from_end;
      case 8: return b == 0 ? in_band(q + from_end) : k <= q;
      default: return true;
    }
  }

  Real score(std::int64_t b, std::int64_t n, std::int64_t q, std::int64_t k, const Moved& moved) const {
    const std::int64_t of_key = n / (c.sizes.heads / c.sizes.key_heads);
    Real product = 0;
    for (std::int64_t d = 0; d < c.sizes.columns + c.rope_columns(); ++d) {
      product += query_number(b, n, q, d, moved) * key_number(b, of_key, k, d, moved);
    }
    const Real scaled = 0.5L * product;
    if (c.shift_kind < 0) return scaled;
    if (c.has_slopes()) {
      const Real distance = std::abs(q - k);
      return scaled - shift.before(n).real() * (c.shift_kind == 2 ? distance : std::sqrt(distance));
    }
    const Real added =
        c.last_rows ? far_number(n, k - q) : shift.before(element_at({b, n, q, k}, shift.shape())).real();
    return c.shift_kind == 1 ? 0.5L * (product + added) : scaled + added;
  }

  /// `bit` is that of the row's first key.
  Row row_of(std::int64_t b, std::int64_t n, std::int64_t q, std::int64_t bit, const Moved& moved) const {
    const std::int64_t keys = own(keys_, b);
    const std::int64_t of_key = n / (c.sizes.heads / c.sizes.key_heads);
    Row row;
    row.weights.assign(static_cast<std::size_t>(keys), 0);
    row.gains.assign(static_cast<std::size_t>(keys), 1);
    row.result.assign(static_cast<std::size_t>(c.value_columns), 0);
    std::vector<std::optional<Real>> scores(static_cast<std::size_t>(keys));
    row.top = -std::numeric_limits<float>::max();
    const Real logit = sink.before(n).real() + (moved.tensor == &sink && moved.element == n ? moved.by : 0);
    if (c.sinks) row.top = logit;
    for (std::int64_t k = 0; k < keys; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (sees(b, q, k)) scores[i] = score(b, n, q, k, moved);
      if (scores[i]) row.top = std::max(row.top, *scores[i]);
      const int byte = c.kept < 1 ? static_cast<int>(drops.before((bit + k) / 8).real()) : 0;
      if (c.kept < 1) row.gains[i] = (byte >> (bit + k) % 8 & 1) != 0 ? 1 / Real(c.kept) : 0;
    }
    for (const auto& one : scores) row.sum += one ? std::exp(*one - row.top) : 0;
    if (c.sinks) row.sum += std::exp(logit - row.top);
    if (c.sinks) row.sink_weight = std::exp(logit - row.top) / row.sum;
    for (std::int64_t k = 0; k < keys; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (!scores[i]) continue;
      row.weights[i] = std::exp(*scores[i] - row.top) / row.sum;
      for (std::int64_t d = 0; d < c.value_columns; ++d) {
        row.result[static_cast<std::size_t>(d)] +=
            row.weights[i] * row.gains[i] * number(value, false, c.sizes.key_heads, b, of_key, k, d, moved);
      }
    }
    return row;
  }

  template <typename Visit>
  void for_each_row(Visit visit) const {
    for (std::int64_t b = 0; b < c.sizes.sequences; ++b) {
      for (std::int64_t n = 0; n < c.sizes.heads; ++n) {
        for (std::int64_t q = 0; q < own(queries_, b); ++q) visit(b, n, q);
      }
    }
  }

  void find_all() {
    Numbers ys(size_of(y));
    Numbers tops(size_of(top));
    Numbers sums(size_of(sum));
    std::int64_t bit = 0;
    for_each_row([&](std::int64_t b, std::int64_t n, std::int64_t q) {
      const Row row = row_of(b, n, q, bit, {});
      for (std::int64_t d = 0; d < c.value_columns; ++d) {
        ys[place(y, true, c.sizes.heads, b, n, q, d)] = row.result[static_cast<std::size_t>(d)];
      }
      const std::int64_t first =
          c.packed() ? at(top, true, c.sizes.heads, b, n, q, 0) : ((b * c.sizes.heads + n) * c.sizes.queries + q) * 8;
      for (std::int64_t i = first; i < first + 8; ++i) {
        tops[static_cast<std::size_t>(i)] = row.top;
        sums[static_cast<std::size_t>(i)] = row.sum;
      }
      add_gradients(row, b, n, q);
      bit += own(keys_, b);
    });
    const auto of = [](const Numbers& all) {
      return [&all](std::int64_t i) -> Number { return all[static_cast<std::size_t>(i)]; };
    };
    y.fill(of(ys));
    top.fill(of(tops));
    sum.fill(of(sums));
  }

  std::size_t place(const OpTensor& tensor, bool of_query, std::int64_t heads, std::int64_t b, std::int64_t n,
                    std::int64_t t, std::int64_t d) const {
    return static_cast<std::size_t>(at(tensor, of_query, heads, b, n, t, d));
  }
  Real& query_gradient(std::int64_t b, std::int64_t n, std::int64_t q, std::int64_t d) {
    const std::int64_t columns = c.sizes.columns;
    return d < columns ? want_dq[place(dq, true, c.sizes.heads, b, n, q, d)]
                       : want_dq_rope[place(dq_rope, true, c.sizes.heads, b, n, q, d - columns)];
  }
  Real& key_gradient(std::int64_t b, std::int64_t n, std::int64_t k, std::int64_t d) {
    const std::int64_t columns = c.sizes.columns;
    return d < columns ? want_dk[place(dk, false, c.sizes.key_heads, b, n, k, d)]
                       : want_dk_rope[place(dk_rope, false, c.sizes.key_heads, b, n, k, d - columns)];
  }

  /// By the chain rule, from the result back to the products of queries and keys.
  void add_gradients(const Row& row, std::int64_t b, std::int64_t n, std::int64_t q) {
    const std::int64_t of_key = n / (c.sizes.heads / c.sizes.key_heads);
    Numbers of_weights(row.weights.size());
    Real mean = 0;
    for (std::size_t k = 0; k < row.weights.size(); ++k) {
      for (std::int64_t d = 0; d < c.value_columns; ++d) {
        const Real grown = number(dy, true, c.sizes.heads, b, n, q, d, {});
        const auto key_of_row = static_cast<std::int64_t>(k);
        of_weights[k] += row.gains[k] * grown * number(value, false, c.sizes.key_heads, b, of_key, key_of_row, d, {});
        want_dv[place(dv, false, c.sizes.key_heads, b, of_key, key_of_row, d)] += row.weights[k] * row.gains[k] * grown;
      }
      mean += row.weights[k] * of_weights[k];
    }
    // A sink has a weight and no value.
    want_dsink[static_cast<std::size_t>(n)] += row.sink_weight * (0 - mean);
    for (std::size_t k = 0; k < row.weights.size(); ++k) {
      const Real of_product = 0.5L * row.weights[k] * (of_weights[k] - mean);
      const auto key_of_row = static_cast<std::int64_t>(k);
      for (std::int64_t d = 0; d < c.sizes.columns + c.rope_columns() && of_product != 0; ++d) {
        query_gradient(b, n, q, d) += of_product * key_number(b, of_key, key_of_row, d, {});
        key_gradient(b, of_key, key_of_row, d) += of_product * query_number(b, n, q, d, {});
      }
    }
  }

  OpInts of_queries_, of_keys_, prefix_;
  std::string layout_;
  char same_layout_[14] = "same_as_input";
};

}  // namespace aclvk::test
