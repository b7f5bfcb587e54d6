#include "aclnnop/aclnn_elu_backward.h"
#include "aclnnop/aclnn_fast_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward.h"
#include "aclnnop/aclnn_gelu_backward_v2.h"
#include "aclnnop/aclnn_hardshrink_backward.h"
#include "aclnnop/aclnn_hardsigmoid_backward.h"
#include "aclnnop/aclnn_hardswish_backward.h"
#include "aclnnop/aclnn_hardswish_backward_v2.h"
#include "aclnnop/aclnn_hardtanh_backward.h"
#include "aclnnop/aclnn_leaky_relu_backward.h"
#include "aclnnop/aclnn_logsigmoid_backward.h"
#include "aclnnop/aclnn_mish_backward.h"
#include "aclnnop/aclnn_selu_backward.h"
#include "aclnnop/aclnn_sigmoid_backward.h"
#include "aclnnop/aclnn_silu_backward.h"
#include "aclnnop/aclnn_softplus_backward.h"
#include "aclnnop/aclnn_softshrink_backward.h"
#include "aclnnop/aclnn_swish_backward.h"
#include "aclnnop/aclnn_tanh_backward.h"
#include "aclnnop/aclnn_threshold_backward.h"
#include "ops/elementwise/pointwise_fixture.hpp"

// Gradients of activations.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
const Real kNan = std::numeric_limits<Real>::quiet_NaN();

using RealGradient = std::function<Real(Real gradient, Real self)>;
ElementMeaning meaning_of(const RealGradient& gradient) {
  return [gradient](const Elements& e) { return gradient(e[0].real(), e[1].real()); };
}

class Gradients : public PointwiseTest {
 protected:
  static void check_type(const TwoTensorOp& op, const RealGradient& gradient, aclDataType type) {
    OpTensor output(type, {11, 13});
    OpTensor self(type, {11, 13}, {{1, 11}, 3});
    output.fill_random(1);
    self.fill_random(2);
    const OpTensor out(type, {11, 13});
    expect(
        op.name + " of dtype " + std::to_string(type),
        [&](auto* n, auto** e) { return op.plan(output.get(), self.get(), out.get(), n, e); }, op.launch,
        {&output, &self}, out, meaning_of(gradient), false);
  }
  static void check(const TwoTensorOp& op, const RealGradient& gradient) {
    for (const aclDataType type : kFloats) check_type(op, gradient, type);
  }

  /// An operator with attributes, at its edges and beside them.
  static void check_edges(const TwoTensorOp& op, const RealGradient& gradient) {
    for (const aclDataType type : kFloats) {
      OpTensor output(type, {9});
      OpTensor self(type, {9});
      output.fill_random(3);
      fill_from(self, {-3, 3, -0.5L, 0.5L, 0, 1, -1, 4, kNan});
      const OpTensor out(type, {9});
      expect(
          op.name + " at its edges",
          [&](auto* n, auto** e) { return op.plan(output.get(), self.get(), out.get(), n, e); }, op.launch,
          {&output, &self}, out, meaning_of(gradient), false);
    }
  }
};

TEST_F(Gradients, OfActivationsWithoutAttributes) {
  check(TWO_TENSORS(HardsigmoidBackward), [](Real g, Real x) { return x > -3 && x < 3 ? g / 6 : 0; });
  const RealGradient first = [](Real g, Real x) { return x < -3 ? 0 : x <= 3 ? g * (x / 3 + 0.5L) : g; };
  const RealGradient second = [](Real g, Real x) { return x <= -3 ? 0 : x < 3 ? g * (x / 3 + 0.5L) : g; };
  check(TWO_TENSORS(HardswishBackward), first);
  check(TWO_TENSORS(HardswishBackwardV2), second);
  check(TWO_TENSORS(SigmoidBackward), [](Real g, Real y) { return g * (1 - y) * y; });
  check(TWO_TENSORS(TanhBackward), [](Real g, Real y) { return g * (1 - y * y); });
  const Real scale = 1.0507009873554804934193349852946L;
  const Real alpha = 1.6732632423543772848170429916717L;
  check(TWO_TENSORS(SeluBackward), [=](Real g, Real y) { return y > 0 ? g * scale : g * (y + scale * alpha); });
}

