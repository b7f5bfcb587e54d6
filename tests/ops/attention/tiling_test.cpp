// Sequences with more keys than a loop of a kernel may have iterations: several kernels, one for each segment of keys.
#include <memory>

#include "aclnnop/aclnn_fused_infer_attention_score.h"
#include "ops/attention/fused_call.hpp"

namespace aclvk::test {
namespace {

constexpr std::int64_t kLong = 430'009;  // three kernels for few rows, two for many
constexpr std::int64_t kColumns = 8;
constexpr double kScale = 0.5;

class LongAttention : public OpTest {
 protected:
  using Lengths = std::vector<std::int64_t>;
  using Sees = std::function<bool(std::int64_t, std::int64_t, std::int64_t)>;  ///< sequence, query, key

  /// A call of aclnnFusedInferAttentionScore in BNSD, or for one head in TND, where sequences share `keys`. Heads share
  /// those of key.
  struct Case {
    Sizes sizes{};
    Lengths lengths{};
    std::int64_t sparse_mode = 0;
    std::int64_t before = 2147483647;
    std::int64_t after = 2147483647;
    const OpTensor* mask = nullptr;
    std::int64_t page = 0;
    bool packed = false;
  };

  static Lengths ends_of(Lengths lengths) {
    for (std::size_t i = 1; i < lengths.size(); ++i) lengths[i] += lengths[i - 1];
    return lengths;
  }

  /// The tensors of a call. Keys of sequences are contiguous, also those in pages.
  struct Call {
    explicit Call(Case of)
        : c(std::move(of)),
          query(ACL_FLOAT, rows(kColumns)),
          key(ACL_FLOAT, key_shape()),
          value(ACL_FLOAT, key.shape()),
          table(ACL_INT32, {c.sizes.sequences, pages()}),
          out(ACL_FLOAT, query.shape()),
          logarithm(ACL_FLOAT, rows(1)) {
      fill_small(query, 1);
      fill_small(key, 2);
      fill_small(value, 3);
      table.fill([&](std::int64_t i) -> Number { return Real(place_of_page(i)); });
    }

    Shape rows(std::int64_t columns) const {
      const Sizes& s = c.sizes;
      return c.packed ? Shape{s.sequences * s.queries, s.heads, columns}
                      : Shape{s.sequences, s.heads, s.queries, columns};
    }
    std::int64_t pages() const { return c.page > 0 ? (c.sizes.keys + c.page - 1) / c.page : 1; }
    Shape key_shape() const {
      if (c.page > 0) return {pages() * c.sizes.sequences, 1, c.page, kColumns};
      if (c.packed) return {c.sizes.keys, 1, kColumns};
      return {c.sizes.sequences, 1, c.sizes.keys, kColumns};
    }
    std::int64_t place_of_page(std::int64_t page) const { return pages() * c.sizes.sequences - 1 - page; }
    std::int64_t first_key(const Lengths& lengths, std::int64_t sequence) const {
      return c.packed && sequence > 0 ? ends_of(lengths)[static_cast<std::size_t>(sequence) - 1] : 0;
    }
    std::int64_t place_of_key(std::int64_t sequence, std::int64_t at) const {
      if (c.packed) return at;
      if (c.page == 0) return sequence * c.sizes.keys + at;
      return place_of_page(sequence * pages() + at / c.page) * c.page + at % c.page;
    }

    aclnnStatus plan(const Lengths& lengths, uint64_t* size, aclOpExecutor** executor) const {
      const OpInts given(c.packed ? ends_of(lengths) : lengths);
      const OpInts queries(ends_of(Lengths(static_cast<std::size_t>(c.sizes.sequences), c.sizes.queries)));
      std::string layout = c.packed ? "TND" : "BNSD";
      return aclnnFusedInferAttentionScoreGetWorkspaceSize(
          query.get(), keys.get(), values.get(), nullptr, c.mask ? c.mask->get() : nullptr,
          c.packed ? queries.get() : nullptr, lengths.empty() ? nullptr : given.get(), nullptr, nullptr, nullptr,
          nullptr, nullptr, nullptr, nullptr, c.page > 0 ? table.get() : nullptr, nullptr, nullptr, c.sizes.heads,
          kScale, c.before, c.after, layout.data(), 1, c.sparse_mode, 1, c.page, 0, true, out.get(), logarithm.get(),
          size, executor);
    }

    std::vector<const OpTensor*> inputs() const {
      std::vector<const OpTensor*> all = {&query, &key, &value, &table, &logarithm};
      if (c.mask) all.push_back(c.mask);
      return all;
    }

    Case c;
    OpTensor query, key, value, table, out, logarithm;
    OpList keys{{&key}};  // destroys the handles of its members, which the tensors destroy again: that is refused
    OpList values{{&value}};
  };

