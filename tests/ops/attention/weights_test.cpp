#include "aclnnop/aclnn_flash_attention_score.h"
#include "ops/attention/fused_call.hpp"

namespace aclvk::test {
namespace {

/// What decides about the weights of attention for training: which are dropped, which keys are seen, slopes.
class TrainingWeights : public OpTest {
 protected:
  /// A call of aclnnFlashAttentionScoreV2, or with more than one number of lengths of aclnnFlashAttentionVarLenScoreV2
  /// and its later forms. Sequences of the latter are as long as each other, or as `queries` and `keys` say.
  struct Case {
    Sizes sizes{2, 4, 2, 9, 37, 16};
    bool packed = false;
    std::vector<std::int64_t> queries{};
    std::vector<std::int64_t> keys{};
    double kept = 1;
    std::int64_t mode = 0;
    std::int64_t before = 65536;
    std::int64_t behind = 65536;
    std::vector<std::int64_t> prefix{};
    std::int64_t shift_kind = 1;
    std::vector<std::int64_t> starts{};  ///< of the query's and of the key's part
    bool masked = false;
    int version = 2;
    std::string statistic_layout{};
  };

  static std::vector<std::int64_t> ends_of(const std::vector<std::int64_t>& lengths) {
    std::vector<std::int64_t> ends;
    for (const std::int64_t length : lengths) ends.push_back(length + (ends.empty() ? 0 : ends.back()));
    return ends;
  }

  static bool sees(const Case& c, std::int64_t b, std::int64_t q, std::int64_t k, std::int64_t queries,
                   std::int64_t keys) {
    const std::int64_t from_end = keys - queries;
    const bool in_band = k >= q + from_end - c.before && k <= q + from_end + c.behind;
    switch (c.mode) {
      case 5:
      case 6: return k <= q + from_end || k < c.prefix[static_cast<std::size_t>(b)];
      case 7: return b == c.sizes.sequences - 1 ? in_band : k <= q + from_end;
      case 8: return b == 0 ? in_band : k <= q;
      default: return true;
    }
  }

