#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ops/attention/fused_call.hpp"

namespace aclvk::test {

/// Attention whose keys, queries or results are integers with scales.
class QuantisedAttention : public OpTest {
 protected:
  static OpTensor& fill_integers(OpTensor& tensor, unsigned seed, int most = 127) {
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> uniform(-most, most);
    return tensor.fill([&](std::int64_t) -> Number { return Real(uniform(random)); });
  }
  static OpTensor& fill_scales(OpTensor& tensor, unsigned seed, double around = 0.01) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(around / 2, around * 2);
    return tensor.fill([&](std::int64_t) -> Number { return uniform(random); });
  }

  static void expect(const Meaning& meaning, const LaidOut& out, const std::vector<std::byte>& bytes) {
    const Sizes& s = meaning.sizes;
    for (std::int64_t b = 0; b < s.sequences; ++b) {
      for (std::int64_t n = 0; n < s.heads; ++n) {
        for (std::int64_t q = 0; q < s.queries; ++q) {
          const Attended want = meaning.of(b, n, q);
          for (std::size_t d = 0; d < want.columns.size(); ++d) {
            const Number got = out.get()->in(bytes, out.at(b, n, q, static_cast<std::int64_t>(d)));
            ASSERT_TRUE(is_close(got, want.columns[d], out.get()->type()))
                << "sequence " << b << ", head " << n << ", query " << q << ", column " << d << ": " << text_of(got)
                << "; expected " << text_of(want.columns[d]);
          }
        }
      }
    }
  }

  /// How the numbers of keys and values share scales: the shape of the parameters, and the element for a number.
  struct Share {
    std::int64_t mode;
    Shape shape;
    std::function<std::int64_t(std::int64_t, std::int64_t, std::int64_t, std::int64_t)> element;
  };

  struct Case {
    std::string layout = "BNSD";
    Sizes sizes{2, 4, 2, 3, 37, 16};
    aclDataType type = ACL_FLOAT16;
    bool has_offsets = true;
  };

  static void check_shared(const Case& c, const Share& share) {
    SCOPED_TRACE(testing::Message() << c.layout << ", mode " << share.mode << ", " << share.shape.size() << " dims");
    const Sizes& s = c.sizes;
    LaidOut query(c.type, c.layout, s, s.heads, s.queries, s.columns);
    LaidOut key(ACL_INT8, c.layout, s, s.key_heads, s.keys, s.columns);
    LaidOut value(ACL_INT8, c.layout, s, s.key_heads, s.keys, s.columns);
    LaidOut out(c.type, c.layout, s, s.heads, s.queries, s.columns);
    fill_small(query.tensor(), 1);
    fill_integers(key.tensor(), 2);
    fill_integers(value.tensor(), 3);
    OpTensor key_scale(c.type, share.shape);
    OpTensor value_scale(c.type, share.shape);
    OpTensor key_offset(c.type, share.shape);
    OpTensor value_offset(c.type, share.shape);
    fill_scales(key_scale, 4);
    fill_scales(value_scale, 5);
    fill_integers(key_offset, 6, 20);
    fill_integers(value_offset, 7, 20);
    FusedCall call{query.get(), {key.get()}, {value.get()}};
    call.heads = s.heads;
    call.key_heads = s.key_heads;
    call.layout = c.layout;
    call.out = out.get();
    call.key_scale = &key_scale;
    call.value_scale = &value_scale;
    call.key_mode = call.value_mode = share.mode;
    if (c.has_offsets) call.key_offset = &key_offset;
    if (c.has_offsets) call.value_offset = &value_offset;
    if (c.layout == "TND") {
      for (std::int64_t b = 1; b <= s.sequences; ++b) call.query_lengths.push_back(b * s.queries);
      for (std::int64_t b = 1; b <= s.sequences; ++b) call.key_lengths.push_back(b * s.keys);
    }
    FusedHandles handles(call);
    const auto bytes = run([&](auto* size, auto** executor) { return handles.plan(size, executor); },
                           aclnnFusedInferAttentionScoreV4, handles.inputs(), *out.get());
    Meaning meaning{s};
    meaning.query = query;
    const auto number = [&](const LaidOut& numbers, const OpTensor& scale, const OpTensor& offset) {
      return [&](std::int64_t b, std::int64_t n, std::int64_t k, std::int64_t d) {
        const std::int64_t at = share.element(b, n, k, d);
        return (numbers(b, n, k, d) + (c.has_offsets ? offset.before(at).real() : 0)) * scale.before(at).real();
      };
    };
    meaning.key = number(key, key_scale, key_offset);
    meaning.value = number(value, value_scale, value_offset);
    expect(meaning, out, bytes);
  }
};

}  // namespace aclvk::test
