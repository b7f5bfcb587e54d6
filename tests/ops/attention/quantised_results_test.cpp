#include <cstring>

#include "aclnnop/aclnn_prompt_flash_attention_v3.h"
#include "ops/attention/quantised.hpp"

namespace aclvk::test {
namespace {

TEST_F(QuantisedAttention, QueriesMayBeIntegers) {
  const Sizes s{2, 2, 2, 9, 30, 16};
  LaidOut query(ACL_INT8, "BSND", s, 2, 9, 16);
  LaidOut key(ACL_INT8, "BSND", s, 2, 30, 16);
  LaidOut value(ACL_INT8, "BSND", s, 2, 30, 16);
  LaidOut out(ACL_FLOAT16, "BSND", s, 2, 9, 16);
  fill_integers(query.tensor(), 1);
  fill_integers(key.tensor(), 2);
  fill_integers(value.tensor(), 3);
  OpTensor score_scale(ACL_UINT64, {1});  // the bits of a float
  OpTensor weight_scale(ACL_FLOAT, {1});
  OpTensor sum_scale(ACL_FLOAT, {1});
  const float factor = 0.0005F;
  std::uint32_t bits;
  std::memcpy(&bits, &factor, sizeof(bits));
  score_scale.fill([&](auto) -> Number { return Real(bits); });
  weight_scale.fill([](auto) -> Number { return 127; });
  sum_scale.fill([](auto) -> Number { return 0.0001; });
  FusedCall call{query.get(), {key.get()}, {value.get()}};
  call.heads = call.key_heads = 2;
  call.layout = "BSND";
  call.out = out.get();
  call.score_scale = &score_scale;
  call.weight_scale = &weight_scale;
  call.sum_scale = &sum_scale;
  call.scale = 0.5;
  FusedHandles handles(call);
  const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                         aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
  Meaning meaning{s};
  meaning.scale = 0.5;
  meaning.query = [&](auto... at) { return query(at...) * factor; };
  meaning.key = key;
  meaning.value = [&](auto... at) { return value(at...) * weight_scale.before(0).real() * sum_scale.before(0).real(); };
  expect(meaning, out, bytes);
}

TEST_F(QuantisedAttention, EachHeadOfATokenMayHaveAScale) {
  const Sizes s{2, 4, 1, 2, 30, 24};
  const std::int64_t rope = 8;
  LaidOut query(ACL_INT8, "BSND", s, 4, 2, 16);
  LaidOut key(ACL_INT8, "BSND", s, 1, 30, 16);
  LaidOut query_rope(ACL_BF16, "BSND", s, 4, 2, rope);
  LaidOut key_rope(ACL_BF16, "BSND", s, 1, 30, rope);
  LaidOut out(ACL_BF16, "BSND", s, 4, 2, 16);
  OpTensor query_scale(ACL_FLOAT, {2, 2, 4});
  OpTensor key_scale(ACL_FLOAT, {1});
  fill_integers(query.tensor(), 1);
  fill_integers(key.tensor(), 2);
  fill_small(query_rope.tensor(), 3);
  fill_small(key_rope.tensor(), 4);
  fill_scales(query_scale, 5);
  fill_scales(key_scale, 6);
  FusedCall call{query.get(), {key.get()}, {key.get()}};
  call.heads = 4;
  call.layout = "BSND";
  call.out = out.get();
  call.query_scale = &query_scale;
  call.key_scale = call.value_scale = &key_scale;
  call.query_rope = query_rope.get();
  call.key_rope = key_rope.get();
  FusedHandles handles(call);
  const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                         aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
  Meaning meaning{s};
  meaning.value_columns = 16;
  meaning.query = [&](auto b, auto n, auto q, auto d) {
    return d < 16 ? query(b, n, q, d) * query_scale.before((b * 2 + q) * 4 + n).real() : query_rope(b, n, q, d - 16);
  };
  meaning.key = [&](auto b, auto n, auto k, auto d) {
    return d < 16 ? key(b, n, k, d) * key_scale.before(0).real() : key_rope(b, n, k, d - 16);
  };
  meaning.value = meaning.key;
  expect(meaning, out, bytes);
}

TEST_F(QuantisedAttention, ResultsMayBeIntegers) {
  const Sizes s{2, 2, 2, 5, 30, 16};
  for (const bool by_channel : {false, true}) {
    LaidOut query(ACL_FLOAT16, "BNSD", s, 2, 5, 16);
    LaidOut key(ACL_FLOAT16, "BNSD", s, 2, 30, 16);
    LaidOut value(ACL_FLOAT16, "BNSD", s, 2, 30, 16);
    LaidOut out(ACL_INT8, "BNSD", s, 2, 5, 16);
    OpTensor scale(ACL_FLOAT, by_channel ? Shape{2, 1, 16} : Shape{1});
    OpTensor offset(ACL_FLOAT, scale.shape());
    fill_small(query.tensor(), 1);
    fill_small(key.tensor(), 2);
    fill_small(value.tensor(), 3);
    fill_scales(scale, 4, 50);
    fill_integers(offset, 5, 20);
    FusedCall call{query.get(), {key.get()}, {value.get()}};
    call.heads = call.key_heads = 2;
    call.out = out.get();
    call.out_scale = &scale;
    call.out_offset = &offset;
    FusedHandles handles(call);
    const auto expect_integers = [&](const std::vector<std::byte>& bytes) {
      Meaning meaning{s, 0, query, key, value};
      for (std::int64_t i = 0; i < out.get()->count(); ++i) {
        const Shape at = coordinates_of(i, out.get()->shape());
        const Attended row = meaning.of(at[0], at[1], at[2]);
        const std::int64_t channel = by_channel ? at[1] * 16 + at[3] : 0;
        const Real exact =
            row.columns[static_cast<std::size_t>(at[3])] * scale.before(channel).real() + offset.before(channel).real();
        // The float that is rounded is a few units beside the exact one.
        const Real got = out.get()->in(bytes, i).real();
        ASSERT_LE(std::fabs(got - std::clamp<Real>(exact, -128, 127)), 0.501) << i;
      }
    };
    expect_integers(run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                        aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get()));
    char layout[] = "BNSD";
    expect_integers(run(
        [&](auto* size, auto** executor) {
          return aclnnPromptFlashAttentionV3GetWorkspaceSize(
              query.get()->get(), key.get()->get(), value.get()->get(), nullptr, nullptr, nullptr, nullptr, nullptr,
              nullptr, nullptr, scale.get(), offset.get(), 2, 0.25, 2147483647, 2147483647, layout, 2, 0, 1,
              out.get()->get(), size, executor);
        },
        aclnnPromptFlashAttentionV3, handles.inputs(), *out.get()));
  }
}

}  // namespace
}  // namespace aclvk::test