TEST_F(Gradients, OfHardswishDifferAtItsEdges) {
  check_edges(TWO_TENSORS(HardswishBackward), [](Real g, Real x) {
    return x < -3 ? 0 : x <= 3 ? g * (x / 3 + 0.5L) : g;
  });
  check_edges(TWO_TENSORS(HardswishBackwardV2), [](Real g, Real x) {
    return x <= -3 ? 0 : x < 3 ? g * (x / 3 + 0.5L) : g;
  });
}

TEST_F(Gradients, InDouble) {
  check_type(
      TWO_TENSORS(SigmoidBackward), [](Real g, Real y) { return g * (1 - y) * y; }, ACL_DOUBLE);
  check_type(
      TWO_TENSORS(TanhBackward), [](Real g, Real y) { return g * (1 - y * y); }, ACL_DOUBLE);
}

TEST_F(Gradients, OfComplexNumbers) {
  for (const aclDataType type : {ACL_COMPLEX64, ACL_COMPLEX128}) {
    OpTensor output(type, {37});
    OpTensor result(type, {37});
    output.fill_random(4);
    result.fill_random(5);
    const OpTensor out(type, {37});
    const TwoTensorOp op = TWO_TENSORS(SigmoidBackward);
    expect(
        op.name, [&](auto* n, auto** e) { return op.plan(output.get(), result.get(), out.get(), n, e); }, op.launch,
        {&output, &result}, out, [](const Elements& e) { return e[0] * std::conj((Number(1) - e[1]) * e[1]); }, false);
  }
}

TEST_F(Gradients, OfActivationsWithAttributes) {
  const OpScalar half(ACL_FLOAT, 0.5L);
  const OpScalar low(ACL_FLOAT, -1);
  const auto* a = half.get();
  const auto* b = low.get();
  const auto with = [&](const std::string& name, auto plan, Launch launch) { return TwoTensorOp{name, plan, launch}; };
  const RealGradient shrink = [](Real g, Real x) { return x >= -0.5L && x <= 0.5L ? 0 : g; };
  const std::pair<TwoTensorOp, RealGradient> ops[] = {
      {with(
           "HardshrinkBackward",
           [&](auto* g, auto* x, auto* z, auto* n, auto** e) {
             return aclnnHardshrinkBackwardGetWorkspaceSize(g, x, a, z, n, e);
           },
           aclnnHardshrinkBackward),
       shrink},
      {with(
           "SoftshrinkBackward",
           [&](auto* g, auto* x, auto* z, auto* n, auto** e) {
             return aclnnSoftshrinkBackwardGetWorkspaceSize(g, x, a, z, n, e);
           },
           aclnnSoftshrinkBackward),
       shrink},
      {with(
           "HardtanhBackward",
           [&](auto* g, auto* x, auto* z, auto* n, auto** e) {
             return aclnnHardtanhBackwardGetWorkspaceSize(g, x, b, a, z, n, e);
           },
           aclnnHardtanhBackward),
       [](Real g, Real x) { return x <= -1 || x >= 0.5L ? 0 : g; }},
      {with(
           "LeakyReluBackward",
           [&](auto* g, auto* x, auto* z, auto* n, auto** e) {
             return aclnnLeakyReluBackwardGetWorkspaceSize(g, x, a, true, z, n, e);
           },
           aclnnLeakyReluBackward),
       [](Real g, Real x) { return x > 0 ? g : g * 0.5L; }},
      {with(
           "ThresholdBackward",
           [&](auto* g, auto* x, auto* z, auto* n, auto** e) {
             return aclnnThresholdBackwardGetWorkspaceSize(g, x, a, z, n, e);
           },
           aclnnThresholdBackward),
       [](Real g, Real x) { return x <= 0.5L ? 0 : g; }}};
  for (const auto& [op, gradient] : ops) {
    check(op, gradient);
    check_edges(op, gradient);
  }
}

