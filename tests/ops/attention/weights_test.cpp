#include "aclnnop/aclnn_flash_attention_score.h"
#include "ops/attention/fused_call.hpp"

namespace aclvk::test {
namespace {

/// What decides about the weights of attention for training: which are dropped, which keys are seen, slopes.
class TrainingWeights : public OpTest {
 protected:
  /// A call of aclnnFlashAttentionScoreV2, or with more than one number of lengths of aclnnFlashAttentionVarLenScoreV2
  /// and its other forms. Sequences of the latter are as long as each other, or as `queries` and `keys` say.
  struct Case {
    Sizes sizes{2, 4, 2, 9, 37, 16};
    bool packed = false;
    std::vector<std::int64_t> queries{};
    std::vector<std::int64_t> keys{};
    double kept = 1;
    std::int64_t mode = 0;
    std::int64_t before = 65536;
    std::int64_t after = 65536;
    std::vector<std::int64_t> prefix{};
    std::int64_t shift_kind = 1;
    std::vector<std::int64_t> starts{};  ///< of the query's and of the key's part
    bool masked = false;
    int version = 2;
    aclDataType type = ACL_FLOAT;
    std::int64_t zeros = 0;   ///< that close the lists of ends
    std::int64_t beyond = 0;  ///< tokens after the last sequence
    std::string statistic_layout{};
  };

  static std::vector<std::int64_t> ends_of(const std::vector<std::int64_t>& lengths) {
    std::vector<std::int64_t> ends;
    for (const std::int64_t length : lengths) ends.push_back(length + (ends.empty() ? 0 : ends.back()));
    return ends;
  }

  static std::vector<std::int64_t> closed(std::vector<std::int64_t> ends, std::int64_t zeros) {
    ends.resize(ends.size() + static_cast<std::size_t>(zeros), 0);
    return ends;
  }

  static bool sees(const Case& c, std::int64_t b, std::int64_t q, std::int64_t k, std::int64_t queries,
                   std::int64_t keys) {
    const std::int64_t from_end = keys - queries;
    const bool in_band = k >= q + from_end - c.before && k <= q + from_end + c.after;
    switch (c.mode) {
      case 5:
      case 6: return k <= q + from_end || k < c.prefix[static_cast<std::size_t>(b)];
      case 7: return b == c.sizes.sequences - 1 ? in_band : k <= q + from_end;
      case 8: return b == 0 ? in_band : k <= q;
      default: return true;
    }
  }

  /// The tensors and arrays of a call.
  struct Call {
    explicit Call(const Case& of)
        : c(of),
          queries(lengths(c, c.queries, c.sizes.queries)),
          keys(lengths(c, c.keys, c.sizes.keys)),
          query_ends(ends_of(queries)),
          key_ends(ends_of(keys)),
          query(c.type, shape(c.sizes.heads, c.sizes.queries, query_ends.back(), c.sizes.columns)),
          key(c.type, shape(c.sizes.key_heads, c.sizes.keys, key_ends.back(), c.sizes.columns)),
          value(c.type, key.shape()),
          query_rope(c.type, shape(c.sizes.heads, c.sizes.queries, query_ends.back(), 8)),
          key_rope(c.type, shape(c.sizes.key_heads, c.sizes.keys, key_ends.back(), 8)),
          slopes(ACL_FLOAT, {c.sizes.heads}),
          mask(ACL_BOOL, {c.sizes.queries, c.sizes.keys}),
          drops(ACL_UINT8, {(bits() + 127) / 128 * 16}),
          top(ACL_FLOAT, shape(c.sizes.heads, c.sizes.queries, query_ends.back(), 8)),
          sum(ACL_FLOAT, top.shape()),
          out(c.type, query.shape()),
          of_queries(closed(query_ends, c.zeros)),
          of_keys(closed(key_ends, c.zeros)),
          prefix(c.prefix),
          query_start(start(c, 0)),
          key_start(start(c, 1)),
          statistic_layout(c.statistic_layout) {
      unsigned seed = 0;
      for (OpTensor* tensor : {&query, &key, &value, &query_rope, &key_rope, &slopes}) fill_small(*tensor, ++seed);
      mask.fill([](std::int64_t i) -> Number { return Real(i % 3 == 1); });
      std::mt19937 random(7);
      drops.fill([&](std::int64_t) -> Number { return Real(random() % 256); });
    }

