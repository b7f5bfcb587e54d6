#include <memory>

#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_incre_flash_attention_v4.h"
#include "aclnnop/aclnn_prompt_flash_attention.h"
#include "aclnnop/aclnn_prompt_flash_attention_v3.h"
#include "ops/attention/attention_reference.hpp"

namespace aclvk::test {
namespace {

/// Which keys a query sees, as the operators' attributes say.
struct Seen {
  std::int64_t sparse_mode = 0;
  std::int64_t before = 2147483647;
  std::int64_t after = 2147483647;
};

class InferAttention : public OpTest {
 protected:
  /// A call of aclnnFusedInferAttentionScore, and what it gives by definition.
  struct Case {
    std::string layout = "BNSD";
    Sizes sizes{};
    aclDataType type = ACL_FLOAT16;
    Seen seen{};
    std::vector<std::int64_t> query_lengths{};
    std::vector<std::int64_t> key_lengths{};
    std::optional<Shape> mask_shape{};
    std::optional<Shape> shift_shape{};
    bool has_logarithm = false;
    std::int64_t page = 0;  ///< tokens of one; 0 without pages
    Real scale = 0.25L;

    bool packed() const { return layout == "TND"; }
    std::string result_layout() const { return layout == "BNSD_BSND" ? "BSND" : layout; }
    std::string own_layout() const { return layout == "BNSD_BSND" ? "BNSD" : layout; }
  };

  struct Tensors {
    std::unique_ptr<OpTensor> query, key, value, mask, shift, table, out, logarithm;
  };

  static Tensors make(const Case& c) {
    const Sizes& s = c.sizes;
    Tensors t;
    const auto tensor = [&](aclDataType type, const Shape& shape, unsigned seed) {
      auto made = std::make_unique<OpTensor>(type, shape);
      fill_small(*made, seed);
      return made;
    };
    t.query = tensor(c.type, laid_out(c.own_layout(), s.sequences, s.heads, s.queries, s.columns), 1);
    const std::int64_t pages = c.page > 0 ? (s.keys + c.page - 1) / c.page : 0;
    const Shape key = c.page > 0 ? Shape{pages * s.sequences + 3, s.key_heads, c.page, s.columns}
                                 : laid_out(c.own_layout(), s.sequences, s.key_heads, s.keys, s.columns);
    t.key = tensor(c.type, key, 2);
    t.value = tensor(c.type, key, 3);
    t.out = std::make_unique<OpTensor>(c.type, laid_out(c.result_layout(), s.sequences, s.heads, s.queries, s.columns));
    if (c.mask_shape) {
      t.mask = std::make_unique<OpTensor>(ACL_BOOL, *c.mask_shape);
      t.mask->fill([](std::int64_t i) -> Number { return Real(i % 3 == 1 || i % 7 == 2); });
    }
    if (c.shift_shape) t.shift = tensor(c.type, *c.shift_shape, 5);
    if (pages > 0) {
      t.table = std::make_unique<OpTensor>(ACL_INT32, Shape{s.sequences, pages});
      t.table->fill([&](std::int64_t i) -> Number { return Real((i * 5 + 2) % (pages * s.sequences + 3)); });
    }
    const Shape rows =
        c.packed() ? Shape{s.sequences * s.queries, s.heads, 1} : Shape{s.sequences, s.heads, s.queries, 1};
    if (c.has_logarithm) t.logarithm = std::make_unique<OpTensor>(ACL_FLOAT, rows);
    return t;
  }

  static aclTensor* handle(const std::unique_ptr<OpTensor>& tensor) { return tensor ? tensor->get() : nullptr; }

  /// The element of a mask or a shift for a pair; dims of size 1 stand for all.
  static Number of_pair(const OpTensor& tensor, std::int64_t b, std::int64_t n, std::int64_t q, std::int64_t k) {
    Shape at{b, n, q, k};
    const Shape& shape = tensor.shape();
    if (shape.size() == 3) at = {b, q, k};
    if (shape.size() == 2) at = {q, k};
    for (std::size_t i = 0; i < shape.size(); ++i) {
      if (shape[i] == 1) at[i] = 0;
    }
    return tensor.before(element_at(at, shape));
  }

