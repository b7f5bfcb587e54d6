#include <memory>
#include <string>

#include "aclnnop/aclnn_flash_attention_score.h"
#include "ops/attention/attention_reference.hpp"

namespace aclvk::test {
namespace {

class TrainingAttention : public OpTest {
 protected:
  struct Case {
    std::string layout = "BNSD";
    Sizes sizes{};
    aclDataType type = ACL_FLOAT;
    bool causal = false;
    int shift_kind = -1;  ///< pseType; -1 without a shift
  };

  static bool packed(const Case& c) { return c.layout == "TND"; }

  static void check_attention(const Case& c) {
    SCOPED_TRACE(testing::Message() << c.layout << ", dtype " << c.type << ", shift " << c.shift_kind);
    const Sizes& s = c.sizes;
    const auto shape = [&](std::int64_t heads, std::int64_t tokens) {
      return laid_out(c.layout, s.sequences, heads, tokens, s.columns);
    };
    OpTensor query(c.type, shape(s.heads, s.queries));
    OpTensor key(c.type, shape(s.key_heads, s.keys));
    OpTensor value(c.type, shape(s.key_heads, s.keys));
    OpTensor shift(c.type, {s.sequences, s.heads, s.queries, s.keys});
    OpTensor mask(ACL_BOOL, {s.queries, s.keys});
    fill_small(query, 1);
    fill_small(key, 2);
    fill_small(value, 3);
    fill_small(shift, 4);
    mask.fill([](std::int64_t) -> Number { return 0; });
    const Shape rows =
        packed(c) ? Shape{s.sequences * s.queries, s.heads, 8} : Shape{s.sequences, s.heads, s.queries, 8};
    const OpTensor top(ACL_FLOAT, rows);
    const OpTensor sum(ACL_FLOAT, rows);
    const OpTensor out(c.type, shape(s.heads, s.queries));
    std::vector<std::int64_t> query_ends;
    std::vector<std::int64_t> key_ends;
    for (std::int64_t i = 1; i <= s.sequences; ++i) query_ends.push_back(i * s.queries);
    for (std::int64_t i = 1; i <= s.sequences; ++i) key_ends.push_back(i * s.keys);
    const OpInts of_queries(query_ends);
    const OpInts of_keys(key_ends);
    std::string layout = c.layout;
    const std::int64_t mode = c.causal ? 3 : 0;
    aclTensor* added = c.shift_kind >= 0 ? shift.get() : nullptr;
    const auto bytes = run(
        [&](auto* size, auto** executor) {
          if (packed(c)) {
            return aclnnFlashAttentionVarLenScoreGetWorkspaceSize(
                query.get(), key.get(), value.get(), nullptr, nullptr, nullptr, c.causal ? mask.get() : nullptr,
                nullptr, of_queries.get(), of_keys.get(), 0.5, 1, 65536, 65536, s.heads, layout.data(), 0, mode,
                top.get(), sum.get(), nullptr, out.get(), size, executor);
          }
          if (c.shift_kind == 0) {
            return aclnnFlashAttentionScoreV2GetWorkspaceSize(
                query.get(), key.get(), value.get(), added, nullptr, nullptr, c.causal ? mask.get() : nullptr, nullptr,
                nullptr, nullptr, 0.5, 1, 65536, 65536, s.heads, layout.data(), 0, mode, 0, top.get(), sum.get(),
                nullptr, out.get(), size, executor);
          }
          return aclnnFlashAttentionScoreGetWorkspaceSize(query.get(), key.get(), value.get(), added, nullptr, nullptr,
                                                          c.causal ? mask.get() : nullptr, nullptr, 0.5, 1, 65536,
                                                          65536, s.heads, layout.data(), 0, mode, top.get(), sum.get(),
                                                          nullptr, out.get(), size, executor);
        },
        packed(c)           ? aclnnFlashAttentionVarLenScore
        : c.shift_kind == 0 ? aclnnFlashAttentionScoreV2
                            : aclnnFlashAttentionScore,
        {&query, &key, &value, &shift, &mask, &top, &sum}, out);
    const auto tops = top.download();
    const auto sums = sum.download();
    const auto element = [&](const OpTensor& tensor, std::int64_t heads, std::int64_t b, std::int64_t n, std::int64_t t,
                             std::int64_t d) { return laid_out_at(c.layout, tensor.shape(), s, heads, b, n, t, d); };
    for (std::int64_t row = 0; row < s.sequences * s.heads * s.queries; ++row) {
      const std::int64_t b = row / (s.heads * s.queries);
      const std::int64_t n = row / s.queries % s.heads;
      const std::int64_t q = row % s.queries;
      const std::int64_t own = n / (s.heads / s.key_heads);
      const auto score = [&](std::int64_t k) -> std::optional<Real> {
        if (c.causal && k > q + s.keys - s.queries) return std::nullopt;
        Real product = 0;
        for (std::int64_t d = 0; d < s.columns; ++d) {
          product += query.before(element(query, s.heads, b, n, q, d)).real() *
                     key.before(element(key, s.key_heads, b, own, k, d)).real();
        }
        const Real moved = shift.before(element_at({b, n, q, k}, shift.shape())).real();
        if (c.shift_kind == 0) return 0.5L * product + moved;
        return 0.5L * (product + (added ? moved : 0));
      };
      const Attended want = attend(s.keys, s.columns, score, [&](std::int64_t k, std::int64_t d) {
        return value.before(element(value, s.key_heads, b, own, k, d)).real();
      });
      for (std::int64_t d = 0; d < s.columns; ++d) {
        const Number got = out.in(bytes, element(out, s.heads, b, n, q, d));
        ASSERT_TRUE(is_close(got, want.columns[static_cast<std::size_t>(d)], c.type))
            << "row " << row << ", column " << d << ": " << text_of(got);
      }
      const std::int64_t first = packed(c) ? ((b * s.queries + q) * s.heads + n) * 8 : row * 8;
      for (std::int64_t i = first; i < first + 8; ++i) {
        ASSERT_TRUE(is_close(top.in(tops, i), want.highest, ACL_FLOAT)) << "top " << i;
        ASSERT_TRUE(is_close(sum.in(sums, i), want.sum, ACL_FLOAT)) << "sum " << i;
      }
    }
  }
};

TEST_F(TrainingAttention, TakesEveryLayout) {
  for (const char* layout : {"BNSD", "BSND", "BSH", "SBH", "TND"}) check_attention({layout, {2, 4, 2, 19, 70, 16}});
}

TEST_F(TrainingAttention, TakesEveryDtype) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) check_attention({"BSND", {2, 2, 2, 9, 33, 24}, type});
}

