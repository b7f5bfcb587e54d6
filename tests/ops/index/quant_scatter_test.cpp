#include "aclnnop/aclnn_quant_scatter.h"
#include "aclnnop/aclnn_quant_scatter_v2.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

class QuantScatter : public OpTest {
 protected:
  static constexpr std::int64_t kWidth = 6;

  QuantScatter() {
    data_.fill_random(3);
    indices_.fill([](std::int64_t i) -> Number {
      return Real(i == 0 ? 2 : i == 1 ? 0 : 6);
    });  // the last one is outside
    scales_.fill([](std::int64_t i) -> Number { return Real(1 + i) / 32; });
    zeros_.fill([](std::int64_t i) -> Number { return Real(i) - 3; });
  }

  /// What the quantised updates are: saturated, and halves to even.
  static Real quantized(Real value, Real scale, Real zero) {
    return std::clamp(std::nearbyint(value / scale + zero), Real{-128}, Real{127});
  }

  OpTensor data_{ACL_INT8, {3, 7, kWidth}};
  OpTensor indices_{ACL_INT32, {3}};
  OpTensor scales_{ACL_FLOAT, {kWidth}};
  OpTensor zeros_{ACL_INT32, {kWidth}};
};

TEST_F(QuantScatter, QuantisesSlicesAndPutsThemThere) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16, ACL_FLOAT}) {
    for (const bool shifted : {false, true}) {
      OpTensor updates(type, {3, 2, kWidth});
      updates.fill([](std::int64_t i) -> Number { return Real(i % 37) / 4 - 4; });
      const auto expected = [&](std::int64_t i) -> Number {
        const Shape at = coordinates_of(i, data_.shape());
        const auto first = static_cast<std::int64_t>(indices_.before(at[0]).real());
        const std::int64_t slice = at[1] - first;
        if (first + 2 > 7 || slice < 0 || slice >= 2) return data_.before(i);
        const Real zero = shifted ? zeros_.before(at[2]).real() : 0;
        return quantized(updates.before((at[0] * 2 + slice) * kWidth + at[2]).real(), scales_.before(at[2]).real(),
                         zero);
      };
      const std::vector<const OpTensor*> inputs = {&indices_, &updates, &scales_, &zeros_};
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnInplaceQuantScatterGetWorkspaceSize(data_.get(), indices_.get(), updates.get(), scales_.get(),
                                                            shifted ? zeros_.get() : nullptr, -2, -1, 1, n, e);
          },
          aclnnInplaceQuantScatter, inputs, data_);
      expect_elements(data_, bytes, expected, true);
      const auto second = run(
          [&](auto* n, auto** e) {
            return aclnnInplaceQuantScatterV2GetWorkspaceSize(data_.get(), indices_.get(), updates.get(), scales_.get(),
                                                              shifted ? zeros_.get() : nullptr, 1, 2, 0, "rint", n, e);
          },
          aclnnInplaceQuantScatterV2, inputs, data_);
      EXPECT_TRUE(second == bytes);
    }
  }
}

TEST_F(QuantScatter, QuantisesToEightBitFloats) {
  OpTensor data(ACL_FLOAT8_E4M3FN, {3, 7, kWidth});
  data.fill_random(3);
  OpTensor updates(ACL_FLOAT16, {3, 2, kWidth});
  updates.fill([](std::int64_t i) -> Number { return Real(i) - 9; });  // the highest one saturates
  const auto expected = [&](std::int64_t i) -> Number {
    const Shape at = coordinates_of(i, data.shape());
    const std::int64_t slice = at[1] - static_cast<std::int64_t>(indices_.before(at[0]).real());
    if (at[0] == 2 || slice < 0 || slice >= 2) return data.before(i);
    const Real value = updates.before((at[0] * 2 + slice) * kWidth + at[2]).real() / scales_.before(at[2]).real();
    return rounded(std::clamp(value, Real{-448}, Real{448}), ACL_FLOAT8_E4M3FN);
  };
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnInplaceQuantScatterV2GetWorkspaceSize(data.get(), indices_.get(), updates.get(), scales_.get(),
                                                          nullptr, -2, -1, 1, "rint", n, e);
      },
      aclnnInplaceQuantScatterV2, {&indices_, &updates, &scales_}, data);
  expect_elements(data, bytes, expected, true);
}

TEST_F(QuantScatter, RefusesOthers) {
  const OpTensor updates(ACL_FLOAT16, {3, 2, kWidth});
  const OpTensor wide(ACL_FLOAT16, {3, 8, kWidth});
  const OpTensor whole(ACL_INT8, {3, 2, kWidth});
  const OpTensor floats(ACL_FLOAT, {3, 7, kWidth});
  const OpTensor few(ACL_FLOAT, {2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](aclTensor* self, const aclTensor* source, const aclTensor* scales, std::int64_t axis,
                        std::int64_t quant_axis, std::int64_t reduction) {
    return aclnnInplaceQuantScatterGetWorkspaceSize(self, indices_.get(), source, scales, nullptr, axis, quant_axis,
                                                    reduction, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, updates.get(), scales_.get(), -2, -1, 1), 161001);
  EXPECT_EQ(plan(data_.get(), nullptr, scales_.get(), -2, -1, 1), 161001);
  EXPECT_EQ(plan(data_.get(), updates.get(), nullptr, -2, -1, 1), 161001);
  EXPECT_EQ(plan(floats.get(), updates.get(), scales_.get(), -2, -1, 1), 161002);
  EXPECT_EQ(plan(data_.get(), whole.get(), scales_.get(), -2, -1, 1), 161002);
  EXPECT_EQ(plan(data_.get(), wide.get(), scales_.get(), -2, -1, 1), 161002);
  EXPECT_EQ(plan(data_.get(), updates.get(), few.get(), -2, -1, 1), 161002);
  EXPECT_EQ(plan(data_.get(), updates.get(), scales_.get(), 0, -1, 1), 161002);
  EXPECT_EQ(plan(data_.get(), updates.get(), scales_.get(), -2, 3, 1), 161002);
  EXPECT_EQ(plan(data_.get(), updates.get(), scales_.get(), -2, -1, 2), 161002);
  EXPECT_EQ(aclnnInplaceQuantScatterV2GetWorkspaceSize(data_.get(), indices_.get(), updates.get(), scales_.get(),
                                                       nullptr, -2, -1, 1, nullptr, &size, &executor),
            161001);
  EXPECT_EQ(aclnnInplaceQuantScatterV2GetWorkspaceSize(data_.get(), indices_.get(), updates.get(), scales_.get(),
                                                       nullptr, -2, -1, 1, "round", &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
