#include "ops/attention/fused_call.hpp"

namespace aclvk::test {
namespace {

/// What aclnnFusedInferAttentionScoreV4 has besides: layouts of results, ropes, prefixes, padding, sinks.
class FusedAttention : public OpTest {
 protected:
  static std::vector<std::byte> run_fused(const FusedHandles& handles, const OpTensor& out) {
    return run([&](auto* size, auto** executor) { return const_cast<FusedHandles&>(handles).plan(size, executor); },
               aclnnFusedInferAttentionScoreV4, handles.inputs(), out);
  }

  /// For the queries of each sequence; the first of them is at `first`.
  static void expect(const Meaning& meaning, const LaidOut& out, const std::vector<std::byte>& bytes,
                     const std::vector<std::int64_t>& queries = {}, const std::vector<std::int64_t>& first = {}) {
    const Sizes& s = meaning.sizes;
    for (std::int64_t b = 0; b < s.sequences; ++b) {
      const auto at = static_cast<std::size_t>(b);
      for (std::int64_t n = 0; n < s.heads; ++n) {
        for (std::int64_t q = 0; q < (queries.empty() ? s.queries : queries[at]); ++q) {
          const Attended want = meaning.of(b, n, q);
          for (std::size_t d = 0; d < want.columns.size(); ++d) {
            const std::int64_t token = q + (first.empty() ? 0 : first[at]);
            const Number got = out.get()->in(bytes, out.at(b, n, token, static_cast<std::int64_t>(d)));
            ASSERT_TRUE(is_close(got, want.columns[d], out.get()->type()))
                << "sequence " << b << ", head " << n << ", query " << q << ", column " << d << ": " << text_of(got)
                << "; expected " << text_of(want.columns[d]);
          }
        }
      }
    }
  }

  /// Query, key, value and result of one layout, or of two.
  struct Operands {
    Operands(const std::string& layout, const Sizes& s, aclDataType type = ACL_FLOAT16, std::string result = "")
        : query(type, layout, s, s.heads, s.queries, s.columns),
          key(type, layout, s, s.key_heads, s.keys, s.columns),
          value(type, layout, s, s.key_heads, s.keys, s.columns),
          out(type, result.empty() ? layout : result, s, s.heads, s.queries, s.columns) {
      fill_small(query.tensor(), 1);
      fill_small(key.tensor(), 2);
      fill_small(value.tensor(), 3);
      call = {query.get(), {key.get()}, {value.get()}};
      call.heads = s.heads;
      call.key_heads = s.key_heads;
      call.layout = result.empty() ? layout : layout + "_" + result;
      call.out = out.get();
      meaning = {s, 0, query, key, value};
      if (layout != "TND" && layout != "NTD") return;
      for (std::int64_t b = 1; b <= s.sequences; ++b) call.query_lengths.push_back(b * s.queries);
      for (std::int64_t b = 1; b <= s.sequences; ++b) call.key_lengths.push_back(b * s.keys);
    }
    Operands(const Operands&) = delete;
    Operands& operator=(const Operands&) = delete;