    static std::vector<std::int64_t> lengths(const Case& c, const std::vector<std::int64_t>& given, std::int64_t all) {
      return given.empty() ? std::vector<std::int64_t>(static_cast<std::size_t>(c.sizes.sequences), all) : given;
    }
    static std::vector<std::int64_t> start(const Case& c, std::size_t part) {
      return c.starts.empty() ? std::vector<std::int64_t>{} : std::vector{c.starts[part]};
    }
    Shape shape(std::int64_t heads, std::int64_t tokens, std::int64_t all, std::int64_t columns) const {
      return c.packed ? Shape{all + c.beyond, heads, columns} : Shape{c.sizes.sequences, heads, tokens, columns};
    }
    std::int64_t bits() const {
      std::int64_t count = 0;
      for (std::size_t b = 0; b < queries.size(); ++b) count += c.sizes.heads * queries[b] * keys[b];
      return count;
    }
    bool has_slopes() const { return c.shift_kind > 1; }
    bool has_rope() const { return c.packed && c.version == 3; }

    aclnnStatus plan(uint64_t* size, aclOpExecutor** executor) {
      const std::int64_t n = c.sizes.heads;
      const auto array = [](const std::vector<std::int64_t>& values, const OpInts& ints) {
        return values.empty() ? nullptr : ints.get();
      };
      const aclTensor* const shift = has_slopes() ? slopes.get() : nullptr;
      const aclTensor* const dropped = c.kept < 1 ? drops.get() : nullptr;
      const aclTensor* const hidden = c.masked ? mask.get() : nullptr;
      const aclIntArray* const seen = array(c.prefix, prefix);
      const aclIntArray* const first_query = array(c.starts, query_start);
      const aclIntArray* const first_key = array(c.starts, key_start);
      if (!c.packed) {
        return aclnnFlashAttentionScoreV2GetWorkspaceSize(query.get(), key.get(), value.get(), shift, dropped, nullptr,
                                                          hidden, seen, first_query, first_key, 0.5, c.kept, c.before,
                                                          c.after, n, layout, 0, c.mode, c.shift_kind, top.get(),
                                                          sum.get(), nullptr, out.get(), size, executor);
      }
      if (c.version == 3) {
        return aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(
            query.get(), query_rope.get(), key.get(), key_rope.get(), value.get(), shift, dropped, nullptr, hidden,
            seen, of_queries.get(), of_keys.get(), first_query, first_key, 0.5, c.kept, c.before, c.after, n,
            packed_layout, 0, c.mode, c.shift_kind, top.get(), sum.get(), nullptr, out.get(), size, executor);
      }
      if (c.version == 1) {
        return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
            query.get(), key.get(), value.get(), shift, dropped, nullptr, hidden, seen, of_queries.get(), of_keys.get(),
            0.5, c.kept, c.before, c.after, n, packed_layout, 0, c.mode, top.get(), sum.get(), nullptr, out.get(), size,
            executor);
      }
      if (c.version == 4) {
        return aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
            query.get(), key.get(), value.get(), shift, dropped, nullptr, hidden, seen, of_queries.get(), of_keys.get(),
            0.5, c.kept, c.before, c.after, n, packed_layout, 0, c.mode, statistic_layout.data(), top.get(), sum.get(),
            nullptr, out.get(), size, executor);
      }
      return aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
          query.get(), key.get(), value.get(), shift, dropped, nullptr, hidden, seen, of_queries.get(), of_keys.get(),
          first_query, first_key, 0.5, c.kept, c.before, c.after, n, packed_layout, 0, c.mode, c.shift_kind, top.get(),
          sum.get(), nullptr, out.get(), size, executor);
    }
    Launch launch() const {
      if (!c.packed) return aclnnFlashAttentionScoreV2;
      if (c.version == 1) return aclnnFlashAttentionVarLenScore;
      if (c.version == 3) return aclnnFlashAttentionVarLenScoreV3;
      return c.version == 4 ? aclnnFlashAttentionVarLenScoreV4 : aclnnFlashAttentionVarLenScoreV2;
    }