TEST_F(TrainingAttention, MayBeCausal) {
  check_attention({"BNSD", {1, 2, 2, 40, 40, 16}, ACL_FLOAT, true});
  check_attention({"TND", {3, 2, 1, 17, 21, 16}, ACL_FLOAT, true});
}

TEST_F(TrainingAttention, BiasesAreAddedBeforeOrAfterTheScale) {
  check_attention({"BNSD", {2, 2, 2, 9, 40, 16}, ACL_FLOAT, false, 1});
  check_attention({"BNSD", {2, 2, 2, 9, 40, 16}, ACL_FLOAT, false, 0});
}

/// A shift that depends on how far apart tokens are, of which the last 1024 rows are given.
class LastRows : public OpTest {
 protected:
  static Real number(std::int64_t head, std::int64_t distance) {
    return rounded(0.015625L * Real(head + 1) * Real(distance % 257), ACL_FLOAT).real();
  }

  static void check(const std::string& layout, std::int64_t mode, int kind, const Sizes& s) {
    SCOPED_TRACE(testing::Message() << layout << ", mode " << mode << ", pseType " << kind);
    const bool packed = layout == "TND";
    OpTensor query(ACL_FLOAT, laid_out(layout, s.sequences, s.heads, s.queries, s.columns));
    OpTensor key(ACL_FLOAT, laid_out(layout, s.sequences, s.key_heads, s.keys, s.columns));
    OpTensor value(ACL_FLOAT, key.shape());
    OpTensor shift(ACL_FLOAT, {kind == 1 ? 1 : s.sequences, s.heads, 1024, s.keys});
    OpTensor mask(ACL_BOOL, {s.queries, s.keys});
    fill_small(query, 1);
    fill_small(key, 2);
    fill_small(value, 3);
    shift.fill([&](std::int64_t i) -> Number {
      const Shape at = coordinates_of(i, shift.shape());
      return number(at[1], at[3] - (s.queries - 1024 + at[2]));
    });
    mask.fill([&](std::int64_t i) -> Number { return Real(i % s.keys > i / s.keys); });
    const Shape rows = packed ? Shape{s.sequences * s.queries, s.heads, 8} : Shape{s.sequences, s.heads, s.queries, 8};
    const OpTensor top(ACL_FLOAT, rows);
    const OpTensor sum(ACL_FLOAT, rows);
    const OpTensor out(ACL_FLOAT, query.shape());
    std::vector<std::int64_t> ends;
    for (std::int64_t i = 1; i <= s.sequences; ++i) ends.push_back(i * s.queries);
    const OpInts of_tokens(ends);
    std::string name = layout;
    const auto bytes = run(
        [&](auto* size, auto** executor) {
          if (packed) {
            return aclnnFlashAttentionVarLenScoreV2GetWorkspaceSize(
                query.get(), key.get(), value.get(), shift.get(), nullptr, nullptr, mask.get(), nullptr,
                of_tokens.get(), of_tokens.get(), nullptr, nullptr, 0.5, 1, 65536, 65536, s.heads, name.data(), 0, mode,
                kind, top.get(), sum.get(), nullptr, out.get(), size, executor);
          }
          return aclnnFlashAttentionScoreV2GetWorkspaceSize(query.get(), key.get(), value.get(), shift.get(), nullptr,
                                                            nullptr, mask.get(), nullptr, nullptr, nullptr, 0.5, 1,
                                                            65536, 65536, s.heads, name.data(), 0, mode, kind,
                                                            top.get(), sum.get(), nullptr, out.get(), size, executor);
        },
        packed ? aclnnFlashAttentionVarLenScoreV2 : aclnnFlashAttentionScoreV2,
        {&query, &key, &value, &shift, &mask, &top, &sum}, out);
    for (std::int64_t row = 0; row < s.sequences * s.heads * s.queries; row += row % 7 == 0 ? 1 : 6) {
      const std::int64_t b = row / (s.heads * s.queries);
      const std::int64_t n = row / s.queries % s.heads;
      const std::int64_t q = row % s.queries;
      const std::int64_t own = n / (s.heads / s.key_heads);
      const auto element = [&](const OpTensor& tensor, std::int64_t heads, std::int64_t head, std::int64_t t,
                               std::int64_t d) {
        return tensor.before(laid_out_at(layout, tensor.shape(), s, heads, b, head, t, d)).real();
      };
      const auto score = [&](std::int64_t k) -> std::optional<Real> {
        if (k > q) return std::nullopt;
        Real product = 0;
        for (std::int64_t d = 0; d < s.columns; ++d) {
          product += element(query, s.heads, n, q, d) * element(key, s.key_heads, own, k, d);
        }
        const Real shifted = number(n, k - q);
        return kind == 1 ? 0.5L * (product + shifted) : 0.5L * product + shifted;
      };
      const Attended want = attend(q + 1, s.columns, score, [&](std::int64_t k, std::int64_t d) {
        return element(value, s.key_heads, own, k, d);
      });
      for (std::int64_t d = 0; d < s.columns; ++d) {
        const Number got = out.in(bytes, laid_out_at(layout, out.shape(), s, s.heads, b, n, q, d));
        ASSERT_TRUE(is_close(got, want.columns[static_cast<std::size_t>(d)], ACL_FLOAT))
            << "row " << row << ", column " << d << ": " << text_of(got);
      }
    }
  }
};