  static bool sees(const Case& c, std::int64_t query, std::int64_t key, std::int64_t queries, std::int64_t keys) {
    const std::int64_t from_end = keys - queries;
    switch (c.seen.sparse_mode) {
      case 0: return !c.mask_shape || (key >= query - c.seen.before && key <= query + c.seen.after);
      case 2: return key <= query;
      case 3: return key <= query + from_end;
      case 4: return key >= query + from_end - c.seen.before && key <= query + from_end + c.seen.after;
      default: return true;
    }
  }

  static std::int64_t length(const std::vector<std::int64_t>& lengths, std::int64_t b, std::int64_t all) {
    return lengths.empty() ? all : lengths.size() == 1 ? lengths[0] : lengths[static_cast<std::size_t>(b)];
  }

  /// The definition, for a query that counts.
  static Attended expected(const Case& c, const Tensors& t, std::int64_t b, std::int64_t n, std::int64_t query) {
    const Sizes& s = c.sizes;
    const std::int64_t queries = length(c.query_lengths, b, s.queries);
    const std::int64_t keys = length(c.key_lengths, b, s.keys);
    const std::int64_t key_head = n / (s.heads / s.key_heads);
    const auto of_key = [&](const OpTensor& tensor, std::int64_t key, std::int64_t d) {
      if (c.page == 0) {
        return tensor.before(laid_out_at(c.own_layout(), tensor.shape(), s, s.key_heads, b, key_head, key, d)).real();
      }
      const auto number =
          static_cast<std::int64_t>(t.table->before(element_at({b, key / c.page}, t.table->shape())).real());
      return tensor.before(element_at({number, key_head, key % c.page, d}, tensor.shape())).real();
    };
    const auto score = [&](std::int64_t key) -> std::optional<Real> {
      const bool reads_mask = c.mask_shape && c.seen.sparse_mode < 2;
      if (!sees(c, query, key, queries, keys)) return std::nullopt;
      if (reads_mask && of_pair(*t.mask, b, n, query, key).real() != 0) return std::nullopt;
      Real sum = 0;
      for (std::int64_t d = 0; d < s.columns; ++d) {
        sum += t.query->before(laid_out_at(c.own_layout(), t.query->shape(), s, s.heads, b, n, query, d)).real() *
               of_key(*t.key, key, d);
      }
      return c.scale * sum + (t.shift ? of_pair(*t.shift, b, n, query, key).real() : 0);
    };
    return attend(keys, s.columns, score, [&](std::int64_t key, std::int64_t d) { return of_key(*t.value, key, d); });
  }

  static void expect_attention(const Case& c, const Tensors& t, const std::vector<std::byte>& bytes,
                               const std::vector<std::byte>& logarithms) {
    const Sizes& s = c.sizes;
    for (std::int64_t b = 0; b < s.sequences; ++b) {
      for (std::int64_t n = 0; n < s.heads; ++n) {
        for (std::int64_t query = 0; query < length(c.query_lengths, b, s.queries); ++query) {
          const Attended want = expected(c, t, b, n, query);
          for (std::int64_t d = 0; d < s.columns; ++d) {
            const std::int64_t at = laid_out_at(c.result_layout(), t.out->shape(), s, s.heads, b, n, query, d);
            const Number got = t.out->in(bytes, at);
            ASSERT_TRUE(is_close(got, want.columns[static_cast<std::size_t>(d)], c.type))
                << "sequence " << b << ", head " << n << ", query " << query << ", column " << d << ": " << text_of(got)
                << "; expected " << text_of(want.columns[static_cast<std::size_t>(d)]);
          }
          if (!c.has_logarithm) continue;
          const std::int64_t at =
              c.packed() ? (b * s.queries + query) * s.heads + n : (b * s.heads + n) * s.queries + query;
          ASSERT_TRUE(is_close(t.logarithm->in(logarithms, at), want.logarithm, ACL_FLOAT)) << "logarithm " << at;
        }
      }
    }
  }

  static std::unique_ptr<OpInts> ints(std::vector<std::int64_t> lengths, bool ends, std::int64_t every) {
    if (ends) {  // of packed sequences, all of which take the same place
      for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = static_cast<std::int64_t>(i + 1) * every;
    }
    return lengths.empty() ? nullptr : std::make_unique<OpInts>(lengths);
  }

