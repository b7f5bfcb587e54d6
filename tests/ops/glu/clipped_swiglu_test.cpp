#include "aclnnop/aclnn_clipped_swiglu.h"
#include "aclnnop/aclnn_clipped_swiglu_grad.h"
#include "aclnnop/aclnn_clipped_swiglu_v2.h"
#include "ops/glu/glu_reference.hpp"

namespace aclvk::test {
namespace {

class ClippedSwiglu : public OpTest {
 protected:
  static constexpr double kAlpha = 1.75;
  static constexpr double kLimit = 3;
  static constexpr double kBias = 1;
  static constexpr std::int64_t kRows = 5;

  static UnitMeaning meaning() { return clipped_meaning(kAlpha, kLimit, kBias); }
  static Halves halves(bool interleaved) { return {{kRows, 14, 3}, 1, interleaved}; }
  /// Groups with as many rows together.
  static void fill_groups(OpTensor& groups, std::int64_t rows) {
    groups.fill([&](std::int64_t i) -> Number { return Real(rows == 0 || i == 2 ? 0 : i == 0 ? 1 : rows - 1); });
  }
};

TEST_F(ClippedSwiglu, MultipliesTheGateWithTheLinearPart) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool interleaved : {false, true}) {
      const Halves parts = halves(interleaved);
      OpTensor x(type, parts.shape);
      x.fill_random(81);
      const OpTensor out(type, parts.part());
      const auto expected = [&](std::int64_t i) {
        return rounded(meaning()(x.before(parts.place(i, false)).real(), x.before(parts.place(i, true)).real()), type);
      };
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnClippedSwigluGetWorkspaceSize(x.get(), nullptr, -2, kAlpha, kLimit, kBias, interleaved,
                                                      out.get(), n, e);
          },
          aclnnClippedSwiglu, {&x}, out);
      expect_elements(out, bytes, expected, false);
      const auto second = run(
          [&](auto* n, auto** e) {
            return aclnnClippedSwigluV2GetWorkspaceSize(x.get(), nullptr, -2, kAlpha, kLimit, kBias, interleaved, 0,
                                                        out.get(), n, e);
          },
          aclnnClippedSwigluV2, {&x}, out);
      EXPECT_TRUE(second == bytes);
    }
  }
}

TEST_F(ClippedSwiglu, LeavesRowsAfterTheGroupsAsTheyAre) {
  for (const std::int64_t rows : {0, 1, 3, 5, 9}) {
    for (const bool interleaved : {false, true}) {
      SCOPED_TRACE(std::to_string(rows) + " rows count");
      const Halves parts = halves(interleaved);
      OpTensor x(ACL_FLOAT16, parts.shape);
      x.fill_random(81);
      OpTensor groups(ACL_INT64, {3});
      fill_groups(groups, rows);
      const OpTensor out(ACL_FLOAT16, parts.part());
      const auto expected = [&](std::int64_t i) -> Number {
        if (parts.row(i) >= rows) return out.before(i);
        return rounded(meaning()(x.before(parts.place(i, false)).real(), x.before(parts.place(i, true)).real()),
                       ACL_FLOAT16);
      };
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnClippedSwigluGetWorkspaceSize(x.get(), groups.get(), 1, kAlpha, kLimit, kBias, interleaved,
                                                      out.get(), n, e);
          },
          aclnnClippedSwiglu, {&x, &groups}, out);
      expect_elements(out, bytes, expected, false);
    }
  }
}

TEST_F(ClippedSwiglu, TheSecondModeBoundsTheActivation) {
  const auto bounded = [](Real gate, Real linear) {
    return std::min(gate * sigmoid(kAlpha * gate), Real(kLimit)) *
           (std::clamp(linear, -Real(kLimit), Real(kLimit)) + kBias);
  };
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool grouped : {false, true}) {
      const Halves parts = halves(grouped);
      OpTensor x(type, parts.shape);
      x.fill_random(81);
      OpTensor groups(ACL_INT64, {3});
      fill_groups(groups, 3);
      const OpTensor out(type, parts.part());
      const auto expected = [&](std::int64_t i) -> Number {
        if (grouped && parts.row(i) >= 3) return out.before(i);
        return rounded(bounded(x.before(parts.place(i, false)).real(), x.before(parts.place(i, true)).real()), type);
      };
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnClippedSwigluV2GetWorkspaceSize(x.get(), grouped ? groups.get() : nullptr, 1, kAlpha, kLimit,
                                                        kBias, grouped, 1, out.get(), n, e);
          },
          aclnnClippedSwigluV2, {&x, &groups}, out);
      expect_elements(out, bytes, expected, false);
    }
  }
}