TEST_F(Gradients, OfIntegers) {
  for (const aclDataType type : {ACL_INT32, ACL_INT64, ACL_INT8, ACL_UINT8}) {
    OpTensor output(type, {37});
    OpTensor self(type, {37});
    output.fill_random(6);
    fill_meeting(self, 9);
    const OpScalar threshold(type, 2);
    const OpTensor out(type, {37});
    expect(
        "ThresholdBackward",
        [&](auto* n, auto** e) {
          return aclnnThresholdBackwardGetWorkspaceSize(output.get(), self.get(), threshold.get(), out.get(), n, e);
        },
        aclnnThresholdBackward, {&output, &self}, out, meaning_of([](Real g, Real x) { return x <= 2 ? 0 : g; }), true);
  }
  OpTensor output(ACL_INT32, {37});
  OpTensor result(ACL_INT32, {37});
  output.fill_random(7);
  fill_meeting(result, 9);
  const OpTensor out(ACL_INT32, {37});
  const TwoTensorOp op = TWO_TENSORS(SeluBackward);
  expect(
      op.name, [&](auto* n, auto** e) { return op.plan(output.get(), result.get(), out.get(), n, e); }, op.launch,
      {&output, &result}, out, meaning_of([](Real g, Real y) {
        return std::trunc(y > 0 ? g * 1.0507009873554805L : g * (y + 1.7580993408473766L));
      }),
      true);
}

Real sigmoid_of(Real x) { return 1 / (1 + std::exp(-x)); }
Real swish_gradient(Real g, Real x, Real scale) {
  const Real s = sigmoid_of(scale * x);
  return g * (s + scale * x * s * (1 - s));
}
Real gelu_gradient(Real g, Real x) {
  const Real density = std::exp(-x * x / 2) / std::sqrt(2 * std::acos(Real{-1}));
  return g * (std::erfc(-x / std::sqrt(Real{2})) / 2 + x * density);
}
Real gelu_tanh_gradient(Real g, Real x) {
  const Real scale = std::sqrt(2 / std::acos(Real{-1}));
  const Real t = std::tanh(scale * (x + 0.044715L * x * x * x));
  return g * ((1 + t) / 2 + x / 2 * (1 - t * t) * scale * (1 + 3 * 0.044715L * x * x));
}
Real mish_gradient(Real g, Real x) {
  const Real t = std::tanh(std::log1p(std::exp(x)));
  return g * (t + x * sigmoid_of(x) * (1 - t * t));
}

TEST_F(Gradients, OfActivationsWithExponentials) {
  check(TWO_TENSORS(SiluBackward), [](Real g, Real x) { return swish_gradient(g, x, 1); });
  check(TWO_TENSORS(FastGeluBackward), [](Real g, Real x) { return swish_gradient(g, x, 1.702L); });
  check(TWO_TENSORS(MishBackward), mish_gradient);
  check(TWO_TENSORS(GeluBackward), gelu_gradient);
}

TEST_F(Gradients, PromoteTheirOperands) {
  OpTensor gradient(ACL_FLOAT16, {37});
  OpTensor self(ACL_BF16, {37});
  gradient.fill_random(4);
  self.fill_random(5);
  const OpTensor out(ACL_FLOAT, {37});
  const TwoTensorOp op = TWO_TENSORS(GeluBackward);
  expect(
      op.name, [&](auto* n, auto** e) { return op.plan(gradient.get(), self.get(), out.get(), n, e); }, op.launch,
      {&gradient, &self}, out, [](const Elements& e) { return Number(gelu_gradient(e[0].real(), e[1].real())); },
      false);
}