TEST_F(LastRows, ReturnAllRowsInEveryLayout) {
  for (const char* layout : {"BNSD", "BSND", "BSH", "SBH", "TND"}) check(layout, 3, 1, {2, 2, 1, 1051, 1051, 8});
}

TEST_F(LastRows, ReturnAllRowsInTheModesThatHideLaterKeys) {
  for (const std::int64_t mode : {0, 2, 3}) {
    for (const int kind : {0, 1}) check("BNSD", mode, kind, {1, 1, 1, 1031, 1031, 8});
  }
}

TEST_F(LastRows, AreRefusedWhereNothingIsHidden) {
  const OpTensor x(ACL_FLOAT, {1, 1, 1031, 8});
  const OpTensor shift(ACL_FLOAT, {1, 1, 1024, 1031});
  const OpTensor few(ACL_FLOAT, {1, 1, 1024, 1030});
  const OpTensor top(ACL_FLOAT, {1, 1, 1031, 8});
  const OpTensor sum(ACL_FLOAT, {1, 1, 1031, 8});
  const OpTensor out(ACL_FLOAT, {1, 1, 1031, 8});
  char layout[] = "BNSD";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor& given, std::int64_t mode) {
    return aclnnFlashAttentionScoreGetWorkspaceSize(x.get(), x.get(), x.get(), given.get(), nullptr, nullptr, nullptr,
                                                    nullptr, 1, 1, 65536, 65536, 1, layout, 0, mode, top.get(),
                                                    sum.get(), nullptr, out.get(), &size, &executor);
  };
  EXPECT_EQ(plan(shift, 0), 161002);
  EXPECT_EQ(plan(shift, 4), 161002);
  EXPECT_EQ(plan(few, 3), 161002);
}

