#include "aclnnop/aclnn_equal.h"
#include "aclnnop/aclnn_modulate_backward.h"
#include "aclnnop/aclnn_prelu_backward.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Operators with tree reductions: equality of tensors, and gradients of broadcast operands.

namespace aclvk::test {
namespace {

constexpr int kNullptr = 161001;
constexpr int kInvalid = 161002;
constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

class TreeReduction : public PointwiseTest {
 protected:
  static bool equal(const OpTensor& self, const OpTensor& other) {
    const OpTensor out(ACL_BOOL, {1});
    const auto bytes =
        run([&](auto* n, auto** e) { return aclnnEqualGetWorkspaceSize(self.get(), other.get(), out.get(), n, e); },
            aclnnEqual, {&self, &other}, out);
    return out.in(bytes, 0) == Number(1);
  }

  /// Checks one of several results of a gradient.
  static void expect_result(const Plan& plan, Launch launch, const std::vector<const OpTensor*>& inputs,
                            const OpTensor& out, const std::function<Number(std::int64_t)>& expected) {
    const auto bytes = run(plan, launch, inputs, out);
    expect_elements(
        out, bytes, [&](std::int64_t i) { return rounded(expected(i), out.type()); }, false);
  }
};

TEST_F(TreeReduction, ReturnWhetherTensorsAreEqual) {
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_INT64, ACL_UINT8, ACL_BOOL}) {
    for (const std::int64_t size : {1, 2, 3, 89, 4099}) {
      OpTensor self(type, {size});
      OpTensor other(type, {size});
      fill_meeting(self, 7);
      fill_meeting(other, 7);
      EXPECT_TRUE(equal(self, other)) << size << " elements of dtype " << type;
      for (const std::int64_t place : {std::int64_t{0}, size / 2, size - 1}) {
        other.fill([&](std::int64_t i) { return i == place ? Number(self.before(i) == Number(0)) : self.before(i); });
        EXPECT_FALSE(equal(self, other)) << "element " << place << " of " << size << ", dtype " << type;
      }
    }
  }
}

TEST_F(TreeReduction, CompareViewsShapesAndNan) {
  OpTensor self(ACL_FLOAT, {5, 7}, {{1, 5}, 2});
  OpTensor other(ACL_INT32, {5, 7});
  self.fill([](std::int64_t i) { return Real(i); });
  other.fill([](std::int64_t i) { return Real(i); });
  EXPECT_TRUE(equal(self, other)) << "a transposed view of another dtype";
  EXPECT_FALSE(equal(OpTensor(ACL_FLOAT, {5, 7}), OpTensor(ACL_FLOAT, {7, 5}))) << "another shape";
  EXPECT_TRUE(equal(OpTensor(ACL_FLOAT, {0, 3}), OpTensor(ACL_FLOAT, {0, 3}))) << "nothing equals nothing";
  OpTensor nan(ACL_FLOAT, {3});
  nan.fill([](std::int64_t) { return std::numeric_limits<Real>::quiet_NaN(); });
  EXPECT_FALSE(equal(nan, nan));
}

TEST_F(TreeReduction, GradientsOfPrelu) {
  for (const aclDataType type : kFloats) {
    for (const std::int64_t weights : {1, 5}) {
      OpTensor grad(type, {3, 5, 7});
      OpTensor self(type, {3, 5, 7}, {{35, 1, 5}, 0});
      OpTensor weight(type, {weights});
      grad.fill_random(1);
      self.fill_random(2);
      weight.fill_random(3);
      const OpTensor grad_input(type, {3, 5, 7});
      const OpTensor grad_weight(type, {weights});
      const Plan plan = [&](auto* n, auto** e) {
        return aclnnPreluBackwardGetWorkspaceSize(grad.get(), self.get(), weight.get(), grad_input.get(),
                                                  grad_weight.get(), n, e);
      };
      const auto channel = [&](std::int64_t i) { return weights == 1 ? 0 : i / 7 % 5; };
      expect_result(plan, aclnnPreluBackward, {&grad, &self, &weight}, grad_input, [&](std::int64_t i) {
        return self.before(i).real() > 0 ? grad.before(i) : grad.before(i) * weight.before(channel(i));
      });
      expect_result(plan, aclnnPreluBackward, {&grad, &self, &weight}, grad_weight, [&](std::int64_t of) {
        Number sum = 0;
        for (std::int64_t i = 0; i < 3 * 5 * 7; ++i) {
          if (channel(i) == of && self.before(i).real() <= 0) sum += grad.before(i) * self.before(i);
        }
        return sum;
      });
    }
  }
}