  static void check(const Case& c) {
    SCOPED_TRACE(testing::Message() << (c.packed ? "packed" : "side by side") << ", mode " << c.mode << ", kept "
                                    << c.kept << ", pseType " << c.shift_kind << ", version " << c.version);
    const Sizes& s = c.sizes;
    const auto lengths = [&](const std::vector<std::int64_t>& given, std::int64_t all) {
      return given.empty() ? std::vector<std::int64_t>(static_cast<std::size_t>(s.sequences), all) : given;
    };
    const auto queries = lengths(c.queries, s.queries);
    const auto keys = lengths(c.keys, s.keys);
    const auto query_ends = ends_of(queries);
    const auto key_ends = ends_of(keys);
    const auto shape = [&](std::int64_t heads, std::int64_t tokens, std::int64_t packed_tokens, std::int64_t columns) {
      return c.packed ? Shape{packed_tokens, heads, columns} : Shape{s.sequences, heads, tokens, columns};
    };
    OpTensor query(ACL_FLOAT, shape(s.heads, s.queries, query_ends.back(), s.columns));
    OpTensor key(ACL_FLOAT, shape(s.key_heads, s.keys, key_ends.back(), s.columns));
    OpTensor value(ACL_FLOAT, key.shape());
    OpTensor query_rope(ACL_FLOAT, shape(s.heads, s.queries, query_ends.back(), 8));
    OpTensor key_rope(ACL_FLOAT, shape(s.key_heads, s.keys, key_ends.back(), 8));
    OpTensor slopes(ACL_FLOAT, {s.heads});
    OpTensor mask(ACL_BOOL, {s.queries, s.keys});
    fill_small(query, 1);
    fill_small(key, 2);
    fill_small(value, 3);
    fill_small(query_rope, 4);
    fill_small(key_rope, 5);
    fill_small(slopes, 6);
    mask.fill([](std::int64_t i) -> Number { return Real(i % 3 == 1); });
    std::int64_t bits = 0;
    for (std::size_t b = 0; b < queries.size(); ++b) bits += s.heads * queries[b] * keys[b];
    OpTensor drops(ACL_UINT8, {(bits + 127) / 128 * 16});
    std::mt19937 random(7);
    drops.fill([&](std::int64_t) -> Number { return Real(random() % 256); });
    const Shape rows = shape(s.heads, s.queries, query_ends.back(), 8);
    const OpTensor top(ACL_FLOAT, rows);
    const OpTensor sum(ACL_FLOAT, rows);
    const OpTensor out(ACL_FLOAT, query.shape());
    const OpInts of_queries(query_ends);
    const OpInts of_keys(key_ends);
    const OpInts prefix(c.prefix);
    const OpInts query_start(c.starts.empty() ? std::vector<std::int64_t>{} : std::vector{c.starts[0]});
    const OpInts key_start(c.starts.empty() ? std::vector<std::int64_t>{} : std::vector{c.starts[1]});
    const auto array = [](const std::vector<std::int64_t>& values, const OpInts& ints) {
      return values.empty() ? nullptr : ints.get();
    };
    const bool has_slopes = c.shift_kind > 1;
    const aclTensor* const shift = has_slopes ? slopes.get() : nullptr;
    const aclTensor* const dropped = c.kept < 1 ? drops.get() : nullptr;
    const aclTensor* const hidden = c.masked ? mask.get() : nullptr;
    char layout[] = "BNSD";
    char packed_layout[] = "TND";
    std::string statistic_layout = c.statistic_layout;
    const auto bytes = run(
        [&](auto* size, auto** executor) {
          if (!c.packed) {
            return aclnnFlashAttentionScoreV2GetWorkspaceSize(
                query.get(), key.get(), value.get(), shift, dropped, nullptr, hidden, array(c.prefix, prefix),
                array(c.starts, query_start), array(c.starts, key_start), 0.5, c.kept, c.before, c.behind, s.heads,
                layout, 0, c.mode, c.shift_kind, top.get(), sum.get(), nullptr, out.get(), size, executor);
          }
          if (c.version == 3) {
            return aclnnFlashAttentionVarLenScoreV3GetWorkspaceSize(
                query.get(), query_rope.get(), key.get(), key_rope.get(), value.get(), shift, dropped, nullptr, hidden,
                array(c.prefix, prefix), of_queries.get(), of_keys.get(), nullptr, nullptr, 0.5, c.kept, c.before,
                c.behind, s.heads, packed_layout, 0, c.mode, c.shift_kind, top.get(), sum.get(), nullptr, out.get(),
                size, executor);
          }
          if (c.version == 4) {
            return aclnnFlashAttentionVarLenScoreV4GetWorkspaceSize(
                query.get(), key.get(), value.get(), shift, dropped, nullptr, hidden, array(c.prefix, prefix),
                of_queries.get(), of_keys.get(), 0.5, c.kept, c.before, c.behind, s.heads, packed_layout, 0, c.mode,
                statistic_layout.data(), top.get(), sum.get(), nullptr, out.get(), size, executor);
          }
          return aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
              query.get(), key.get(), value.get(), shift, dropped, nullptr, hidden, array(c.prefix, prefix),
              of_queries.get(), of_keys.get(), array(c.starts, query_start), array(c.starts, key_start), 0.5, c.kept,
              c.before, c.behind, s.heads, packed_layout, 0, c.mode, c.shift_kind, top.get(), sum.get(), nullptr,
              out.get(), size, executor);
        },
        !c.packed        ? aclnnFlashAttentionScoreV2
        : c.version == 3 ? aclnnFlashAttentionVarLenScoreV3
        : c.version == 4 ? aclnnFlashAttentionVarLenScoreV4
                         : aclnnFlashAttentionVarLenScoreV2,
        {&query, &key, &value, &query_rope, &key_rope, &slopes, &mask, &drops, &top, &sum}, out);
    const auto tops = top.download();
    const auto sums = sum.download();
    const auto at = [&](const OpTensor& tensor, const std::vector<std::int64_t>& ends,
                        const std::vector<std::int64_t>& all, std::int64_t b, std::int64_t n, std::int64_t t,
                        std::int64_t d) {
      const auto i = static_cast<std::size_t>(b);
      return element_at(c.packed ? Shape{ends[i] - all[i] + t, n, d} : Shape{b, n, t, d}, tensor.shape());
    };
    const bool has_rope = c.packed && c.version == 3;
    std::int64_t first_bit = 0;
    for (std::int64_t b = 0; b < s.sequences; ++b) {
      const std::int64_t own_queries = queries[static_cast<std::size_t>(b)];
      const std::int64_t own_keys = keys[static_cast<std::size_t>(b)];
      Meaning meaning{s};
      meaning.sizes.keys = own_keys;
      meaning.scale = 0.5;
      meaning.value_columns = s.columns;
      if (has_rope) meaning.sizes.columns += 8;
      meaning.query = [&](auto, auto n, auto q, auto d) {
        return d < s.columns ? query.before(at(query, query_ends, queries, b, n, q, d)).real()
                             : query_rope.before(at(query_rope, query_ends, queries, b, n, q, d - s.columns)).real();
      };
      meaning.key = [&](auto, auto n, auto k, auto d) {
        return d < s.columns ? key.before(at(key, key_ends, keys, b, n, k, d)).real()
                             : key_rope.before(at(key_rope, key_ends, keys, b, n, k, d - s.columns)).real();
      };
      meaning.sees = [&](auto, auto q, auto k) {
        return sees(c, b, q, k, own_queries, own_keys) && !(c.masked && mask.before(q * s.keys + k).real() != 0);
      };
      if (has_slopes) {
        meaning.shift = [&](auto, auto n, auto q, auto k) {
          const std::int64_t apart = c.starts.empty() ? 0 : c.starts[0] - c.starts[1];
          const Real distance = std::abs(q + apart - k);
          return -slopes.before(n).real() * (c.shift_kind == 2 ? distance : std::sqrt(distance));
        };
      }
      for (std::int64_t row = 0; row < s.heads * own_queries; ++row) {
        const std::int64_t n = row / own_queries;
        const std::int64_t q = row % own_queries;
        const auto is_kept = [&](std::int64_t k) {
          const std::int64_t bit = first_bit + row * own_keys + k;
          return c.kept == 1 || (static_cast<int>(drops.before(bit / 8).real()) >> bit % 8 & 1) != 0;
        };
        meaning.value = [&](auto, auto head, auto k, auto d) -> Real {
          if (!is_kept(k)) return 0;
          return value.before(at(value, key_ends, keys, b, head, k, d)).real() / c.kept;
        };
        const Attended want = meaning.of(b, n, q);
        for (std::int64_t d = 0; d < s.columns; ++d) {
          const Number got = out.in(bytes, at(out, query_ends, queries, b, n, q, d));
          ASSERT_TRUE(is_close(got, want.columns[static_cast<std::size_t>(d)], ACL_FLOAT))
              << "sequence " << b << ", head " << n << ", query " << q << ", column " << d << ": " << text_of(got)
              << "; expected " << text_of(want.columns[static_cast<std::size_t>(d)]);
        }
        if (want.sum == 0) continue;
        const std::int64_t statistic = at(top, query_ends, queries, b, n, q, 5);
        ASSERT_TRUE(is_close(top.in(tops, statistic), want.highest, ACL_FLOAT)) << "top " << row;
        ASSERT_TRUE(is_close(sum.in(sums, statistic), want.sum, ACL_FLOAT)) << "sum " << row;
      }
      first_bit += s.heads * own_queries * own_keys;
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
    c.behind = -2;
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
    c.sizes.queries = 1;
    c.packed = true;
    check(c);
  }
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
  EXPECT_EQ(aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(x.get(), x.get(), x.get(), slopes.get(), nullptr, nullptr,
                                                             nullptr, nullptr, ends.get(), ends.get(), nullptr, nullptr,
                                                             1, 1, 65536, 65536, 2, layout, 0, 0, 2, rows.get(),
                                                             rows.get(), nullptr, out.get(), &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