    std::int64_t at(const OpTensor& tensor, bool of_query, std::int64_t b, std::int64_t n, std::int64_t t,
                    std::int64_t d) const {
      const auto i = static_cast<std::size_t>(b);
      const std::int64_t first = of_query ? query_ends[i] - queries[i] : key_ends[i] - keys[i];
      return element_at(c.packed ? Shape{first + t, n, d} : Shape{b, n, t, d}, tensor.shape());
    }
    Real number(const OpTensor& tensor, bool of_query, std::int64_t b, std::int64_t n, std::int64_t t,
                std::int64_t d) const {
      return tensor.before(at(tensor, of_query, b, n, t, d)).real();
    }

    /// What a sequence's rows are, but for which weights are dropped.
    Meaning meaning_of(std::int64_t sequence) const {
      Meaning meaning{c.sizes};
      const std::int64_t columns = c.sizes.columns;
      const std::int64_t own_queries = queries[static_cast<std::size_t>(sequence)];
      const std::int64_t own_keys = keys[static_cast<std::size_t>(sequence)];
      meaning.sizes.keys = own_keys;
      meaning.scale = 0.5;
      meaning.value_columns = columns;
      if (has_rope()) meaning.sizes.columns += 8;
      meaning.query = [=](auto b, auto n, auto q, auto d) {
        return d < columns ? number(query, true, b, n, q, d) : number(query_rope, true, b, n, q, d - columns);
      };
      meaning.key = [=](auto b, auto n, auto k, auto d) {
        return d < columns ? number(key, false, b, n, k, d) : number(key_rope, false, b, n, k, d - columns);
      };
      meaning.sees = [=](auto b, auto q, auto k) {
        return TrainingWeights::sees(c, b, q, k, own_queries, own_keys) &&
               !(c.masked && mask.before(q * c.sizes.keys + k).real() != 0);
      };
      if (!has_slopes()) return meaning;
      meaning.shift = [=](auto, auto n, auto q, auto k) {
        const std::int64_t position_offset = c.starts.empty() ? 0 : c.starts[0] - c.starts[1];
        const Real distance = std::abs(q + position_offset - k);
        return -slopes.before(n).real() * (c.shift_kind == 2 ? distance : std::sqrt(distance));
      };
      return meaning;
    }

    const Case& c;
    std::vector<std::int64_t> queries, keys, query_ends, key_ends;
    OpTensor query, key, value, query_rope, key_rope, slopes, mask, drops, top, sum, out;
    OpInts of_queries, of_keys, prefix, query_start, key_start;
    std::string statistic_layout;
    char layout[5] = "BNSD";
    char packed_layout[4] = "TND";
  };

  struct Results {
    std::vector<std::byte> out, tops, sums;
  };

  static void expect_row(const Call& call, const Results& results, const Attended& want, std::int64_t b, std::int64_t n,
                         std::int64_t q) {
    for (std::size_t d = 0; d < want.columns.size(); ++d) {
      const Number got = call.out.in(results.out, call.at(call.out, true, b, n, q, static_cast<std::int64_t>(d)));
      ASSERT_TRUE(is_close(got, want.columns[d], call.c.type))
          << "sequence " << b << ", head " << n << ", query " << q << ", column " << d << ": " << text_of(got)
          << "; expected " << text_of(want.columns[d]);
    }
    if (want.sum == 0) return;
    const std::int64_t statistic = call.at(call.top, true, b, n, q, 5);
    ASSERT_TRUE(is_close(call.top.in(results.tops, statistic), want.highest, ACL_FLOAT)) << "top of query " << q;
    ASSERT_TRUE(is_close(call.sum.in(results.sums, statistic), want.sum, ACL_FLOAT)) << "sum of query " << q;
  }

  /// Elements that belong to tokens after the last sequence.
  static void expect_untouched(const Call& call, const Results& results) {
    const std::int64_t rows = call.c.beyond * call.c.sizes.heads;
    for (std::int64_t i = call.out.count() - rows * call.c.sizes.columns; i < call.out.count(); ++i) {
      ASSERT_EQ(call.out.in(results.out, i), call.out.before(i)) << "element " << i;
    }
    for (std::int64_t i = call.top.count() - rows * 8; i < call.top.count(); ++i) {
      ASSERT_EQ(call.top.in(results.tops, i), call.top.before(i)) << "top " << i;
      ASSERT_EQ(call.sum.in(results.sums, i), call.sum.before(i)) << "sum " << i;
    }
  }

  static void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << (c.packed ? "packed" : "side by side") << ", mode " << c.mode << ", kept "
                                    << c.kept << ", pseType " << c.shift_kind << ", version " << c.version << ", dtype "
                                    << c.type);
    Call call(c);
    Results results;
    results.out = run([&](auto* size, auto** executor) { return call.plan(size, executor); }, call.launch(),
                      {&call.query, &call.key, &call.value, &call.query_rope, &call.key_rope, &call.slopes, &call.mask,
                       &call.drops, &call.top, &call.sum},
                      call.out);
    results.tops = call.top.download();
    results.sums = call.sum.download();
    expect_untouched(call, results);
    std::int64_t bit = 0;  // of the row's first key
    for (std::int64_t b = 0; b < c.sizes.sequences; ++b) {
      Meaning meaning = call.meaning_of(b);
      const std::int64_t queries = call.queries[static_cast<std::size_t>(b)];
      for (std::int64_t row = 0; row < c.sizes.heads * queries; ++row) {
        meaning.value = [&](auto, auto n, auto k, auto d) -> Real {
          const auto byte = static_cast<int>(call.drops.before((bit + k) / 8).real());
          const bool is_kept = c.kept == 1 || (byte >> (bit + k) % 8 & 1) != 0;
          return is_kept ? call.number(call.value, false, b, n, k, d) / c.kept : 0;
        };
        const Attended want = meaning.of(b, row / queries, row % queries);
        ASSERT_NO_FATAL_FAILURE(expect_row(call, results, want, b, row / queries, row % queries));
        bit += meaning.sizes.keys;
      }
    }
  }
};

