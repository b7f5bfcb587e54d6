// Keys and values that are infinite.
#include "aclnnop/aclnn_prompt_flash_attention.h"
#include "ops/attention/attention_reference.hpp"

namespace aclvk::test {
namespace {

/// An element of the only head of the only sequence.
struct Infinite {
  std::int64_t key;
  std::int64_t column;
  Real number;
};

class InfiniteAttention : public OpTest {
 protected:
  static OpTensor& put(OpTensor& tensor, std::int64_t columns, const std::optional<Infinite>& infinite) {
    if (!infinite) return tensor;
    std::vector<Number> elements;
    for (std::int64_t i = 0; i < tensor.count(); ++i) elements.push_back(tensor.before(i));
    elements[static_cast<std::size_t>(infinite->key * columns + infinite->column)] = infinite->number;
    return tensor.fill([&](std::int64_t i) { return elements[static_cast<std::size_t>(i)]; });
  }

  static void check(const Sizes& s, std::optional<Infinite> of_key, std::optional<Infinite> of_value) {
    SCOPED_TRACE(testing::Message() << s.queries << " queries, " << s.keys << " keys, " << s.columns << " columns");
    OpTensor query(ACL_FLOAT16, {1, 1, s.queries, s.columns});
    OpTensor key(ACL_FLOAT16, {1, 1, s.keys, s.columns});
    OpTensor value(ACL_FLOAT16, {1, 1, s.keys, s.columns});
    query.fill([](std::int64_t i) { return Number(Real(i % 5 + 1) / 4); });  // above 0: scores have the sign of the key
    put(fill_small(key, 2), s.columns, of_key);
    put(fill_small(value, 3), s.columns, of_value);
    const OpTensor out(ACL_FLOAT16, query.shape());
    char layout[] = "BNSD";
    const auto bytes = run(
        [&](auto* size, auto** executor) {
          return aclnnPromptFlashAttentionGetWorkspaceSize(query.get(), key.get(), value.get(), nullptr, nullptr,
                                                           nullptr, 1, 0.25, 2147483647, 2147483647, layout, 1,
                                                           out.get(), size, executor);
        },
        aclnnPromptFlashAttention, {&query, &key, &value}, out);
    const auto expected = [&](std::int64_t i) {
      const std::int64_t row = i / s.columns * s.columns;
      const auto score = [&](std::int64_t at) -> std::optional<Real> {
        Real sum = 0;
        for (std::int64_t d = 0; d < s.columns; ++d) {
          sum += query.before(row + d).real() * key.before(at * s.columns + d).real();
        }
        return sum / 4;
      };
      const auto held = [&](std::int64_t at, std::int64_t d) { return value.before(at * s.columns + d).real(); };
      return Number(attend(s.keys, s.columns, score, held).columns[static_cast<std::size_t>(i - row)]);
    };
    expect_elements(out, bytes, expected, false);
  }
};

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

/// Keys come in vec8s, of which the last may be short: its last value must not count for those that are not there.
TEST_F(InfiniteAttention, AValueMayBeTheLast) {
  for (const std::int64_t queries : {1, 19}) {
    for (const std::int64_t keys : {5, 8, 9, 67}) {
      check({1, 1, 1, queries, keys, 16}, std::nullopt, Infinite{keys - 1, 3, kInfinity});
      check({1, 1, 1, queries, keys, 16}, std::nullopt, Infinite{0, 15, -kInfinity});
    }
  }
}

/// Its score is -infinity, and its weight 0, in whichever eight of columns it is.
TEST_F(InfiniteAttention, AKeyMayBeFarAway) {
  for (const std::int64_t queries : {1, 19}) {
    for (const std::int64_t columns : {8, 24, 64, 80}) {
      check({1, 1, 1, queries, 9, columns}, Infinite{4, columns - 1, -kInfinity}, std::nullopt);
      check({1, 1, 1, queries, 9, columns}, Infinite{8, 0, -kInfinity}, std::nullopt);
    }
  }
}

}  // namespace
}  // namespace aclvk::test