  static void check_attention(const Case& c) {
    SCOPED_TRACE(testing::Message() << c.layout << ", dtype " << c.type << ", " << c.sizes.queries << " queries, "
                                    << c.sizes.keys << " keys, " << c.sizes.columns << " columns, mode "
                                    << c.seen.sparse_mode);
    const Tensors t = make(c);
    const Sizes& s = c.sizes;
    const OpList keys({t.key.get()});
    const OpList values({t.value.get()});
    const auto query_lengths = ints(c.query_lengths, c.packed(), s.queries);
    const auto key_lengths = ints(c.key_lengths, c.packed() && c.page == 0, s.keys);
    std::vector<const OpTensor*> inputs = {t.query.get(), t.key.get(), t.value.get()};
    for (const auto* one : {&t.mask, &t.shift, &t.table, &t.logarithm}) {
      if (*one) inputs.push_back(one->get());
    }
    std::string layout = c.layout;
    const auto bytes = run(
        [&](auto* size, auto** executor) {
          return aclnnFusedInferAttentionScoreGetWorkspaceSize(
              t.query->get(), keys.get(), values.get(), handle(t.shift), handle(t.mask),
              query_lengths ? query_lengths->get() : nullptr, key_lengths ? key_lengths->get() : nullptr, nullptr,
              nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, handle(t.table), nullptr, nullptr, s.heads,
              static_cast<double>(c.scale), c.seen.before, c.seen.after, layout.data(), s.key_heads, c.seen.sparse_mode,
              1, c.page, 0, c.has_logarithm, t.out->get(), handle(t.logarithm), size, executor);
        },
        aclnnFusedInferAttentionScore, inputs, *t.out);
    expect_attention(c, t, bytes, t.logarithm ? t.logarithm->download() : std::vector<std::byte>{});
    // Lists destroy the handles of their members, which the tensors destroy again: that is refused, and does no harm.
  }
};

TEST_F(InferAttention, TakesEveryLayout) {
  for (const char* layout : {"BNSD", "BSND", "BSH", "BNSD_BSND"}) {
    check_attention({layout, {2, 3, 3, 19, 67, 16}});
    check_attention({layout, {2, 2, 2, 3, 11, 5}, ACL_BF16});
  }
}

TEST_F(InferAttention, HeadsShareKeys) {
  for (const char* layout : {"BNSD", "BSH"}) {
    check_attention({layout, {2, 6, 2, 5, 70, 24}});
    check_attention({layout, {2, 8, 1, 1, 130, 64}});
  }
}

TEST_F(InferAttention, HeadsMayBeWide) {
  check_attention({"BNSD", {1, 2, 2, 7, 65, 80}});
  check_attention({"BNSD", {1, 2, 1, 3, 40, 128}});
  check_attention({"BNSD", {1, 1, 1, 2, 9, 136}});
}

TEST_F(InferAttention, ManyQueriesAndKeys) { check_attention({"BSND", {1, 2, 2, 131, 257, 16}}); }

TEST_F(InferAttention, SequencesHaveTheirLengths) {
  Case c{"BNSD", {3, 2, 2, 9, 150, 16}};
  c.key_lengths = {150, 1, 67};
  check_attention(c);
  c.key_lengths = {71};
  check_attention(c);
  c.key_lengths = {5, 0, 64};
  c.query_lengths = {9, 2, 9};
  c.seen.sparse_mode = 3;
  c.query_lengths = {5, 0, 9};
  check_attention(c);
}

TEST_F(InferAttention, PackedSequencesFollowEachOther) {
  Case c{"TND", {3, 4, 2, 9, 37, 16}};
  c.query_lengths = {9, 9, 9};
  c.key_lengths = {37, 37, 37};
  c.has_logarithm = true;
  check_attention(c);
  c.seen.sparse_mode = 3;
  check_attention(c);
}

TEST_F(InferAttention, MasksHideKeys) {
  for (const Shape& shape : {Shape{19, 70}, Shape{2, 19, 70}, Shape{1, 1, 19, 70}, Shape{2, 1, 19, 70}}) {
    Case c{"BNSD", {2, 2, 2, 19, 70, 16}};
    c.mask_shape = shape;
    check_attention(c);
    c.seen.sparse_mode = 1;
    check_attention(c);
  }
}

TEST_F(InferAttention, WindowsFollowTheQuery) {
  Case c{"BNSD", {2, 2, 2, 40, 100, 16}};
  for (const std::int64_t mode : {2, 3, 4}) {
    c.seen = {mode, 17, 5};
    check_attention(c);
  }
  c.seen = {4, -3, 20};  // only keys after it
  check_attention(c);
  c.mask_shape = Shape{40, 100};
  c.seen = {0, 30, 0};
  check_attention(c);
}

TEST_F(InferAttention, ShiftsAreAddedToScores) {
  for (const Shape& shape : {Shape{2, 3, 19, 70}, Shape{1, 3, 19, 70}}) {
    Case c{"BNSD", {2, 3, 3, 19, 70, 16}};
    c.shift_shape = shape;
    check_attention(c);
  }
}

TEST_F(InferAttention, ASequenceMayHaveTensorsOfItsOwn) {
  const Sizes s{2, 2, 2, 3, 20, 16};
  Case c{"BNSD", s};
  const Tensors t = make(c);
  std::vector<std::unique_ptr<OpTensor>> parts;
  const auto part = [&](const OpTensor& all, std::int64_t b, std::int64_t keys) {
    parts.push_back(std::make_unique<OpTensor>(c.type, Shape{1, 2, keys, 16}));
    parts.back()->fill([&](std::int64_t i) {
      Shape at = coordinates_of(i, parts.back()->shape());
      at[0] = b;
      return all.before(element_at(at, all.shape()));
    });
    return parts.back().get();
  };
  // The second sequence has fewer keys.
  const OpList keys({part(*t.key, 0, 20), part(*t.key, 1, 13)});
  const OpList values({part(*t.value, 0, 20), part(*t.value, 1, 13)});
  const OpInts lengths({20, 13});
  c.key_lengths = {20, 13};
  std::vector<const OpTensor*> inputs = {t.query.get()};
  for (const auto& one : parts) inputs.push_back(one.get());
  char layout[] = "BNSD";
  const auto bytes = run(
      [&](auto* size, auto** executor) {
        return aclnnFusedInferAttentionScoreGetWorkspaceSize(
            t.query->get(), keys.get(), values.get(), nullptr, nullptr, nullptr, lengths.get(), nullptr, nullptr,
            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 2, 0.25, 2147483647, 2147483647,
            layout, 2, 0, 1, 0, 0, false, t.out->get(), nullptr, size, executor);
      },
      aclnnFusedInferAttentionScore, inputs, *t.out);
  expect_attention(c, t, bytes, {});
}

TEST_F(InferAttention, IncrementalAttentionIsThatOfOneToken) {
  Case c{"BSH", {2, 4, 2, 1, 70, 16}};
  c.key_lengths = {70, 33};
  const Tensors t = make(c);
  const OpList keys({t.key.get()});
  const OpList values({t.value.get()});
  const OpInts lengths({70, 33});
  char layout[] = "BSH";
  const auto bytes = run(
      [&](auto* size, auto** executor) {
        return aclnnIncreFlashAttentionV4GetWorkspaceSize(t.query->get(), keys.get(), values.get(), nullptr, nullptr,
                                                          lengths.get(), nullptr, nullptr, nullptr, nullptr, nullptr,
                                                          nullptr, nullptr, nullptr, nullptr, 4, 0.25, layout, 2, 0, 1,
                                                          t.out->get(), size, executor);
      },
      aclnnIncreFlashAttentionV4, {t.query.get(), t.key.get(), t.value.get()}, *t.out);
  expect_attention(c, t, bytes, {});
}

TEST_F(InferAttention, PromptAttentionTakesLengthsForBoth) {
  Case c{"BNSD", {2, 2, 2, 12, 12, 16}};
  c.query_lengths = c.key_lengths = {12, 7};
  const Tensors t = make(c);
  const OpInts lengths({12, 7});
  char layout[] = "BNSD";
  const auto bytes = run(
      [&](auto* size, auto** executor) {
        return aclnnPromptFlashAttentionGetWorkspaceSize(t.query->get(), t.key->get(), t.value->get(), nullptr, nullptr,
                                                         lengths.get(), 2, 0.25, 2147483647, 2147483647, layout, 2,
                                                         t.out->get(), size, executor);
      },
      aclnnPromptFlashAttention, {t.query.get(), t.key.get(), t.value.get()}, *t.out);
  expect_attention(c, t, bytes, {});
  // The third version has lengths of its own for the keys, and modes.
  c.key_lengths = {12, 12};
  c.seen.sparse_mode = 2;
  const auto causal = run(
      [&](auto* size, auto** executor) {
        return aclnnPromptFlashAttentionV3GetWorkspaceSize(
            t.query->get(), t.key->get(), t.value->get(), nullptr, nullptr, lengths.get(), nullptr, nullptr, nullptr,
            nullptr, nullptr, nullptr, 2, 0.25, 2147483647, 2147483647, layout, 2, 2, 1, t.out->get(), size, executor);
      },
      aclnnPromptFlashAttentionV3, {t.query.get(), t.key.get(), t.value.get()}, *t.out);
  expect_attention(c, t, causal, {});
}

TEST_F(InferAttention, RefusesOthers) {
  const OpTensor query(ACL_FLOAT16, {2, 4, 3, 16});
  const OpTensor key(ACL_FLOAT16, {2, 2, 9, 16});
  const OpTensor value(ACL_FLOAT16, {2, 2, 9, 16});
  const OpTensor longer(ACL_FLOAT16, {2, 2, 10, 16});
  const OpTensor brains(ACL_BF16, {2, 2, 9, 16});
  const OpTensor mask(ACL_BOOL, {3, 8});
  const OpTensor scale(ACL_FLOAT, {1});
  const OpTensor out(ACL_FLOAT16, {2, 4, 3, 16});
  const OpList keys({&key});
  const OpList values({&value});
  const OpList others({&longer});
  const OpList in_brains({&brains});
  const OpInts too_many({10});
  const OpInts three({9, 9, 9});
  char layout[] = "BNSD";
  struct Arguments {
    const aclTensor* query;
    const aclTensorList* keys;
    const aclTensorList* values;
    const aclTensor* mask;
    const aclIntArray* lengths;
    const aclTensor* quantised;
    std::int64_t heads;
    std::int64_t key_heads;
    bool logarithm;
  };
  const auto refused = [&](const Arguments& g) {
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    return aclnnFusedInferAttentionScoreGetWorkspaceSize(
        g.query, g.keys, g.values, nullptr, g.mask, nullptr, g.lengths, nullptr, nullptr, nullptr, g.quantised, nullptr,
        nullptr, nullptr, nullptr, nullptr, nullptr, g.heads, 1, 2147483647, 2147483647, layout, g.key_heads, 0, 1, 0,
        0, g.logarithm, out.get(), nullptr, &size, &executor);
  };
  const Arguments fine{query.get(), keys.get(), values.get(), nullptr, nullptr, nullptr, 4, 2, false};
  const auto with = [&](auto Arguments::*member, auto changed) {
    Arguments given = fine;
    given.*member = changed;
    return refused(given);
  };
  EXPECT_EQ(refused(fine), 0);
  EXPECT_EQ(with(&Arguments::query, nullptr), 161001);
  EXPECT_EQ(with(&Arguments::keys, nullptr), 161001);
  EXPECT_EQ(with(&Arguments::values, nullptr), 161001);
  EXPECT_EQ(with(&Arguments::logarithm, true), 161001);
  EXPECT_EQ(with(&Arguments::keys, in_brains.get()), 161002);
  EXPECT_EQ(with(&Arguments::values, others.get()), 161002);
  EXPECT_EQ(with(&Arguments::mask, mask.get()), 161002);
  EXPECT_EQ(with(&Arguments::mask, scale.get()), 161002);
  EXPECT_EQ(with(&Arguments::lengths, too_many.get()), 161002);
  EXPECT_EQ(with(&Arguments::lengths, three.get()), 161002);
  EXPECT_EQ(with(&Arguments::heads, 0), 161002);
  EXPECT_EQ(with(&Arguments::heads, 2), 161002);
  EXPECT_EQ(with(&Arguments::key_heads, 3), 161002);
  EXPECT_EQ(with(&Arguments::quantised, scale.get()), 161002);
  const OpTensor wide_query(ACL_FLOAT16, {2, 4, 3, 520});
  const OpTensor wide_key(ACL_FLOAT16, {2, 2, 9, 520});
  const OpList wide_keys({&wide_key});
  EXPECT_EQ(refused({wide_query.get(), wide_keys.get(), values.get(), nullptr, nullptr, nullptr, 4, 2, false}), 161002);
  // Lists of sequences have as many keys as values, and no more than a tensor has.
  const OpTensor first(ACL_FLOAT16, {1, 2, 4, 16});
  const OpTensor second(ACL_FLOAT16, {1, 2, 9, 16});
  const OpList both({&first, &second});
  const OpList swapped({&second, &first});
  const OpList alone({&first});
  const OpInts nine({9});
  const auto lists = [&](const OpList& given, const OpList& to, const aclIntArray* lengths) {
    Arguments changed = fine;
    changed.keys = given.get();
    changed.values = to.get();
    changed.lengths = lengths;
    return refused(changed);
  };
  EXPECT_EQ(lists(both, both, nullptr), 0);
  EXPECT_EQ(lists(both, alone, nullptr), 161002);
  EXPECT_EQ(lists(both, swapped, nullptr), 161002);
  EXPECT_EQ(lists(both, both, nine.get()), 161002);
}

TEST_F(InferAttention, OtherAddressesDoNotOutgrowTheWorkspace) {
  Case c{"BNSD", {1, 1, 1, 2, 8, 8}};
  const Tensors t = make(c);
  const OpTensor longer(ACL_FLOAT16, {1, 1, 3, 8});
  const OpList keys({t.key.get()});
  const OpList values({t.value.get()});
  char layout[] = "BNSD";
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  ASSERT_EQ(aclnnFusedInferAttentionScoreGetWorkspaceSize(
                t.query->get(), keys.get(), values.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, 1, 2147483647, 2147483647, layout, 1,
                0, 1, 0, 0, false, t.out->get(), nullptr, &size, &executor),
            0);
  EXPECT_EQ(size, 0U);
  ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor), 0);
  // Two bytes further its rows begin on no line: they would have to be copied.
  ASSERT_EQ(aclSetInputTensorAddr(executor, 0, t.query->get(), static_cast<std::byte*>(longer.memory()) + 2), 0);
  EXPECT_EQ(aclnnFusedInferAttentionScore(nullptr, 0, executor, stream()), 161002);
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

TEST_F(InferAttention, TokensOfNoSequenceAreLeftAlone) {
  Case c{"BNSD", {1, 1, 1, 4, 9, 10}};  // rows of 10 go through the workspace
  c.query_lengths = {2};
  const Tensors t = make(c);
  const OpList keys({t.key.get()});
  const OpList values({t.value.get()});
  const OpInts lengths({2});
  char layout[] = "BNSD";
  const auto bytes = run(
      [&](auto* size, auto** executor) {
        return aclnnFusedInferAttentionScoreGetWorkspaceSize(
            t.query->get(), keys.get(), values.get(), nullptr, nullptr, lengths.get(), nullptr, nullptr, nullptr,
            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, 1, 0.25, 2147483647, 2147483647,
            layout, 1, 0, 1, 0, 0, false, t.out->get(), nullptr, size, executor);
      },
      aclnnFusedInferAttentionScore, {t.query.get(), t.key.get(), t.value.get()}, *t.out);
  expect_attention(c, t, bytes, {});
  for (std::int64_t i = 20; i < 40; ++i) EXPECT_EQ(t.out->in(bytes, i), t.out->before(i)) << i;
}

TEST_F(InferAttention, KeysMayBeInPages) {
  Case c{"BNSD", {3, 4, 2, 1, 150, 16}};
  c.page = 16;
  c.key_lengths = {150, 33, 1};
  check_attention(c);
  c.sizes.queries = 5;
  c.seen.sparse_mode = 3;
  c.key_lengths = {150, 33, 16};
  check_attention(c);
}

TEST_F(InferAttention, TellsTheLogarithmOfTheSum) {
  Case c{"BNSD", {2, 2, 2, 5, 70, 16}};
  c.has_logarithm = true;
  check_attention(c);
}

TEST_F(InferAttention, AQueryThatSeesNoKeyGetsZeros) {
  Case c{"BNSD", {2, 2, 2, 5, 9, 16}};
  c.key_lengths = {0, 9};
  c.has_logarithm = true;
  check_attention(c);
  // The first queries are further from the end than there are keys.
  c.key_lengths = {2, 9};
  c.seen.sparse_mode = 3;
  check_attention(c);
}

}  // namespace
}  // namespace aclvk::test