TEST_F(TrainingWeights, SomeAreDropped) {
  Case c;
  c.kept = 0.75;
  check(c);
  c.masked = true;
  check(c);
  c.sizes = {1, 2, 2, 40, 40, 24};
  c.mode = 5;
  c.masked = false;
  c.prefix = {10};
  check(c);
}

TEST_F(TrainingWeights, SequencesThatFollowEachOtherHaveTheirBits) {
  Case c;
  c.packed = true;
  c.sizes = {3, 2, 2, 9, 37, 16};
  c.queries = {9, 4, 7};
  c.keys = {37, 5, 21};
  c.kept = 0.5;
  check(c);
  c.masked = true;
  check(c);
}

// Several kernels walk over the keys of the long ones, one after the other.
TEST_F(TrainingWeights, SequencesThatFollowEachOtherMayBeLong) {
  Case c;
  c.packed = true;
  c.sizes = {5, 1, 1, 2, 290'011, 8};
  c.queries = {1, 2, 0, 0, 1};
  c.keys = {50, 290'011, 0, 3, 210'001};
  c.before = c.after = 1 << 30;
  c.kept = 0.5;
  c.masked = true;
  check(c);
}

TEST_F(TrainingWeights, APrefixIsSeenByAll) {
  for (const std::int64_t mode : {5, 6}) {
    Case c;
    c.mode = mode;
    c.sizes.queries = 30;
    c.prefix = {20, 3};
    check(c);
    c.packed = true;
    check(c);
  }
}

TEST_F(TrainingWeights, TheFirstOrLastSequenceMayHaveAWindow) {
  for (const std::int64_t mode : {7, 8}) {
    Case c;
    c.packed = true;
    c.sizes = {3, 2, 1, 20, 40, 16};
    c.mode = mode;
    c.before = 9;
    c.after = -2;
    check(c);
  }
}

TEST_F(TrainingWeights, SlopesCountHowFarKeysAre) {
  for (const std::int64_t kind : {2, 3}) {
    Case c;
    c.shift_kind = kind;
    check(c);
    c.starts = {100, 64};
    check(c);
    c.starts = {(1 << 29) - 40, 1 << 29};
    check(c);
    c.sizes.queries = 1;
    c.packed = true;
    check(c);
  }
}

TEST_F(TrainingWeights, ListsOfEndsMayBeClosedAndSequencesEmpty) {
  for (const int version : {1, 2, 3, 4}) {
    for (const std::int64_t columns : {16, 13}) {
      Case c;
      c.packed = true;
      c.version = version;
      c.type = columns == 16 ? ACL_FLOAT16 : ACL_FLOAT;
      c.sizes = {4, 4, 2, 9, 37, columns};
      c.queries = {9, 0, 7, 2};
      c.keys = {37, 0, 21, 5};
      c.zeros = 2;
      c.beyond = 5;
      check(c);
      c.mode = 7;  // the last sequence that has tokens
      c.before = 9;
      c.after = 0;
      check(c);
    }
  }
}

TEST_F(TrainingWeights, AListOfEndsIsNotReadPastItsEnd) {
  Case c;
  c.packed = true;
  c.sizes.sequences = 3;
  c.queries = {9, -9, 7};  // ends 9, 0, 7
  c.keys = {37, -37, 21};
  c.beyond = 40;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(Call(c).plan(&size, &executor), 161002);
}

TEST_F(TrainingWeights, ThirdAndFourthForms) {
  Case c;
  c.packed = true;
  c.queries = {9, 4};
  c.keys = {37, 12};
  for (const int version : {3, 4}) {
    c.version = version;
    for (const char* layout : {"", "same_as_input"}) {
      c.statistic_layout = layout;
      check(c);
    }
  }
}

TEST_F(TrainingWeights, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {4, 2, 16});
  const OpTensor rows(ACL_FLOAT, {4, 2, 8});
  const OpTensor out(ACL_FLOAT, {4, 2, 16});
  const OpTensor bits(ACL_UINT8, {4});
  const OpTensor few_bits(ACL_UINT8, {3});
  const OpTensor integers(ACL_INT32, {16});
  const OpTensor slopes(ACL_FLOAT, {3});
  const OpInts ends({4});
  const OpInts prefix({1});
  const OpInts prefixes({1, 1});
  char layout[] = "TND";
  char unknown[] = "DNT";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* drops, double kept, const OpTensor* padding, const OpInts* given,
                        std::int64_t mode, char* statistic_layout) {
    return aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
        x.get(), x.get(), x.get(), nullptr, drops ? drops->get() : nullptr, padding ? padding->get() : nullptr, nullptr,
        given ? given->get() : nullptr, ends.get(), ends.get(), 1, kept, 65536, 65536, 2, layout, 0, mode,
        statistic_layout, rows.get(), rows.get(), nullptr, out.get(), &size, &executor);
  };
  EXPECT_EQ(plan(&few_bits, 0.5, nullptr, nullptr, 0, nullptr), 161002);
  EXPECT_EQ(plan(&integers, 0.5, nullptr, nullptr, 0, nullptr), 161002);
  EXPECT_EQ(plan(nullptr, 0.5, nullptr, nullptr, 0, nullptr), 161002);
  EXPECT_EQ(plan(nullptr, 1, &bits, nullptr, 0, nullptr), 161002);
  EXPECT_EQ(plan(nullptr, 1, nullptr, nullptr, 5, nullptr), 161002);
  EXPECT_EQ(plan(nullptr, 1, nullptr, &prefixes, 5, nullptr), 161002);
  EXPECT_EQ(plan(nullptr, 1, nullptr, nullptr, 0, unknown), 161002);
  constexpr std::int64_t kMost = std::int64_t{1} << 29;
  const std::pair<std::int64_t, std::int64_t> starts[] = {
      {kMost + 1, 0}, {0, kMost + 1}, {-kMost - 1, 0}, {0, -kMost - 1}, {INT64_MAX, INT64_MIN}};
  for (const auto& [query, key] : starts) {
    Case c;
    c.shift_kind = 2;
    c.starts = {query, key};
    EXPECT_EQ(Call(c).plan(&size, &executor), 161002) << query << " and " << key;
  }
  EXPECT_EQ(aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(x.get(), x.get(), x.get(), slopes.get(), nullptr, nullptr,
                                                             nullptr, nullptr, ends.get(), ends.get(), nullptr, nullptr,
                                                             1, 1, 65536, 65536, 2, layout, 0, 0, 2, rows.get(),
                                                             rows.get(), nullptr, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