TEST_F(TrainingAttention, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {1, 2, 4, 16});
  const OpTensor halves(ACL_FLOAT16, {1, 2, 4, 16});
  const OpTensor rows(ACL_FLOAT, {1, 2, 4, 8});
  const OpTensor few(ACL_FLOAT, {1, 2, 4, 1});
  const OpTensor out(ACL_FLOAT, {1, 2, 4, 16});
  char layout[] = "BNSD";
  char unknown[] = "DSNB";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* key, double kept, std::int64_t heads, char* given, std::int64_t mode,
                        const OpTensor* top, const OpTensor& to) {
    return aclnnFlashAttentionScoreGetWorkspaceSize(
        x.get(), key ? key->get() : nullptr, x.get(), nullptr, nullptr, nullptr, nullptr, nullptr, 1, kept, 65536,
        65536, heads, given, 0, mode, top ? top->get() : nullptr, rows.get(), nullptr, to.get(), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, 1, 2, layout, 0, &rows, out), 161001);
  EXPECT_EQ(plan(&x, 1, 2, nullptr, 0, &rows, out), 161001);
  EXPECT_EQ(plan(&x, 1, 2, layout, 0, nullptr, out), 161001);
  EXPECT_EQ(plan(&halves, 1, 2, layout, 0, &rows, out), 161002);
  EXPECT_EQ(plan(&x, 0, 2, layout, 0, &rows, out), 161002);
  EXPECT_EQ(plan(&x, 0.5, 2, layout, 0, &rows, out), 161002);  // without a dropMask
  EXPECT_EQ(plan(&x, 1, 0, layout, 0, &rows, out), 161002);
  EXPECT_EQ(plan(&x, 1, 3, layout, 0, &rows, out), 161002);
  EXPECT_EQ(plan(&x, 1, 2, unknown, 0, &rows, out), 161002);
  EXPECT_EQ(plan(&x, 1, 2, layout, 1, &rows, out), 161002);
  for (const std::int64_t mode : {5, 6, 7, 8}) EXPECT_EQ(plan(&x, 1, 2, layout, mode, &rows, out), 161002) << mode;
  EXPECT_EQ(plan(&x, 1, 2, layout, 9, &rows, out), 161002);
  EXPECT_EQ(plan(&x, 1, 2, layout, 0, &few, out), 161002);
  EXPECT_EQ(plan(&x, 1, 2, layout, 0, &rows, halves), 161002);
  EXPECT_EQ(plan(&x, 1, 2, layout, 0, &rows, x), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