TEST_F(ClippedSwiglu, GradientIsZeroWhereAPartIsClipped) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16}) {
    for (const bool interleaved : {false, true}) {
      for (const std::int64_t rows : {-1, 2}) {
        const Halves parts = halves(interleaved);
        OpTensor x(type, parts.shape);
        x.fill_random(81);
        OpTensor gradient(type, parts.part());
        gradient.fill_random(4);
        OpTensor groups(ACL_INT64, {3});
        fill_groups(groups, rows);
        const OpTensor out(type, parts.shape);
        const auto expected = [&](std::int64_t i) -> Number {
          const auto [element, second] = parts.part_of(i);
          if (rows >= 0 && parts.row(element) >= rows) return out.before(i);
          const Real a = x.before(parts.place(element, false)).real();
          const Real b = x.before(parts.place(element, true)).real();
          const Real slope = second ? second_slope(meaning(), a, b) : first_slope(meaning(), a, b);
          return rounded(gradient.before(element).real() * slope, type);
        };
        const auto bytes = run(
            [&](auto* n, auto** e) {
              return aclnnClippedSwigluGradGetWorkspaceSize(gradient.get(), x.get(), rows < 0 ? nullptr : groups.get(),
                                                            1, kAlpha, kLimit, kBias, interleaved, out.get(), n, e);
            },
            aclnnClippedSwigluGrad, {&x, &gradient, &groups}, out);
        expect_elements(out, bytes, expected, false);
      }
    }
  }
}

TEST_F(ClippedSwiglu, RefusesAResultThatOverlapsTheOperandPartly) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor groups(ACL_INT64, {2});
  const Shape shape = {4, 3};
  const Shape storage = {24};
  aclTensor* out = aclCreateTensor(shape.data(), shape.size(), ACL_FLOAT, nullptr, 5, ACL_FORMAT_ND, storage.data(),
                                   storage.size(), x.memory());
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  for (const bool interleaved : {false, true}) {
    for (const aclTensor* numbers :
         {static_cast<const aclTensor*>(nullptr), static_cast<const aclTensor*>(groups.get())}) {
      EXPECT_EQ(aclnnClippedSwigluGetWorkspaceSize(x.get(), numbers, -1, kAlpha, kLimit, kBias, interleaved, out, &size,
                                                   &executor),
                161002);
    }
  }
  EXPECT_EQ(executor, nullptr);
  aclDestroyTensor(out);
}

TEST_F(ClippedSwiglu, RefusesWhatItCannotSplit) {
  const OpTensor x(ACL_FLOAT, {4, 6});
  const OpTensor odd(ACL_FLOAT, {4, 5});
  const OpTensor halves(ACL_FLOAT16, {4, 3});
  const OpTensor out(ACL_FLOAT, {4, 3});
  const OpTensor numbers(ACL_INT32, {2});
  const OpTensor matrix(ACL_INT64, {2, 2});
  const OpTensor whole(ACL_INT64, {4, 6});
  const OpTensor whole_half(ACL_INT64, {4, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* in, std::int64_t dim, double limit, const aclTensor* result,
                        const aclTensor* groups = nullptr) {
    return aclnnClippedSwigluGetWorkspaceSize(in, groups, dim, kAlpha, limit, kBias, false, result, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, -1, kLimit, out.get()), 161001);
  EXPECT_EQ(plan(x.get(), -1, kLimit, nullptr), 161001);
  EXPECT_EQ(plan(x.get(), 2, kLimit, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), 0, kLimit, out.get()), 161002);
  EXPECT_EQ(plan(odd.get(), -1, kLimit, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), -1, kLimit, halves.get()), 161002);
  EXPECT_EQ(plan(whole.get(), -1, kLimit, whole_half.get()), 161002);
  EXPECT_EQ(plan(x.get(), -1, 0, out.get()), 161002);
  EXPECT_EQ(plan(x.get(), -1, kLimit, out.get(), numbers.get()), 161002);
  EXPECT_EQ(plan(x.get(), -1, kLimit, out.get(), matrix.get()), 161002);
  EXPECT_EQ(aclnnClippedSwigluV2GetWorkspaceSize(x.get(), nullptr, -1, kAlpha, kLimit, kBias, false, 2, out.get(),
                                                 &size, &executor),
            161002);
  EXPECT_EQ(aclnnClippedSwigluGradGetWorkspaceSize(x.get(), x.get(), nullptr, -1, kAlpha, kLimit, kBias, false, x.get(),
                                                   &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