TEST_F(TreeReduction, GradientsOfModulate) {
  for (const aclDataType type : kFloats) {
    OpTensor grad(type, {2, 5, 7});
    OpTensor input(type, {2, 5, 7});
    OpTensor scale(type, {2, 7});
    grad.fill_random(4);
    input.fill_random(5);
    scale.fill_random(6);
    const OpTensor grad_input(type, {2, 5, 7});
    const OpTensor grad_scale(type, {2, 7});
    const OpTensor grad_shift(type, {2, 1, 7});
    const Plan plan = [&](auto* n, auto** e) {
      return aclnnModulateBackwardGetWorkspaceSize(grad.get(), input.get(), scale.get(), scale.get(), grad_input.get(),
                                                   grad_scale.get(), grad_shift.get(), n, e);
    };
    const auto sum_of = [&](std::int64_t of, bool with_input) {
      Number sum = 0;
      for (std::int64_t row = 0; row < 5; ++row) {
        const std::int64_t i = of / 7 * 35 + row * 7 + of % 7;
        sum += with_input ? grad.before(i) * input.before(i) : grad.before(i);
      }
      return sum;
    };
    const std::vector<const OpTensor*> inputs = {&grad, &input, &scale};
    expect_result(plan, aclnnModulateBackward, inputs, grad_input,
                  [&](std::int64_t i) { return grad.before(i) * (Number(1) + scale.before(i / 35 * 7 + i % 7)); });
    expect_result(plan, aclnnModulateBackward, inputs, grad_scale, [&](std::int64_t i) { return sum_of(i, true); });
    expect_result(plan, aclnnModulateBackward, inputs, grad_shift, [&](std::int64_t i) { return sum_of(i, false); });
  }
}

TEST_F(TreeReduction, RefuseWhatDoesNotFit) {
  const OpTensor t(ACL_FLOAT, {2, 3});
  const OpTensor flags(ACL_BOOL, {2});
  const OpTensor whole(ACL_INT32, {2, 3});
  const OpTensor weight(ACL_FLOAT, {4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnEqualGetWorkspaceSize(t.get(), nullptr, flags.get(), &size, &executor), kNullptr);
  EXPECT_EQ(aclnnEqualGetWorkspaceSize(t.get(), t.get(), flags.get(), &size, &executor), kInvalid) << "two elements";
  EXPECT_EQ(aclnnEqualGetWorkspaceSize(t.get(), t.get(), t.get(), &size, &executor), kInvalid) << "no bool";
  const auto prelu = [&](const OpTensor& self, const OpTensor& by) {
    return aclnnPreluBackwardGetWorkspaceSize(t.get(), self.get(), by.get(), t.get(), by.get(), &size, &executor);
  };
  EXPECT_EQ(prelu(t, weight), kInvalid) << "four weights for three channels";
  EXPECT_EQ(prelu(whole, weight), kInvalid);
  EXPECT_EQ(aclnnPreluBackwardGetWorkspaceSize(nullptr, t.get(), t.get(), t.get(), t.get(), &size, &executor),
            kNullptr);
  EXPECT_EQ(aclnnModulateBackwardGetWorkspaceSize(t.get(), t.get(), nullptr, nullptr, t.get(), nullptr, nullptr, &size,
                                                  &executor),
            kInvalid)
      << "two dims";
  const OpTensor one_row(ACL_FLOAT, {2, 1, 3});
  const auto modulate = [&](const OpTensor& grad, const OpTensor& grad_input) {
    return aclnnModulateBackwardGetWorkspaceSize(grad.get(), one_row.get(), t.get(), nullptr, grad_input.get(), nullptr,
                                                 nullptr, &size, &executor);
  };
  EXPECT_EQ(modulate(t, one_row), kInvalid) << "only scale and shift may leave out the dim of one row";
  EXPECT_EQ(modulate(one_row, t), kInvalid);
  EXPECT_EQ(modulate(one_row, one_row), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor), 0);
}

}  // namespace
}  // namespace aclvk::test