    LaidOut query, key, value, out;
    FusedCall call;
    Meaning meaning;
  };
};

TEST_F(FusedAttention, ResultsMayHaveAnotherLayout) {
  const std::vector<std::pair<std::string, std::string>> pairs = {{"BSH", "BNSD"}, {"BSND", "BNSD"}, {"BNSD", "BSND"},
                                                                  {"BSH", "NBSD"}, {"BSND", "NBSD"}, {"BNSD", "NBSD"},
                                                                  {"TND", "NTD"},  {"NTD", "TND"},   {"NTD", ""}};
  for (const auto& [layout, result] : pairs) {
    SCOPED_TRACE(layout + "_" + result);
    Operands all(layout, {2, 4, 2, 5, 19, 16}, ACL_FLOAT16, result);
    FusedHandles handles(all.call);
    expect(all.meaning, all.out, run_fused(handles, *all.out.get()));
  }
}

TEST_F(FusedAttention, RopesAreMoreColumns) {
  for (const std::string layout : {"BNSD", "BSND", "BSH", "TND"}) {
    for (const std::int64_t columns : {8, 12}) {
      SCOPED_TRACE(layout);
      const Sizes s{2, 4, 1, 3, 37, 24};
      Operands all(layout, s, ACL_BF16);
      LaidOut query_rope(ACL_BF16, layout, s, 4, 3, columns);
      LaidOut key_rope(ACL_BF16, layout, s, 1, 37, columns);
      fill_small(query_rope.tensor(), 4);
      fill_small(key_rope.tensor(), 5);
      all.call.query_rope = query_rope.get();
      all.call.key_rope = key_rope.get();
      all.meaning.sizes.columns = 24 + columns;
      all.meaning.value_columns = 24;
      all.meaning.query = [&](auto b, auto n, auto q, auto d) {
        return d < 24 ? all.query(b, n, q, d) : query_rope(b, n, q, d - 24);
      };
      all.meaning.key = [&](auto b, auto n, auto k, auto d) {
        return d < 24 ? all.key(b, n, k, d) : key_rope(b, n, k, d - 24);
      };
      FusedHandles handles(all.call);
      expect(all.meaning, all.out, run_fused(handles, *all.out.get()));
    }
  }
}

TEST_F(FusedAttention, OneTokenOfQueryCountsWhateverLengthsSay) {
  for (const std::vector<std::int64_t>& lengths : {std::vector<std::int64_t>{0}, {7}, {0, 3}, {1, 2, 3}}) {
    Operands all("BSND", {2, 4, 2, 1, 19, 16}, ACL_FLOAT16);
    all.call.query_lengths = lengths;
    FusedHandles handles(all.call);
    expect(all.meaning, all.out, run_fused(handles, *all.out.get()));
  }
  Operands two("BSND", {2, 4, 2, 2, 19, 16}, ACL_FLOAT16);
  two.call.query_lengths = {7};
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(FusedHandles(two.call).plan(&size, &executor), 161002);
}

TEST_F(FusedAttention, RopesLieInPagesLikeTheirKeys) {
  const Sizes s{2, 2, 1, 1, 40, 16};
  const std::vector<std::int64_t> lengths = {40, 17};
  Operands all("BSND", s);
  const OpTensor* const query = all.query.get();
  OpTensor key(ACL_FLOAT16, {7, 8, 16});
  OpTensor value(ACL_FLOAT16, {7, 8, 16});
  OpTensor rope(ACL_FLOAT16, {7, 8, 8});
  LaidOut query_rope(ACL_FLOAT16, "BSND", s, 2, 1, 8);
  OpTensor table(ACL_INT64, {2, 5});
  fill_small(key, 4);
  fill_small(value, 5);
  fill_small(rope, 6);
  fill_small(query_rope.tensor(), 7);
  table.fill([](std::int64_t i) -> Number { return Real((i * 3 + 1) % 7); });
  FusedCall call = all.call;
  call.query = query;
  call.keys = {&key};
  call.values = {&value};
  call.query_rope = query_rope.get();
  call.key_rope = &rope;
  call.table = &table;
  call.page = 8;
  call.key_lengths = lengths;
  const auto in_pages = [&](const OpTensor& tensor, auto b, auto k, auto d) {
    const auto page = static_cast<std::int64_t>(table.before(b * 5 + k / 8).real());
    return tensor.before(element_at({page, k % 8, d}, tensor.shape())).real();
  };
  Meaning meaning = all.meaning;
  meaning.sizes.columns = 24;
  meaning.value_columns = 16;
  meaning.query = [&](auto b, auto n, auto q, auto d) {
    return d < 16 ? all.query(b, n, q, d) : query_rope(b, n, q, d - 16);
  };
  meaning.key = [&](auto b, auto, auto k, auto d) {
    return d < 16 ? in_pages(key, b, k, d) : in_pages(rope, b, k, d - 16);
  };
  meaning.value = [&](auto b, auto, auto k, auto d) { return in_pages(value, b, k, d); };
  meaning.sees = [&](auto b, auto, auto k) { return k < lengths[static_cast<std::size_t>(b)]; };
  FusedHandles handles(call);
  expect(meaning, all.out, run_fused(handles, *all.out.get()));
}

TEST_F(FusedAttention, PagesBeyondTheNumbersOfAnIndexAreNoOthers) {
  const Sizes s{1, 1, 1, 1, 16, 16};
  Operands all("BNSD", s, ACL_FLOAT);
  OpTensor key(ACL_FLOAT, {3, 1, 8, 16});
  OpTensor value(ACL_FLOAT, {3, 1, 8, 16});
  OpTensor table(ACL_INT64, {1, 2});
  fill_small(key, 4);
  fill_small(value, 5);
  // Truncated to 32 bits the second would be page 0. It stands for the last one, like each that is not there.
  table.fill([](std::int64_t i) -> Number { return i == 0 ? Real(1) : Real(std::int64_t{1} << 32); });
  FusedCall call = all.call;
  call.keys = {&key};
  call.values = {&value};
  call.table = &table;
  call.page = 8;
  call.key_lengths = {16};
  const auto in_pages = [&](const OpTensor& tensor, auto k, auto d) {
    return tensor.before(element_at({k < 8 ? 1 : 2, 0, k % 8, d}, tensor.shape())).real();
  };
  Meaning meaning = all.meaning;
  meaning.key = [&](auto, auto, auto k, auto d) { return in_pages(key, k, d); };
  meaning.value = [&](auto, auto, auto k, auto d) { return in_pages(value, k, d); };
  FusedHandles handles(call);
  expect(meaning, all.out, run_fused(handles, *all.out.get()));
}

TEST_F(FusedAttention, APrefixComesBeforeTheKeysOfEachSequence) {
  for (const std::string layout : {"BNSD", "BSH"}) {
    SCOPED_TRACE(layout);
    const Sizes s{3, 4, 2, 4, 21, 16};
    const Sizes one{1, 4, 2, 4, 13, 16};
    Operands all(layout, s);
    LaidOut key(ACL_FLOAT16, layout, one, 2, 13, 16);
    LaidOut value(ACL_FLOAT16, layout, one, 2, 13, 16);
    fill_small(key.tensor(), 4);
    fill_small(value.tensor(), 5);
    const std::int64_t prefix = 11;
    const std::vector<std::int64_t> lengths = {21, 4, 9};
    all.call.key_prefix = key.get();
    all.call.value_prefix = value.get();
    all.call.prefix_length = {prefix};
    all.call.key_lengths = lengths;
    OpTensor mask(ACL_BOOL, {4, prefix + 21});
    mask.fill([](std::int64_t i) -> Number { return Real(i % 5 == 1); });
    for (const std::int64_t mode : {1, 3}) {
      all.call.mask = mode == 1 ? &mask : nullptr;
      all.call.sparse_mode = mode;
      all.meaning.sizes.keys = prefix + 21;
      all.meaning.key = [&](auto b, auto n, auto k, auto d) {
        return k < prefix ? key(0, n, k, d) : all.key(b, n, k - prefix, d);
      };
      all.meaning.value = [&](auto b, auto n, auto k, auto d) {
        return k < prefix ? value(0, n, k, d) : all.value(b, n, k - prefix, d);
      };
      all.meaning.sees = [&](auto b, auto q, auto k) {
        const std::int64_t keys = prefix + lengths[static_cast<std::size_t>(b)];
        if (k >= keys) return false;
        return mode == 1 ? mask.before(q * (prefix + 21) + k).real() == 0 : k <= q + keys - 4;
      };
      Operands again(layout, s);  // with handles that are alive
      FusedCall call = all.call;
      call.keys = {again.key.get()};
      call.values = {again.value.get()};
      FusedHandles handles(call);
      expect(all.meaning, all.out, run_fused(handles, *all.out.get()));
    }
  }
}

TEST_F(FusedAttention, PaddingMayFollowTheTokens) {
  const Sizes s{3, 2, 2, 9, 40, 16};
  const std::vector<std::int64_t> queries = {4, 7, 1};
  const std::vector<std::int64_t> keys = {30, 33, 5};
  struct Padding {
    std::int64_t query, key;  // below zero: not given
    bool masked;
  };
  for (const Padding& given :
       {Padding{0, 0, false}, Padding{2, 3, false}, Padding{2, 7, true}, Padding{-1, 4, true}, Padding{1, -1, false}}) {
    SCOPED_TRACE(testing::Message() << given.query << ", " << given.key);
    Operands all("BSND", s);
    OpTensor query_padding(ACL_INT64, {1});
    OpTensor key_padding(ACL_INT64, {1});
    OpTensor mask(ACL_BOOL, {3, 1, 9, 40});
    OpTensor shift(ACL_FLOAT16, {1, 2, 9, 40});
    query_padding.fill([&](auto) -> Number { return Real(given.query); });
    key_padding.fill([&](auto) -> Number { return Real(given.key); });
    mask.fill([](std::int64_t i) -> Number { return Real(i % 3 == 1 || i % 7 == 2); });
    fill_small(shift, 5);
    all.call.query_lengths = queries;
    all.call.key_lengths = keys;
    if (given.query >= 0) all.call.query_padding = &query_padding;
    if (given.key >= 0) all.call.key_padding = &key_padding;
    if (given.masked) all.call.mask = &mask;
    if (given.masked) all.call.shift = &shift;
    std::vector<std::int64_t> first;
    for (const std::int64_t count : queries) first.push_back(given.query < 0 ? 0 : 9 - given.query - count);
    const auto key_at = [&](auto b, auto k) {
      return k + (given.key < 0 ? 0 : 40 - given.key - keys[static_cast<std::size_t>(b)]);
    };
    const auto query_at = [&](auto b, auto q) { return q + first[static_cast<std::size_t>(b)]; };
    all.meaning.query = [&](auto b, auto n, auto q, auto d) { return all.query(b, n, query_at(b, q), d); };
    all.meaning.key = [&](auto b, auto n, auto k, auto d) { return all.key(b, n, key_at(b, k), d); };
    all.meaning.value = [&](auto b, auto n, auto k, auto d) { return all.value(b, n, key_at(b, k), d); };
    all.meaning.sees = [&](auto b, auto q, auto k) {
      if (k >= keys[static_cast<std::size_t>(b)]) return false;
      return !given.masked || mask.before((b * 9 + query_at(b, q)) * 40 + key_at(b, k)).real() == 0;
    };
    if (given.masked) {
      all.meaning.shift = [&](auto b, auto n, auto q, auto k) {
        return shift.before((n * 9 + query_at(b, q)) * 40 + key_at(b, k)).real();
      };
    }
    // Each key that a row might read lies in the tensor.
    const Meaning::Number4 key = all.meaning.key;
    all.meaning.key = [&, key](auto b, auto n, auto k, auto d) {
      return k < keys[static_cast<std::size_t>(b)] ? key(b, n, k, d) : 0;
    };
    FusedHandles handles(all.call);
    expect(all.meaning, all.out, run_fused(handles, *all.out.get()), queries, first);
  }
}

TEST_F(FusedAttention, SinksTakePartInTheSoftmax) {
  for (const std::int64_t queries : {1, 20}) {
    const Sizes s{2, 4, 2, queries, 37, 16};
    Operands all("BNSD", s, ACL_BF16);
    OpTensor sink(ACL_BF16, {4});
    fill_small(sink, 4);
    OpTensor logarithm(ACL_FLOAT, {2, 4, queries, 1});
    all.call.sink = &sink;
    all.call.logarithm = &logarithm;
    all.meaning.sink = [&](auto n) { return sink.before(n).real(); };
    FusedHandles handles(all.call);
    expect(all.meaning, all.out, run_fused(handles, *all.out.get()));
    const auto logarithms = logarithm.download();
    for (std::int64_t i = 0; i < logarithm.count(); ++i) {
      const Attended want = all.meaning.of(i / (4 * queries), i / queries % 4, i % queries);
      ASSERT_TRUE(is_close(logarithm.in(logarithms, i), want.logarithm, ACL_FLOAT)) << i;
    }
  }
}

TEST_F(FusedAttention, OneWorkspaceIsEnoughForAllLengths) {
  uint64_t most = 0;
  uint64_t most_of_third = 0;
  aclOpExecutor* executor = nullptr;
  // Lists of tensors take them over, so each call has its own.
  const auto with_handles = [&](std::vector<std::int64_t> lengths, bool has_out, const auto& body) {
    OpTensor query(ACL_FLOAT16, {2, 4, 3, 16});
    OpTensor key(ACL_INT8, {2, 4, 23, 16});
    OpTensor value(ACL_INT8, {2, 4, 23, 16});
    OpTensor scale(ACL_FLOAT, {2});
    const OpTensor out(ACL_FLOAT16, {2, 4, 3, 16});
    FusedCall call;
    call.query = &query;
    call.keys = {&key};
    call.values = {&value};
    call.both_scale = &scale;
    call.heads = call.key_heads = 4;
    call.key_lengths = std::move(lengths);
    call.out = has_out ? &out : nullptr;
    FusedHandles handles(call);
    body(handles);
  };
  with_handles({1, 1}, true, [&](FusedHandles& handles) {
    ASSERT_EQ(handles.plan_third_for_all(&most_of_third, &executor), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
  });
  with_handles({1, 1}, true, [&](FusedHandles& handles) {
    ASSERT_EQ(handles.plan_for_all(&most, &executor), 0) << aclGetRecentErrMsg();
    EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    EXPECT_GT(most, 0U) << "numbers of keys become floats in the workspace";
    EXPECT_EQ(most_of_third, most);
  });
  for (const std::int64_t length : {1, 7, 23}) {
    with_handles({length, 23}, true, [&](FusedHandles& handles) {
      uint64_t size = 0;
      ASSERT_EQ(handles.plan(&size, &executor), 0) << aclGetRecentErrMsg();
      EXPECT_LE(size, most);
      EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    });
    with_handles({length, 23}, true, [&](FusedHandles& handles) {
      uint64_t size = 0;
      ASSERT_EQ(handles.plan_third(&size, &executor), 0) << aclGetRecentErrMsg();
      EXPECT_LE(size, most);
      EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
    });
  }
  with_handles({1, 1}, false,
               [&](FusedHandles& handles) { EXPECT_EQ(handles.plan_for_all(&most, &executor), 161001); });
  with_handles({1, 1}, false,
               [&](FusedHandles& handles) { EXPECT_EQ(handles.plan_third_for_all(&most, &executor), 161001); });
}

TEST_F(FusedAttention, RefusesWhatDoesNotFitTogether) {
  const Sizes s{2, 2, 2, 3, 9, 16};
  const OpTensor number(ACL_INT64, {1});
  const OpTensor numbers(ACL_INT64, {2});
  const OpTensor rope(ACL_FLOAT16, {2, 2, 3, 8});
  const OpTensor rope_of_keys(ACL_FLOAT16, {2, 2, 9, 8});
  const OpTensor rope_of_brains(ACL_BF16, {2, 2, 9, 8});
  const OpTensor few(ACL_FLOAT16, {2, 2, 8, 8});
  const OpTensor prefix(ACL_FLOAT16, {1, 2, 5, 16});
  const OpTensor prefixes(ACL_FLOAT16, {2, 2, 5, 16});
  const auto with = [&](const std::function<void(FusedCall&)>& change, const std::string& layout = "BNSD") {
    Operands all(layout, s);
    change(all.call);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    return FusedHandles(all.call).plan(&size, &executor);
  };
  const auto ropes = [&](const OpTensor& query, const OpTensor& key) {
    return with([&](FusedCall& c) {
      c.query_rope = &query;
      c.key_rope = &key;
    });
  };
  EXPECT_EQ(ropes(rope, rope_of_keys), 0);
  EXPECT_EQ(ropes(rope, rope_of_brains), 161002);
  EXPECT_EQ(ropes(rope, few), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_rope = &rope_of_keys; }), 161002);
  const auto with_prefix = [&](const OpTensor& key, const OpTensor& value, std::int64_t length) {
    return with([&](FusedCall& c) {
      c.key_prefix = &key;
      c.value_prefix = &value;
      c.prefix_length = {length};
    });
  };
  EXPECT_EQ(with_prefix(prefix, prefix, 5), 0);
  EXPECT_EQ(with_prefix(prefix, prefix, 6), 161002);
  EXPECT_EQ(with_prefix(prefix, prefix, -1), 161002);
  EXPECT_EQ(with_prefix(prefixes, prefixes, 5), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_padding = &number; }), 0);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_padding = &numbers; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_padding = &rope; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_padding = &number; }, "TND"), 161002);
  for (const std::int64_t mode : {5, 6, 7, 8, 9}) {
    EXPECT_EQ(with([&](FusedCall& c) { c.sparse_mode = mode; }), 161002) << mode;
  }
}

}  // namespace
}  // namespace aclvk::test