TEST_F(Gradients, OfActivationsWithExponentialsAndAttributes) {
  const OpScalar half(ACL_FLOAT, 0.5L);
  const OpScalar two(ACL_FLOAT, 2);
  const OpScalar three(ACL_FLOAT, 3);
  const auto* a = half.get();
  const auto* b = two.get();
  const auto* c = three.get();
  char none[] = "none";
  char tanh[] = "tanh";
  const auto swish = [&](const aclScalar* beta) {
    return TwoTensorOp{"SwishBackward",
                       [=](auto* g, auto* x, auto* z, auto* n, auto** e) {
                         return aclnnSwishBackwardGetWorkspaceSize(g, x, beta, z, n, e);
                       },
                       aclnnSwishBackward};
  };
  check(swish(b), [](Real g, Real x) { return swish_gradient(g, x, 2); });
  check(swish(nullptr), [](Real g, Real x) { return swish_gradient(g, x, 1); });
  const auto gelu = [&](char* approximate) {
    return TwoTensorOp{"GeluBackwardV2",
                       [=](auto* g, auto* x, auto* z, auto* n, auto** e) {
                         return aclnnGeluBackwardV2GetWorkspaceSize(g, x, approximate, z, n, e);
                       },
                       aclnnGeluBackwardV2};
  };
  check(gelu(none), gelu_gradient);
  check(gelu(tanh), gelu_tanh_gradient);
  const auto elu = [&](bool from_result) {
    return TwoTensorOp{"EluBackward",
                       [=](auto* g, auto* x, auto* z, auto* n, auto** e) {
                         return aclnnEluBackwardGetWorkspaceSize(g, a, b, c, from_result, x, z, n, e);
                       },
                       aclnnEluBackward};
  };
  check(elu(false), [](Real g, Real x) { return x > 0 ? g * 2 : g * 3 * std::exp(x * 3); });
  check(elu(true), [](Real g, Real y) { return y > 0 ? g * 2 : g * 3 * (y + 1); });
  check({"LogSigmoidBackward",
         [](auto* g, auto* x, auto* z, auto* n, auto** e) {
           return aclnnLogSigmoidBackwardGetWorkspaceSize(g, x, x, z, n, e);
         },
         aclnnLogSigmoidBackward},
        [](Real g, Real x) { return g * sigmoid_of(-x); });
  const TwoTensorOp softplus = {"SoftplusBackward",
                                [=](auto* g, auto* x, auto* z, auto* n, auto** e) {
                                  return aclnnSoftplusBackwardGetWorkspaceSize(g, x, b, c, z, n, e);
                                },
                                aclnnSoftplusBackward};
  const RealGradient softplus_gradient = [](Real g, Real x) { return 2 * x > 3 ? g : g * sigmoid_of(2 * x); };
  check(softplus, softplus_gradient);
  check_type(softplus, softplus_gradient, ACL_DOUBLE);
}

TEST_F(Gradients, RefuseWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const OpTensor t(ACL_FLOAT, {3});
  const OpTensor wrong(ACL_FLOAT, {4});
  const OpTensor whole(ACL_INT32, {3});
  const OpScalar negative(ACL_FLOAT, -0.5L);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnTanhBackwardGetWorkspaceSize(nullptr, t.get(), t.get(), &size, &executor), 161001);
  EXPECT_EQ(aclnnTanhBackwardGetWorkspaceSize(t.get(), wrong.get(), t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnTanhBackwardGetWorkspaceSize(whole.get(), whole.get(), whole.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnTanhBackwardGetWorkspaceSize(t.get(), t.get(), wrong.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnHardtanhBackwardGetWorkspaceSize(t.get(), t.get(), nullptr, negative.get(), t.get(), &size, &executor),
            161001);
  const auto leaky = [&](bool from_result) {
    return aclnnLeakyReluBackwardGetWorkspaceSize(t.get(), t.get(), negative.get(), from_result, t.get(), &size,
                                                  &executor);
  };
  EXPECT_EQ(leaky(true), kInvalid);
  EXPECT_EQ(leaky(false), 0);
  const auto elu = [&](bool from_result) {
    const auto* a = negative.get();
    return aclnnEluBackwardGetWorkspaceSize(t.get(), a, a, a, from_result, t.get(), t.get(), &size, &executor);
  };
  EXPECT_EQ(elu(true), kInvalid);
  EXPECT_EQ(elu(false), 0);
  char sigmoid[] = "sigmoid";
  EXPECT_EQ(aclnnGeluBackwardV2GetWorkspaceSize(t.get(), t.get(), sigmoid, t.get(), &size, &executor), kInvalid);
  EXPECT_EQ(aclnnGeluBackwardV2GetWorkspaceSize(t.get(), t.get(), nullptr, t.get(), &size, &executor), 161001);
}

}  // namespace
}  // namespace aclvk::test
