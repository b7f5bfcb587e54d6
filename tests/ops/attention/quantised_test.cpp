#include "ops/attention/quantised.hpp"

#include "aclnnop/aclnn_fused_infer_attention_score_v2.h"
#include "aclnnop/aclnn_incre_flash_attention_v4.h"

namespace aclvk::test {
namespace {

TEST_F(QuantisedAttention, KeysShareScalesAsTheModeSays) {
  const Case c;
  const Sizes& s = c.sizes;
  const std::int64_t n = s.key_heads;
  const std::int64_t d = s.columns;
  const auto of_channel = [=](auto, auto head, auto, auto column) { return head * d + column; };
  check_shared(c, {0, {1}, [](auto, auto, auto, auto) { return 0; }});
  check_shared(c, {0, {1, n, 1, d}, of_channel});
  check_shared(c, {0, {n, d}, of_channel});
  check_shared(c, {0, {n * d}, of_channel});
  check_shared(c, {1, {s.sequences, s.keys}, [=](auto b, auto, auto k, auto) { return b * s.keys + k; }});
  check_shared(c, {2, {n}, [](auto, auto head, auto, auto) { return head; }});
  check_shared(
      c, {3, {s.sequences, n, s.keys}, [=](auto b, auto head, auto k, auto) { return (b * n + head) * s.keys + k; }});
}

TEST_F(QuantisedAttention, TakesLayoutsAndDtypes) {
  for (const char* layout : {"BSH", "BSND", "TND"}) {
    Case c{layout, {2, 2, 2, 5, 19, 24}, ACL_BF16, false};
    const std::int64_t d = c.sizes.columns;
    check_shared(c, {0, {2, d}, [=](auto, auto head, auto, auto column) { return head * d + column; }});
  }
}

TEST_F(QuantisedAttention, OneParameterMayHaveTheScalesOfKeysAndValues) {
  const Sizes s{2, 2, 2, 1, 40, 16};
  for (const bool by_token : {false, true}) {
    LaidOut query(ACL_FLOAT16, "BSH", s, 2, 1, 16);
    LaidOut key(ACL_INT8, "BSH", s, 2, 40, 16);
    LaidOut value(ACL_INT8, "BSH", s, 2, 40, 16);
    LaidOut out(ACL_FLOAT16, "BSH", s, 2, 1, 16);
    fill_small(query.tensor(), 1);
    fill_integers(key.tensor(), 2);
    fill_integers(value.tensor(), 3);
    const Shape shape = by_token ? Shape{2, 2, 40} : Shape{2, 32};
    OpTensor scale(ACL_FLOAT16, shape);
    fill_scales(scale, 4);
    FusedCall call{query.get(), {key.get()}, {value.get()}};
    call.heads = call.key_heads = 2;
    call.layout = "BSH";
    call.out = out.get();
    call.both_scale = &scale;
    call.both_mode = by_token ? 1 : 0;
    FusedHandles handles(call);
    const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                           aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
    const auto of = [&](const LaidOut& numbers, std::int64_t part) {
      return [&, part](std::int64_t b, std::int64_t n, std::int64_t k, std::int64_t d) {
        const std::int64_t at = by_token ? (part * 2 + b) * 40 + k : part * 32 + n * 16 + d;
        return numbers(b, n, k, d) * scale.before(at).real();
      };
    };
    Meaning meaning{s};
    meaning.query = query;
    meaning.key = of(key, 0);
    meaning.value = of(value, 1);
    expect(meaning, out, bytes);
    if (by_token) continue;
    // The same by aclnnIncreFlashAttentionV4.
    const OpList keys({key.get()});
    const OpList values({value.get()});
    char layout[] = "BSH";
    const auto incremental = run(
        [&](auto* size, auto** executor) {
          return aclnnIncreFlashAttentionV4GetWorkspaceSize(query.get()->get(), keys.get(), values.get(), nullptr,
                                                            nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
                                                            nullptr, scale.get(), nullptr, nullptr, nullptr, 2, 0.25,
                                                            layout, 2, 0, 1, out.get()->get(), size, executor);
        },
        aclnnIncreFlashAttentionV4, handles.inputs(), *out.get());
    expect(meaning, out, incremental);
  }
}

TEST_F(QuantisedAttention, IntegersOfFourBitsLieInWords) {
  const Sizes s{2, 2, 2, 3, 21, 16};
  LaidOut query(ACL_FLOAT16, "BNSD", s, 2, 3, 16);
  OpTensor key(ACL_INT32, {2, 2, 21, 2});
  OpTensor value(ACL_INT32, {2, 2, 21, 2});
  LaidOut out(ACL_FLOAT16, "BNSD", s, 2, 3, 16);
  OpTensor scale(ACL_FLOAT16, {2, 2, 1, 16});
  fill_small(query.tensor(), 1);
  fill_integers(key, 2, 2000000000);
  fill_integers(value, 3, 2000000000);
  fill_scales(scale, 4, 0.1);
  FusedCall call{query.get(), {&key}, {&value}};
  call.heads = call.key_heads = 2;
  call.out = out.get();
  call.both_scale = &scale;
  FusedHandles handles(call);
  const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                         aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
  const auto of = [&](const OpTensor& words, std::int64_t part) {
    return [&, part](std::int64_t b, std::int64_t n, std::int64_t k, std::int64_t d) {
      const auto word = static_cast<std::int64_t>(words.before(((b * 2 + n) * 21 + k) * 2 + d / 8).real());
      const std::int64_t bits = word >> 4 * (d % 8) & 15;
      return Real(bits < 8 ? bits : bits - 16) * scale.before((part * 2 + n) * 16 + d).real();
    };
  };
  Meaning meaning{s};
  meaning.query = query;
  meaning.key = of(key, 0);
  meaning.value = of(value, 1);
  expect(meaning, out, bytes);
  // The same memory as INT4.
  const auto list_of = [](const OpTensor& words) {
    const std::int64_t shape[] = {2, 2, 21, 16};
    aclTensor* one = aclCreateTensor(shape, 4, ACL_INT4, nullptr, 0, ACL_FORMAT_ND, shape, 4, words.memory());
    words.also(one);
    return aclCreateTensorList(&one, 1);
  };
  aclTensorList* const keys = list_of(key);
  aclTensorList* const values = list_of(value);
  FusedHandles by_one(call, keys, values);
  expect(meaning, out,
         run([&](auto* size, auto** executor) { return by_one.plan(size, executor); }, aclnnFusedInferAttentionScoreV4,
             handles.inputs(), *out.get()));
  EXPECT_EQ(aclDestroyTensorList(keys), 0);
  EXPECT_EQ(aclDestroyTensorList(values), 0);
}

TEST_F(QuantisedAttention, RefusesScatteredWordsByTheNameOfTheirTensor) {
  const OpTensor query(ACL_FLOAT16, {2, 2, 3, 16});
  const OpTensor scale(ACL_FLOAT, {1});
  const OpTensor out(ACL_FLOAT16, {2, 2, 3, 16});
  const View whole;
  const View gaps{{72, 36, 4, 2}};
  const View transposed{{36, 18, 1, 9}};  // words of eight tokens
  const auto answer = [&](const View& keys, const View& values, const View& prefix) -> std::string {
    const OpTensor key(ACL_INT32, {2, 2, 9, 2}, keys);
    const OpTensor value(ACL_INT32, {2, 2, 9, 2}, values);
    const OpTensor key_prefix(ACL_INT32, {1, 2, 9, 2}, prefix);
    const OpTensor value_prefix(ACL_INT32, {1, 2, 9, 2});
    FusedCall call{&query, {&key}, {&value}};
    call.heads = call.key_heads = 2;
    call.out = &out;
    call.key_scale = call.value_scale = &scale;
    call.key_prefix = &key_prefix;
    call.value_prefix = &value_prefix;
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const auto code = FusedHandles(call).plan(&size, &executor);
    if (code == 0) return aclDestroyAclOpExecutor(executor) == 0 ? "fine" : "not destroyed";
    EXPECT_EQ(code, 161002);
    return aclGetRecentErrMsg();
  };
  EXPECT_EQ(answer(whole, whole, whole), "fine");
  const std::pair<const char*, std::string> sentences[] = {
      {": key has dtype INT32", answer(gaps, whole, whole)},
      {": value has dtype INT32", answer(whole, gaps, whole)},
      {": keySharedPrefixOptional has dtype INT32", answer(whole, whole, gaps)},
      {": key has shape (2, 2, 9, 2) and strides (36, 18, 1, 9)", answer(transposed, whole, whole)},
      {": value has shape (2, 2, 9, 2) and strides (36, 18, 1, 9)", answer(whole, transposed, whole)},
      {": keySharedPrefixOptional has shape (1, 2, 9, 2) and strides (36, 18, 1, 9)", answer(whole, whole, transposed)},
  };
  for (const auto& [begin, sentence] : sentences) EXPECT_NE(sentence.find(begin), std::string::npos) << sentence;
}

TEST_F(QuantisedAttention, RefusesPagesWhoseWordsAreTokens) {
  const OpTensor query(ACL_FLOAT16, {2, 2, 3, 16});
  const OpTensor scale(ACL_FLOAT, {1});
  const OpTensor table(ACL_INT32, {2, 1});
  const OpTensor out(ACL_FLOAT16, {2, 2, 3, 16});
  const OpTensor memory(ACL_INT8, {256});
  FusedCall call{&query};
  call.heads = call.key_heads = 2;
  call.out = &out;
  call.key_scale = call.value_scale = &scale;
  call.table = &table;
  call.page = 8;
  call.key_lengths = {8, 8};
  const auto plan = [&](const Shape& strides) {
    const auto pages = [&] {
      const std::int64_t shape[] = {2, 2, 8, 16};
      aclTensor* one = aclCreateTensor(shape, 4, ACL_INT4, strides.data(), 0, ACL_FORMAT_ND, shape, 4, memory.memory());
      return aclCreateTensorList(&one, 1);
    };
    aclTensorList* const keys = pages();
    aclTensorList* const values = pages();
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const auto code = FusedHandles(call, keys, values).plan(&size, &executor);
    EXPECT_TRUE(!executor || aclDestroyAclOpExecutor(executor) == 0);
    EXPECT_EQ(aclDestroyTensorList(keys), 0);
    EXPECT_EQ(aclDestroyTensorList(values), 0);
    return code;
  };
  EXPECT_EQ(plan({256, 128, 16, 1}), 0);
  EXPECT_EQ(plan({256, 128, 1, 8}), 161002);
}

TEST_F(QuantisedAttention, ASequenceMayHaveTensorsOfItsOwn) {
  for (const std::int64_t second : {13, 1}) {
    SCOPED_TRACE(testing::Message() << second << " keys of the second");
    const Sizes s{2, 2, 2, 1, 20, 16};
    const std::vector<std::int64_t> lengths = {20, second};
    LaidOut query(ACL_FLOAT16, "BNSD", s, 2, 1, 16);
    OpTensor first_key(ACL_INT8, {1, 2, 20, 16});
    OpTensor second_key(ACL_INT8, {1, 2, second, 16});
    OpTensor first_value(ACL_INT8, {1, 2, 20, 16});
    OpTensor second_value(ACL_INT8, {1, 2, second, 16});
    LaidOut out(ACL_FLOAT16, "BNSD", s, 2, 1, 16);
    OpTensor key_scale(ACL_FLOAT16, {2, 20});
    OpTensor value_scale(ACL_FLOAT16, {2, 16});
    fill_small(query.tensor(), 1);
    unsigned seed = 1;
    for (OpTensor* tensor : {&first_key, &second_key, &first_value, &second_value}) fill_integers(*tensor, ++seed);
    fill_scales(key_scale, 6);
    fill_scales(value_scale, 7);
    FusedCall call{query.get(), {&first_key, &second_key}, {&first_value, &second_value}};
    call.heads = call.key_heads = 2;
    call.key_lengths = lengths;
    call.key_scale = &key_scale;
    call.value_scale = &value_scale;
    call.key_mode = 1;
    call.out = out.get();
    FusedHandles handles(call);
    const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                           aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
    const auto integer = [](const OpTensor& tensor, std::int64_t n, std::int64_t k, std::int64_t d) {
      return tensor.before(element_at({0, n, k, d}, tensor.shape())).real();
    };
    Meaning meaning{s};
    meaning.query = query;
    meaning.key = [&](auto b, auto n, auto k, auto d) {
      return integer(b == 0 ? first_key : second_key, n, k, d) * key_scale.before(b * 20 + k).real();
    };
    meaning.value = [&](auto b, auto n, auto k, auto d) {
      return integer(b == 0 ? first_value : second_value, n, k, d) * value_scale.before(n * 16 + d).real();
    };
    meaning.sees = [&](auto b, auto, auto k) { return k < lengths[static_cast<std::size_t>(b)]; };
    expect(meaning, out, bytes);
  }
}

TEST_F(QuantisedAttention, KeysMayBeFloatsOfEightBits) {
  for (const aclDataType type : {ACL_FLOAT8_E4M3FN, ACL_FLOAT8_E5M2}) {
    const Sizes s{1, 2, 2, 3, 20, 16};
    LaidOut query(ACL_FLOAT16, "BNSD", s, 2, 3, 16);
    LaidOut key(type, "BNSD", s, 2, 20, 16);
    LaidOut value(type, "BNSD", s, 2, 20, 16);
    LaidOut out(ACL_FLOAT16, "BNSD", s, 2, 3, 16);
    OpTensor scale(ACL_FLOAT16, {2, 1});
    fill_small(query.tensor(), 1);
    fill_small(key.tensor(), 2);
    fill_small(value.tensor(), 3);
    fill_scales(scale, 4, 1);
    const OpList keys({key.get()});
    const OpList values({value.get()});
    char layout[] = "BNSD";
    const auto bytes = run(
        [&](auto* size, auto** executor) {
          return aclnnFusedInferAttentionScoreV2GetWorkspaceSize(
              query.get()->get(), keys.get(), values.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
              nullptr, nullptr, nullptr, scale.get(), nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr,
              nullptr, nullptr, nullptr, nullptr, 2, 0.25, 2147483647, 2147483647, layout, 2, 0, 1, 0, 0, false, 0, 0,
              out.get()->get(), nullptr, size, executor);
        },
        aclnnFusedInferAttentionScoreV2, {query.get(), key.get(), value.get(), &scale}, *out.get());
    Meaning meaning{s};
    meaning.query = query;
    meaning.key = [&](auto... at) { return key(at...) * scale.before(0).real(); };
    meaning.value = [&](auto... at) { return value(at...) * scale.before(1).real(); };
    expect(meaning, out, bytes);
  }
}

TEST_F(QuantisedAttention, QuantisedKeysMayBeInPages) {
  const Sizes s{3, 4, 2, 1, 50, 32};
  constexpr std::int64_t kPage = 16;
  constexpr std::int64_t kPages = 9;
  const std::vector<std::int64_t> lengths = {50, 33, 16};
  // Pages as (pages, heads, tokens, columns), with heads and columns in one, and with columns in parts of 16.
  for (const std::string kind : {"heads", "columns", "parts"}) {
    SCOPED_TRACE(kind);
    const Shape shape = kind == "heads"     ? Shape{kPages, 2, kPage, 32}
                        : kind == "columns" ? Shape{kPages, kPage, 64}
                                            : Shape{kPages, 2, 2, kPage, 16};
    const auto at = [&](std::int64_t page, std::int64_t n, std::int64_t t, std::int64_t d) {
      if (kind == "heads") return element_at({page, n, t, d}, shape);
      if (kind == "columns") return element_at({page, t, n * 32 + d}, shape);
      return element_at({page, n, d / 16, t, d % 16}, shape);
    };
    LaidOut query(ACL_FLOAT16, "BNSD", s, 4, 1, 32);
    OpTensor key(ACL_INT8, shape);
    OpTensor value(ACL_INT8, shape);
    LaidOut out(ACL_FLOAT16, "BNSD", s, 4, 1, 32);
    OpTensor table(ACL_INT32, {3, 4});
    OpTensor key_scale(ACL_FLOAT, kind == "heads" ? Shape{kPages, kPage} : Shape{2, 32});
    OpTensor value_scale(ACL_FLOAT, kind == "heads" ? Shape{kPages, 2, kPage} : Shape{1});
    fill_small(query.tensor(), 1);
    fill_integers(key, 2);
    fill_integers(value, 3);
    fill_scales(key_scale, 4);
    fill_scales(value_scale, 5);
    // What no length needs may be anything.
    table.fill([](std::int64_t i) -> Number { return Real(i == 7 || i == 9 ? -1 : i == 11 ? 1000 : (i * 5 + 2) % 9); });
    FusedCall call{query.get(), {&key}, {&value}};
    call.heads = 4;
    call.key_heads = 2;
    call.out = out.get();
    call.key_scale = &key_scale;
    call.value_scale = &value_scale;
    call.key_mode = kind == "heads" ? 4 : 0;
    call.value_mode = kind == "heads" ? 5 : 0;
    call.key_lengths = lengths;
    call.table = &table;
    call.page = kPage;
    FusedHandles handles(call);
    const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                           aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
    const auto page_of = [&](std::int64_t b, std::int64_t k) {
      return static_cast<std::int64_t>(table.before(b * 4 + k / kPage).real());
    };
    Meaning meaning{s};
    meaning.query = query;
    meaning.key = [&](auto b, auto n, auto k, auto d) {
      const std::int64_t page = page_of(b, k);
      const std::int64_t scale = kind == "heads" ? page * kPage + k % kPage : n * 32 + d;
      return key.before(at(page, n, k % kPage, d)).real() * key_scale.before(scale).real();
    };
    meaning.value = [&](auto b, auto n, auto k, auto d) {
      const std::int64_t page = page_of(b, k);
      const std::int64_t scale = kind == "heads" ? (page * 2 + n) * kPage + k % kPage : 0;
      return value.before(at(page, n, k % kPage, d)).real() * value_scale.before(scale).real();
    };
    meaning.sees = [&](auto b, auto, auto k) { return k < lengths[static_cast<std::size_t>(b)]; };
    expect(meaning, out, bytes);
  }
}

TEST_F(QuantisedAttention, RefusesScalesThatDoNotFit) {
  const OpTensor query(ACL_FLOAT16, {2, 2, 3, 16});
  const OpTensor integers(ACL_INT8, {2, 2, 3, 16});
  const OpTensor one(ACL_FLOAT, {1});
  const OpTensor three(ACL_FLOAT, {3});
  const OpTensor tokens(ACL_FLOAT, {2, 9});
  const OpTensor few_tokens(ACL_FLOAT, {2, 8});
  const OpTensor integer_scale(ACL_INT32, {1});
  const OpTensor out(ACL_FLOAT16, {2, 2, 3, 16});
  const OpTensor integer_out(ACL_INT8, {2, 2, 3, 16});
  const OpTensor prefix(ACL_INT8, {1, 2, 9, 16});
  const auto with = [&](const std::function<void(FusedCall&)>& change, aclDataType keys = ACL_INT8) {
    const OpTensor key(keys, {2, 2, 9, 16});  // its handle ends with the list
    FusedCall call{&query, {&key}, {&key}};
    call.heads = call.key_heads = 2;
    call.out = &out;
    call.key_scale = call.value_scale = &one;
    change(call);
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    return FusedHandles(call).plan(&size, &executor);
  };
  EXPECT_EQ(with([](FusedCall&) {}), 0);
  EXPECT_EQ(with([](FusedCall& c) { c.key_scale = nullptr; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_scale = &three; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_scale = &integer_scale; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_offset = &three; }), 161002);
  EXPECT_EQ(with([](FusedCall& c) { c.key_mode = 7; }), 161002);
  EXPECT_EQ(with([](FusedCall& c) { c.key_mode = 6; }), 207000);
  EXPECT_EQ(with([](FusedCall& c) { c.key_mode = 4; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_mode = 1; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) {
              c.key_mode = 1;
              c.key_scale = &tokens;
            }),
            0);
  EXPECT_EQ(with([&](FusedCall& c) {
              c.key_mode = 1;
              c.key_scale = &few_tokens;
            }),
            161002);
  EXPECT_EQ(with([](FusedCall&) {}, ACL_FLOAT16), 161002);  // scales without integers
  EXPECT_EQ(with([](FusedCall&) {}, ACL_UINT8), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.score_scale = &one; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.query = &integers; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.out = &integer_out; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.out_scale = &one; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.out_offset = &one; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.sink = &three; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.query_rope = &query; }), 161002);
  EXPECT_EQ(with([&](FusedCall& c) { c.key_prefix = &prefix; }), 161002);
}

}  // namespace
}  // namespace aclvk::test