  static void expect(const Call& call, const std::vector<std::byte>& bytes, const Lengths& lengths, const Sees& sees) {
    const Sizes& s = call.c.sizes;
    const auto logarithms = call.logarithm.download();
    for (std::int64_t row = 0; row < s.sequences * s.heads * s.queries; ++row) {
      const std::int64_t b = row / (s.heads * s.queries);
      const std::int64_t q = row % s.queries;
      const std::int64_t keys = lengths.empty() ? s.keys : lengths[static_cast<std::size_t>(b)];
      const std::int64_t first = call.first_key(lengths, b);
      const auto place = [&](std::int64_t k) { return call.place_of_key(b, first + k) * kColumns; };
      const auto score = [&](std::int64_t k) -> std::optional<Real> {
        if (sees && !sees(b, q, k)) return std::nullopt;
        Real product = 0;
        for (std::int64_t d = 0; d < kColumns; ++d) {
          product += call.query.before(row * kColumns + d).real() * call.key.before(place(k) + d).real();
        }
        return kScale * product;
      };
      const Attended want = attend(keys, kColumns, score, [&](std::int64_t k, std::int64_t d) {
        return call.value.before(place(k) + d).real();
      });
      for (std::int64_t d = 0; d < kColumns; ++d) {
        const Number got = call.out.in(bytes, row * kColumns + d);
        ASSERT_TRUE(is_close(got, want.columns[static_cast<std::size_t>(d)], ACL_FLOAT))
            << "row " << row << ", column " << d << ": " << text_of(got) << "; expected "
            << text_of(want.columns[static_cast<std::size_t>(d)]);
      }
      ASSERT_TRUE(is_close(call.logarithm.in(logarithms, row), want.logarithm, ACL_FLOAT)) << "logarithm " << row;
    }
  }

  static void check(const Call& call, const Sees& sees = {}) {
    const auto bytes = run([&](auto* size, auto** executor) { return call.plan(call.c.lengths, size, executor); },
                           aclnnFusedInferAttentionScore, call.inputs(), call.out);
    expect(call, bytes, call.c.lengths, sees);
  }

  /// A model that is captured for few keys may get many, as its tensors have room for them.
  static void grow(const Call& call, const Lengths& few, const Lengths& many) {
    for (const OpTensor* tensor : call.inputs()) tensor->upload();
    uint64_t sizes[2] = {};
    const auto launch = [&](const Lengths& lengths, void* workspace, uint64_t& size) {
      aclOpExecutor* executor = nullptr;
      ASSERT_EQ(call.plan(lengths, &size, &executor), 0) << aclGetRecentErrMsg();
      ASSERT_EQ(aclnnFusedInferAttentionScore(workspace, size, executor, stream()), 0) << aclGetRecentErrMsg();
    };
    aclOpExecutor* planned = nullptr;
    ASSERT_EQ(call.plan(few, &sizes[0], &planned), 0);
    EXPECT_EQ(aclDestroyAclOpExecutor(planned), 0);
    void* workspace = nullptr;
    ASSERT_EQ(aclrtMalloc(&workspace, sizes[0], ACL_MEM_MALLOC_NORMAL_ONLY), 0);
    aclmdlRI model = nullptr;
    aclrtTaskGrp group = nullptr;
    ASSERT_EQ(aclmdlRICaptureBegin(stream(), ACL_MODEL_RI_CAPTURE_MODE_THREAD_LOCAL), 0);
    ASSERT_EQ(aclmdlRICaptureTaskGrpBegin(stream()), 0);
    launch(few, workspace, sizes[0]);
    ASSERT_EQ(aclmdlRICaptureTaskGrpEnd(stream(), &group), 0);
    ASSERT_EQ(aclmdlRICaptureEnd(stream(), &model), 0);
    const auto replay = [&](const Lengths& lengths) {
      call.out.upload();
      ASSERT_EQ(aclmdlRIExecuteAsync(model, stream()), 0) << aclGetRecentErrMsg();
      ASSERT_EQ(aclrtSynchronizeStream(stream()), 0) << aclGetRecentErrMsg();
      expect(call, call.out.download(), lengths, {});
    };
    replay(few);
    for (const auto& lengths : {many, few}) {
      ASSERT_EQ(aclmdlRICaptureTaskUpdateBegin(stream(), group), 0);
      launch(lengths, workspace, sizes[1]);
      ASSERT_EQ(aclmdlRICaptureTaskUpdateEnd(stream()), 0) << aclGetRecentErrMsg();
      EXPECT_EQ(sizes[0], sizes[1]) << "the workspace depends on lengths";
      replay(lengths);
    }
    EXPECT_EQ(aclmdlRIDestroy(model), 0);
    aclrtFree(workspace);
  }
};

TEST_F(LongAttention, OfFewRowsWithAMask) {
  OpTensor mask(ACL_BOOL, {1, 3, kLong});
  // The second token sees keys of the last segment alone, the third none.
  const auto is_hidden = [](std::int64_t q, std::int64_t k) { return q == 0 ? k % 3 == 1 : q == 2 || k < kLong - 5; };
  mask.fill([&](std::int64_t i) -> Number { return Real(is_hidden(i / kLong, i % kLong)); });
  Case c{{2, 1, 1, 3, kLong, kColumns}, {kLong, 70}};
  c.mask = &mask;
  check(Call(c), [&](auto, auto q, auto k) { return !is_hidden(q, k); });
}

TEST_F(LongAttention, OfManyRowsInAWindow) {
  Case c{{1, 3, 1, 2, kLong, kColumns}};
  c.sparse_mode = 4;
  c.before = 150'000;
  c.after = -7;
  check(Call(c), [&](auto, auto q, auto k) {
    const std::int64_t own = q + kLong - 2;
    return k >= own - c.before && k <= own + c.after;
  });
}

TEST_F(LongAttention, InPagesGrowsByUpdates) {
  Case c{{2, 2, 1, 1, kLong, kColumns}};
  c.page = 128;
  grow(Call(c), {5, 333}, {kLong, 202'100});
}

// Any of the sequences may be the long one.
TEST_F(LongAttention, OfSequencesThatFollowEachOtherGrowsByUpdates) {
  Case c{{3, 1, 1, 1, kLong, kColumns}};
  c.packed = true;
  grow(Call(c), {5, 333, 0}, {70, kLong - 71, 1});
}

}  // namespace
}  // namespace aclvk::test
