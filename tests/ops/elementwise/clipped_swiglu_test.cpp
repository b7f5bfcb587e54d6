#include "aclnnop/aclnn_clipped_swiglu.h"
#include "support/op_fixture.hpp"

namespace aclvk::test {
namespace {

class ClippedSwiglu : public OpTest {
 protected:
  static constexpr double kAlpha = 1.75;
  static constexpr double kLimit = 3;
  static constexpr double kBias = 1;

  static Real reference(Real gate, Real linear) {
    const Real x = std::min(gate, Real{kLimit});
    const Real y = std::min(std::max(linear, Real{-kLimit}), Real{kLimit});
    return x / (1 + std::exp(-kAlpha * x)) * (y + kBias);
  }
};

TEST_F(ClippedSwiglu, MultipliesTheGateWithTheLinearPart) {
  const OpTensor groups(ACL_INT64, {2});
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool interleaved : {false, true}) {
      OpTensor x(type, {5, 14, 3});
      x.fill_random(81);
      const OpTensor out(type, {5, 7, 3});
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnClippedSwigluGetWorkspaceSize(x.get(), interleaved ? groups.get() : nullptr, -2, kAlpha, kLimit,
                                                      kBias, interleaved, out.get(), n, e);
          },
          aclnnClippedSwiglu, {&x}, out);
      const auto expected = [&](std::int64_t i) {
        const std::int64_t row = i / 21;
        const std::int64_t at = i / 3 % 7;
        const auto element = [&](std::int64_t place) { return x.before((row * 14 + place) * 3 + i % 3).real(); };
        return rounded(
            interleaved ? reference(element(2 * at), element(2 * at + 1)) : reference(element(at), element(at + 7)),
            type);
      };
      expect_elements(out, bytes, expected, false);
    }
  }
}

TEST_F(ClippedSwiglu, RefusesWhatItCannotSplit) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor odd(ACL_FLOAT, {4, 5});
  const OpTensor halves(ACL_FLOAT16, {4, 3});
  const OpTensor out(ACL_FLOAT, {4, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* in, std::int64_t dim, double limit, const aclTensor* result) {
    return aclnnClippedSwigluGetWorkspaceSize(in, nullptr, dim, kAlpha, limit, kBias, false, result, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, -1, kLimit, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), -1, kLimit, nullptr), 161001);
  EXPECT_EQ(plan(x.get(), 2, kLimit, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), 0, kLimit, out.get()), 161002);
  EXPECT_EQ(plan(odd.get(), -1, kLimit, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), -1, kLimit, halves.get()), 161002);
  EXPECT_EQ(plan(x.get(), -1, 0, out.get()), 161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
