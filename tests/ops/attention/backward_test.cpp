#include <cmath>
#include <string>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "aclnnop/aclnn_flash_attention_score_grad.h"
#include "ops/attention/attention_reference.hpp"

namespace aclvk::test {
namespace {

/// What a gradient of attention is asked for.
struct GradientCase {
  std::string layout = "BNSD";
  Sizes sizes{2, 4, 2, 9, 37, 16};
  std::int64_t value_columns = 16;
  aclDataType type = ACL_FLOAT;
  int version = 2;
  std::vector<std::int64_t> queries{};  ///< of packed sequences
  std::vector<std::int64_t> keys{};
  std::int64_t zeros = 0;   ///< that close the lists of ends
  std::int64_t beyond = 0;  ///< tokens behind the last sequence
  double kept = 1;
  std::int64_t mode = 0;
  std::int64_t before = 65536;
  std::int64_t behind = 65536;
  std::vector<std::int64_t> prefix{};
  int shift_kind = -1;  ///< pseType; -1 without a shift
  bool last_rows = false;
  bool masked = false;

  bool packed() const { return layout == "TND"; }
  bool has_slopes() const { return shift_kind > 1; }
  std::int64_t rope_columns() const { return packed() && version == 3 ? 8 : 0; }
};

using Numbers = std::vector<Real>;

/// The tensors of a call, and what the definition of attention makes of their numbers.
class Gradient {
 public:
  explicit Gradient(const GradientCase& of)
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
        want_dq(size_of(dq)),
        want_dk(size_of(dk)),
        want_dv(size_of(dv)),
        want_dq_rope(size_of(dq_rope)),
        want_dk_rope(size_of(dk_rope)),
        of_queries_(closed(query_ends_)),
        of_keys_(closed(key_ends_)),
        prefix_(c.prefix),
        layout_(c.layout) {
    unsigned seed = 0;
    for (OpTensor* tensor : {&query, &key, &value, &query_rope, &key_rope, &dy}) fill_small(*tensor, ++seed);
    shift.fill([&](std::int64_t i) -> Number { return shift_number(coordinates_of(i, shift.shape())); });
    const bool hides_behind = c.last_rows;
    mask.fill([&](std::int64_t i) -> Number {
      const std::int64_t k = i % c.sizes.keys;
      return Real(hides_behind ? k > i / c.sizes.keys : i % 3 == 1);
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
    if (!c.packed() && c.version == 1) {
      return aclnnFlashAttentionScoreGradGetWorkspaceSize(query.get(), key.get(), value.get(), dy.get(), added, dropped,
                                                          nullptr, hidden, top.get(), sum.get(), nullptr, y.get(), seen,
                                                          0.5, c.kept, c.before, c.behind, n, layout, 0, c.mode,
                                                          dq.get(), dk.get(), dv.get(), nullptr, size, executor);
    }
    if (!c.packed()) {
      return aclnnFlashAttentionScoreGradV2GetWorkspaceSize(
          query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(), nullptr,
          y.get(), seen, nullptr, nullptr, 0.5, c.kept, c.before, c.behind, n, layout, 0, c.mode, kind, dq.get(),
          dk.get(), dv.get(), nullptr, size, executor);
    }
    const aclIntArray* const ends = of_queries_.get();
    const aclIntArray* const key_ends = of_keys_.get();
    switch (c.version) {
      case 1:
        return aclnnFlashAttentionUnpaddingScoreGradGetWorkspaceSize(
            query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(),
            nullptr, y.get(), seen, ends, key_ends, 0.5, c.kept, c.before, c.behind, n, layout, 0, c.mode, dq.get(),
            dk.get(), dv.get(), nullptr, size, executor);
      case 2:
        return aclnnFlashAttentionUnpaddingScoreGradV2GetWorkspaceSize(
            query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(),
            nullptr, y.get(), seen, ends, key_ends, nullptr, nullptr, 0.5, c.kept, c.before, c.behind, n, layout, 0,
            c.mode, kind, dq.get(), dk.get(), dv.get(), nullptr, size, executor);
      case 3:
        return aclnnFlashAttentionUnpaddingScoreGradV3GetWorkspaceSize(
            query.get(), query_rope.get(), key.get(), key_rope.get(), value.get(), dy.get(), added, dropped, nullptr,
            hidden, top.get(), sum.get(), nullptr, y.get(), seen, ends, key_ends, nullptr, nullptr, 0.5, c.kept,
            c.before, c.behind, n, layout, 0, c.mode, kind, dq.get(), dq_rope.get(), dk.get(), dk_rope.get(), dv.get(),
            nullptr, size, executor);
      default:
        return aclnnFlashAttentionUnpaddingScoreGradV4GetWorkspaceSize(
            query.get(), key.get(), value.get(), dy.get(), added, dropped, nullptr, hidden, top.get(), sum.get(),
            nullptr, y.get(), seen, ends, key_ends, 0.5, c.kept, c.before, c.behind, n, layout, 0, c.mode, dq.get(),
            dk.get(), dv.get(), nullptr, same_layout_, size, executor);
    }
  }
  Launch launch() const {
    if (!c.packed()) return c.version == 1 ? aclnnFlashAttentionScoreGrad : aclnnFlashAttentionScoreGradV2;
    constexpr Launch kForms[] = {aclnnFlashAttentionUnpaddingScoreGrad, aclnnFlashAttentionUnpaddingScoreGradV2,
                                 aclnnFlashAttentionUnpaddingScoreGradV3, aclnnFlashAttentionUnpaddingScoreGradV4};
    return kForms[c.version - 1];
  }
  std::vector<const OpTensor*> others() const {
    return {&query, &key,   &value, &query_rope, &key_rope, &dy, &y,       &shift,
            &mask,  &drops, &top,   &sum,        &dk,       &dv, &dq_rope, &dk_rope};
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

  const GradientCase c;

 private:
  std::vector<std::int64_t> queries_, keys_, query_ends_, key_ends_;

 public:
  OpTensor query, key, value, query_rope, key_rope, dy, y, shift, mask, drops, top, sum, dq, dk, dv, dq_rope, dk_rope;
  Numbers want_dq, want_dk, want_dv, want_dq_rope, want_dk_rope;

 private:
  /// A row of the forward pass.
  struct Row {
    Numbers weights;  ///< that are not hidden; of which some are dropped
    Numbers gains;    ///< what a weight counts
    Numbers result;
    Real top = 0;
    Real sum = 0;
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
    return element_at({first + t, n, d}, tensor.shape());
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
    const auto in_band = [&](std::int64_t middle) { return k >= middle - c.before && k <= middle + c.behind; };
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
    for (std::int64_t k = 0; k < keys; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (sees(b, q, k)) scores[i] = score(b, n, q, k, moved);
      if (scores[i]) row.top = std::max(row.top, *scores[i]);
      const int byte = c.kept < 1 ? static_cast<int>(drops.before((bit + k) / 8).real()) : 0;
      if (c.kept < 1) row.gains[i] = (byte >> (bit + k) % 8 & 1) != 0 ? 1 / Real(c.kept) : 0;
    }
    for (const auto& one : scores) row.sum += one ? std::exp(*one - row.top) : 0;
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

class AttentionGradients : public OpTest {
 protected:
  static void expect_numbers(const OpTensor& tensor, const std::vector<std::byte>& bytes, const Numbers& want,
                             const char* name) {
    for (std::int64_t i = 0; i < tensor.count(); ++i) {
      const Number got = tensor.in(bytes, i);
      const Real expected = want[static_cast<std::size_t>(i)];
      ASSERT_TRUE(is_close(got, expected, tensor.type()))
          << name << ", element " << i << " is " << text_of(got) << "; expected " << text_of(expected);
    }
  }

  static void check(const GradientCase& c) {
    SCOPED_TRACE(testing::Message() << c.layout << ", version " << c.version << ", dtype " << c.type << ", mode "
                                    << c.mode << ", kept " << c.kept << ", pseType " << c.shift_kind << ", columns "
                                    << c.sizes.columns << " and " << c.value_columns);
    Gradient gradient(c);
    const auto bytes = run([&](auto* size, auto** executor) { return gradient.plan(size, executor); },
                           gradient.launch(), gradient.others(), gradient.dq);
    ASSERT_NO_FATAL_FAILURE(expect_numbers(gradient.dq, bytes, gradient.want_dq, "dq"));
    ASSERT_NO_FATAL_FAILURE(expect_numbers(gradient.dk, gradient.dk.download(), gradient.want_dk, "dk"));
    ASSERT_NO_FATAL_FAILURE(expect_numbers(gradient.dv, gradient.dv.download(), gradient.want_dv, "dv"));
    if (c.rope_columns() == 0) return;
    expect_numbers(gradient.dq_rope, gradient.dq_rope.download(), gradient.want_dq_rope, "dqRope");
    expect_numbers(gradient.dk_rope, gradient.dk_rope.download(), gradient.want_dk_rope, "dkRope");
  }
};

// The chain rule above against differences of the forward pass, which knows nothing of it.
TEST(AttentionGradientReference, IsTheDerivative) {
  ASSERT_EQ(aclInit(nullptr), 0);
  ASSERT_EQ(aclrtSetDevice(0), 0);
  {
    GradientCase c;
    c.sizes = {1, 2, 1, 3, 5, 4};
    c.value_columns = 3;
    c.kept = 0.75;
    c.mode = 3;
    c.shift_kind = 1;
    const Gradient gradient(c);
    const auto expect_derivative = [&](const OpTensor& tensor, const Numbers& want) {
      constexpr Real kStep = 1e-5L;
      for (std::int64_t i = 0; i < tensor.count(); ++i) {
        const Real up = gradient.sum_of_results({&tensor, i, kStep});
        const Real down = gradient.sum_of_results({&tensor, i, -kStep});
        ASSERT_NEAR(static_cast<double>((up - down) / (2 * kStep)),
                    static_cast<double>(want[static_cast<std::size_t>(i)]), 1e-8);
      }
    };
    expect_derivative(gradient.query, gradient.want_dq);
    expect_derivative(gradient.key, gradient.want_dk);
    expect_derivative(gradient.value, gradient.want_dv);
  }
  aclrtResetDeviceForce(0);
  aclFinalize();
}

TEST_F(AttentionGradients, InEveryLayout) {
  for (const char* layout : {"BNSD", "BSND", "BSH", "SBH", "TND"}) {
    for (const int version : {1, 2}) {
      GradientCase c;
      c.layout = layout;
      c.version = version;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, InEveryDtype) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const char* layout : {"BSND", "TND"}) {
      GradientCase c;
      c.layout = layout;
      c.type = type;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, OfAnyNumberOfColumns) {
  const std::pair<std::int64_t, std::int64_t> columns[] = {{5, 3}, {8, 24}, {64, 64}, {128, 40}, {192, 128}, {512, 8}};
  for (const auto& [own, of_values] : columns) {
    for (const char* layout : {"BNSD", "BSH"}) {
      GradientCase c;
      c.layout = layout;
      c.sizes = {1, 2, 1, 5, 11, own};
      c.value_columns = of_values;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, OfHeadsThatShareKeys) {
  for (const std::int64_t key_heads : {1, 2, 3, 6}) {
    GradientCase c;
    c.sizes = {2, 6, key_heads, 7, 13, 16};
    check(c);
  }
}

TEST_F(AttentionGradients, InEverySparseMode) {
  for (const std::int64_t mode : {0, 1, 2, 3, 4, 5, 6}) {
    for (const char* layout : {"BNSD", "TND"}) {
      for (const std::int64_t queries : {9, 41}) {  // some then see nothing
        GradientCase c;
        c.layout = layout;
        c.sizes.queries = queries;
        c.mode = mode;
        c.masked = mode < 2;
        if (mode == 0 || mode == 4) {
          c.before = 5;
          c.behind = 3;
        }
        if (mode > 4) c.prefix = {20, 3};
        check(c);
      }
    }
  }
}

TEST_F(AttentionGradients, WhereTheFirstOrLastSequenceHasAWindow) {
  for (const std::int64_t mode : {7, 8}) {
    GradientCase c;
    c.layout = "TND";
    c.sizes = {3, 2, 1, 20, 40, 16};
    c.mode = mode;
    c.before = 9;
    c.behind = -2;
    check(c);
  }
}

TEST_F(AttentionGradients, WithShiftsAndSlopes) {
  for (const int kind : {0, 1, 2, 3}) {
    GradientCase c;
    c.shift_kind = kind;
    check(c);
    c.type = ACL_FLOAT16;
    check(c);
  }
  GradientCase first;
  first.version = 1;
  first.shift_kind = 1;
  check(first);
}

TEST_F(AttentionGradients, WithShiftsOfTheLastRows) {
  for (const std::int64_t mode : {0, 2, 3}) {
    for (const char* layout : {"BNSD", "TND"}) {
      GradientCase c;
      c.layout = layout;
      c.sizes = {1, 1, 1, 1031, 1031, 8};
      c.value_columns = 8;
      c.mode = mode;
      c.masked = mode == 0;
      c.shift_kind = 1;
      c.last_rows = true;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, WhereWeightsAreDropped) {
  for (const char* layout : {"BNSD", "TND"}) {
    GradientCase c;
    c.layout = layout;
    c.kept = 0.75;
    check(c);
    c.mode = 1;
    c.masked = true;
    check(c);
  }
}

TEST_F(AttentionGradients, OfSequencesThatFollowEachOther) {
  for (const int version : {1, 2, 3, 4}) {
    for (const std::int64_t columns : {16, 13}) {
      GradientCase c;
      c.layout = "TND";
      c.version = version;
      c.sizes = {4, 4, 2, 9, 37, columns};
      c.queries = {9, 0, 7, 2};
      c.keys = {37, 3, 21, 0};
      c.zeros = 2;
      c.beyond = 5;
      check(c);
      c.kept = 0.5;
      check(c);
    }
  }
}

TEST_F(AttentionGradients, OfMoreSequencesThanAKernelTakes) {
  GradientCase c;
  c.layout = "TND";
  c.sizes = {37, 2, 1, 3, 5, 8};
  c.value_columns = 8;
  check(c);
}

TEST_F(AttentionGradients, OfMoreKeysAndQueriesThanALoopHasTurns) {
  GradientCase c;
  c.sizes = {1, 1, 1, 1, 65557, 8};
  c.value_columns = 8;
  check(c);
  c.sizes = {1, 2, 1, 32789, 2, 8};  // of two heads
  check(c);
  c.type = ACL_FLOAT16;
  check(c);
}

TEST_F(AttentionGradients, OfNothingAreZero) {
  for (const Sizes& sizes : {Sizes{2, 2, 1, 0, 5, 8}, Sizes{2, 2, 1, 5, 0, 8}, Sizes{0, 2, 1, 5, 5, 8}}) {
    GradientCase c;
    c.sizes = sizes;
    c.value_columns = 8;
    check(c);
  }
}

TEST_F(AttentionGradients, LeaveOutWhatIsHiddenWhateverItIs) {
  GradientCase c;
  c.sizes = {1, 1, 1, 3, 8, 8};
  c.value_columns = 8;
  c.mode = 2;
  Gradient gradient(c);
  const auto spoil = [](OpTensor& tensor) {
    Numbers numbers;
    for (std::int64_t i = 0; i < tensor.count(); ++i) numbers.push_back(tensor.before(i).real());
    tensor.fill([&](std::int64_t i) -> Number {  // keys behind the last query
      return i < 3 * 8 ? numbers[static_cast<std::size_t>(i)] : std::numeric_limits<Real>::quiet_NaN();
    });
  };
  spoil(gradient.key);
  spoil(gradient.value);
  const auto bytes = run([&](auto* size, auto** executor) { return gradient.plan(size, executor); }, gradient.launch(),
                         gradient.others(), gradient.dq);
  expect_numbers(gradient.dq, bytes, gradient.want_dq, "dq");
  expect_numbers(gradient.dk, gradient.dk.download(), gradient.want_dk, "dk");
  expect_numbers(gradient.dv, gradient.dv.download(), gradient.want_dv, "dv");
}

// What the forward operator leaves is what the gradient expects.
TEST_F(AttentionGradients, TakeWhatTheForwardPassLeaves) {
  for (const char* layout : {"BSND", "TND"}) {
    GradientCase c;
    c.layout = layout;
    c.mode = 3;
    Gradient gradient(c);
    gradient.top.fill([](std::int64_t) { return Number(7); });
    gradient.sum.fill([](std::int64_t) { return Number(7); });
    gradient.y.fill([](std::int64_t) { return Number(7); });
    for (const OpTensor* tensor : gradient.others()) tensor->upload();
    gradient.dq.upload();
    std::string name = layout;
    const OpInts query_ends({9, 18});
    const OpInts key_ends({37, 74});
    enqueue(
        [&](auto* size, auto** executor) {
          if (c.packed()) {
            return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
                gradient.query.get(), gradient.key.get(), gradient.value.get(), nullptr, nullptr, nullptr, nullptr,
                nullptr, query_ends.get(), key_ends.get(), 0.5, 1, 65536, 65536, 4, name.data(), 0, 3,
                gradient.top.get(), gradient.sum.get(), nullptr, gradient.y.get(), size, executor);
          }
          return aclnnFlashAttentionScoreGetWorkspaceSize(
              gradient.query.get(), gradient.key.get(), gradient.value.get(), nullptr, nullptr, nullptr, nullptr,
              nullptr, 0.5, 1, 65536, 65536, 4, name.data(), 0, 3, gradient.top.get(), gradient.sum.get(), nullptr,
              gradient.y.get(), size, executor);
        },
        c.packed() ? aclnnFlashAttentionVarLenScore : aclnnFlashAttentionScore);
    enqueue([&](auto* size, auto** executor) { return gradient.plan(size, executor); }, gradient.launch());
    EXPECT_EQ(aclrtSynchronizeStream(stream()), 0);
    expect_numbers(gradient.dq, gradient.dq.download(), gradient.want_dq, "dq");
    expect_numbers(gradient.dk, gradient.dk.download(), gradient.want_dk, "dk");
    expect_numbers(gradient.dv, gradient.dv.download(), gradient.want_dv, "dv");
  }
}

TEST_F(AttentionGradients, RefuseOthers) {
  const OpTensor x(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor halves(ACL_FLOAT16, {1, 2, 4, 16});
  const OpTensor rows(ACL_FLOAT, {1, 2, 4, 8});
  const OpTensor few(ACL_FLOAT, {1, 2, 4, 1});
  const OpTensor dq(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor dk(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor dv(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor narrow(ACL_FLOAT, {1, 2, 4, 8});
  char layout[] = "BNSD";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* dy, const OpTensor* top, const OpTensor* y, const OpTensor* of_query,
                        const OpTensor* of_key, double kept, std::int64_t mode) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnFlashAttentionScoreGradGetWorkspaceSize(
        x.get(), x.get(), x.get(), handle(dy), nullptr, nullptr, nullptr, nullptr, handle(top), rows.get(), nullptr,
        handle(y), nullptr, 1, kept, 65536, 65536, 2, layout, 0, mode, handle(of_query), handle(of_key), dv.get(),
        nullptr, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &rows, &x, &dq, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, nullptr, &x, &dq, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, &rows, nullptr, &dq, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, &rows, &x, nullptr, &dk, 1, 0), 161001);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, nullptr, 1, 0), 161001);
  EXPECT_EQ(plan(&halves, &rows, &x, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&narrow, &rows, &x, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &few, &x, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &narrow, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &halves, &dq, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &halves, &dk, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &narrow, 1, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &x, &dk, 1, 0), 161002);   // in the memory of the query
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dq, 1, 0), 161002);  // two gradients in one
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dk, 0.5, 0), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dk, 1, 1), 161002);
  EXPECT_EQ(plan(&x, &rows, &x, &dq, &dk, 1, 9), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
