#include <memory>
#include <numeric>

#include "aclnnop/aclnn_logit.h"
#include "aclnnop/aclnn_logit_grad.h"
#include "ops/elementwise/pointwise_fixture.hpp"
#include "ops/loss/loss_reference.hpp"

// Losses of elements and their gradients: the lines of loss_reference.hpp, for every dtype, view and reduction.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr std::int64_t kNone = 0;
constexpr std::int64_t kMean = 1;
constexpr std::int64_t kSum = 2;
constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

using Owned = std::vector<std::unique_ptr<OpTensor>>;

class Losses : public OpTest {
 protected:
  static std::vector<const OpTensor*> pointers(const Owned& tensors) {
    std::vector<const OpTensor*> all;
    for (const auto& tensor : tensors) all.push_back(tensor.get());
    return all;
  }

  static Handles handles(const std::vector<const OpTensor*>& tensors) {
    Handles all;
    for (const OpTensor* tensor : tensors) all.push_back(tensor ? tensor->get() : nullptr);
    return all;
  }

  /// Between -2 and 2, or between 0 and 1, never at an end.
  static void fill(OpTensor& tensor, bool probability, unsigned seed) {
    tensor.fill([=](std::int64_t i) -> Number {
      const auto step = static_cast<Real>((static_cast<std::uint64_t>(i) * 37 + seed * 11) % 61 + 1) / 62;
      return probability ? step : 4 * step - 2;
    });
  }

  /// Inputs of these shapes, as many as there are.
  static Owned made(const LossOp& op, aclDataType type, const std::vector<Shape>& shapes, const View& view = {}) {
    Owned inputs;
    for (std::size_t i = 0; i < op.inputs; ++i) {
      inputs.push_back(std::make_unique<OpTensor>(type, shapes[std::min(i, shapes.size() - 1)], view));
      fill(*inputs.back(), op.probabilities, static_cast<unsigned>(i));
    }
    return inputs;
  }

  /// What the elements of a place mean; a null input is 1.
  static Real element(const LossOp& op, const std::vector<const OpTensor*>& inputs, const Shape& shape,
                      std::int64_t i) {
    Reals x;
    for (const OpTensor* input : inputs) {
      x.push_back(input ? input->before(source_of(i, shape, input->shape())).real() : 1);
    }
    return op.meaning(x);
  }

  static std::vector<std::byte> run_op(const LossOp& op, const std::vector<const OpTensor*>& inputs,
                                       std::int64_t reduction, const OpTensor& out) {
    std::vector<const OpTensor*> given;
    for (const OpTensor* input : inputs) {
      if (input) given.push_back(input);
    }
    return run([&](auto* n, auto** e) { return op.plan(handles(inputs), reduction, out.get(), n, e); }, op.launch,
               given, out);
  }

  /// A loss with all reductions, and the sum of its elements.
  static void check_loss(const LossOp& op, const std::vector<const OpTensor*>& inputs, const Shape& shape,
                         aclDataType type) {
    SCOPED_TRACE(op.name + " of dtype " + std::to_string(type));
    const OpTensor each(type, shape);
    expect_elements(
        each, run_op(op, inputs, kNone, each),
        [&](std::int64_t i) { return rounded(element(op, inputs, shape, i), type); }, false);
    Real sum = 0;
    for (std::int64_t i = 0; i < count_of(shape); ++i) sum += element(op, inputs, shape, i);
    const Real count = static_cast<Real>(count_of(shape));
    const OpTensor mean(type, {});
    expect_elements(
        mean, run_op(op, inputs, kMean, mean), [&](std::int64_t) { return rounded(sum / count, type); }, false);
    const OpTensor all(type, {1});
    expect_elements(
        all, run_op(op, inputs, kSum, all), [&](std::int64_t) { return rounded(sum, type); }, false);
  }

  static void check_gradient(const LossOp& op, const std::vector<const OpTensor*>& inputs, const Shape& shape,
                             std::int64_t reduction, aclDataType type) {
    SCOPED_TRACE(op.name + " of dtype " + std::to_string(type) + ", reduction " + std::to_string(reduction));
    const OpTensor out(type, shape);
    const Real share = reduction == kMean ? 1 / static_cast<Real>(count_of(shape)) : 1;
    expect_elements(
        out, run_op(op, inputs, reduction, out),
        [&](std::int64_t i) { return rounded(share * element(op, inputs, shape, i), type); }, false);
  }
};

TEST_F(Losses, AreSumsOfTheirElements) {
  for (const LossOp& op : loss_ops()) {
    for (const aclDataType type : kFloats) {
      const Owned inputs = made(op, type, {{11, 13}});
      check_loss(op, pointers(inputs), {11, 13}, type);
    }
  }
}

/// An out of all dims but the first.
TEST_F(Losses, OfSquaresMayBeReducedAlongTheFirstDim) {
  constexpr std::int64_t kRows = 7, kColumns = 33;
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {kRows, 3, 11});
    OpTensor target(type, {kRows, 3, 11});
    self.fill_random(4);
    target.fill_random(5);
    for (const std::int64_t reduction : {kMean, kSum}) {
      const OpTensor out(type, {3, 11});
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnMseLossOutGetWorkspaceSize(self.get(), target.get(), reduction, out.get(), n, e);
          },
          aclnnMseLossOut, {&self, &target}, out);
      const auto expected = [&](std::int64_t i) -> Number {
        Real sum = 0;
        for (std::int64_t row = 0; row < kRows; ++row) {
          const Real distance = (self.before(row * kColumns + i) - target.before(row * kColumns + i)).real();
          sum += distance * distance;
        }
        return reduction == kMean ? sum / kRows : sum;
      };
      expect_elements(out, bytes, expected, false);
    }
  }
  const OpTensor self(ACL_FLOAT, {kRows, 3, 11});
  const OpTensor last(ACL_FLOAT, {kRows, 3});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(aclnnMseLossOutGetWorkspaceSize(self.get(), self.get(), kMean, last.get(), &size, &executor), 161002);
  const OpTensor others(ACL_FLOAT, {3, 11});
  EXPECT_EQ(aclnnMseLossGetWorkspaceSize(self.get(), self.get(), kMean, others.get(), &size, &executor), 161002);
}

TEST_F(Losses, OfManyElementsKeepTheirDigits) {
  for (const LossOp& op : loss_ops()) {
    const Owned inputs = made(op, ACL_FLOAT16, {{20011}});
    const Shape shape{20011};
    Real sum = 0;
    for (std::int64_t i = 0; i < count_of(shape); ++i) sum += element(op, pointers(inputs), shape, i);
    const OpTensor mean(ACL_FLOAT16, {});
    expect_elements(
        mean, run_op(op, pointers(inputs), kMean, mean),
        [&](std::int64_t) { return rounded(sum / 20011, ACL_FLOAT16); }, false);
    const OpTensor all(ACL_FLOAT, {});
    const auto bytes = run_op(op, pointers(inputs), kSum, all);
    EXPECT_NEAR(static_cast<double>(all.in(bytes, 0).real() / sum), 1, 1e-6) << op.name;
  }
}

TEST_F(Losses, OfAnyView) {
  for (const LossOp& op : loss_ops()) {
    for (const aclDataType type : kFloats) {
      const Owned strided = made(op, type, {{5, 7}}, {{2, 11}, 3});
      check_loss(op, pointers(strided), {5, 7}, type);
      const Owned repeated = made(op, type, {{5, 7}}, {{0, 1}, 1});
      check_loss(op, pointers(repeated), {5, 7}, type);
      const Owned scalars = made(op, type, {{}});
      check_loss(op, pointers(scalars), {}, type);
    }
  }
}

TEST_F(Losses, Broadcast) {
  for (const LossOp& op : loss_ops()) {
    // Weights broadcast in all of them, the target where it need not be as self.
    const bool fixed = op.name.find("CrossEntropy") != std::string::npos;
    const Owned inputs = made(op, ACL_FLOAT, {fixed ? Shape{3, 5} : Shape{3, 1}, {3, 5}, {5}, {3, 1}});
    check_loss(op, pointers(inputs), {3, 5}, ACL_FLOAT);
  }
}

TEST_F(Losses, MixDtypes) {
  for (const LossOp& op : loss_ops()) {
    Owned inputs = made(op, ACL_FLOAT16, {{37}});
    inputs[1] = std::make_unique<OpTensor>(ACL_BF16, Shape{37});
    fill(*inputs[1], op.probabilities, 9);
    check_loss(op, pointers(inputs), {37}, ACL_FLOAT);
  }
}

TEST_F(Losses, OfNothing) {
  for (const LossOp& op : loss_ops()) {
    const Owned inputs = made(op, ACL_FLOAT, {{0, 3}});
    const OpTensor each(ACL_FLOAT, {0, 3});
    run_op(op, pointers(inputs), kNone, each);
    const OpTensor one(ACL_FLOAT, {});
    const auto mean = run_op(op, pointers(inputs), kMean, one);
    EXPECT_TRUE(std::isnan(one.in(mean, 0).real())) << op.name;
    const auto sum = run_op(op, pointers(inputs), kSum, one);
    EXPECT_EQ(one.in(sum, 0).real(), 0) << op.name;
  }
}

TEST_F(Losses, WithoutWeights) {
  for (const LossOp& op : loss_ops()) {
    if (op.inputs < 4) continue;
    const Owned inputs = made(op, ACL_FLOAT, {{7, 5}});
    for (const std::size_t missing : {2, 3}) {
      auto given = pointers(inputs);
      given[missing] = nullptr;
      check_loss(op, given, {7, 5}, ACL_FLOAT);
    }
  }
}

TEST_F(Losses, OfNanAreNan) {
  for (const LossOp& op : loss_ops()) {
    Owned inputs = made(op, ACL_FLOAT, {{17}});
    inputs[0]->fill([](std::int64_t i) { return i == 5 ? kNan : Real{0.5L}; });
    const OpTensor each(ACL_FLOAT, {17});
    const auto bytes = run_op(op, pointers(inputs), kNone, each);
    for (std::int64_t i = 0; i < 17; ++i) EXPECT_EQ(std::isnan(each.in(bytes, i).real()), i == 5) << op.name;
    const OpTensor one(ACL_FLOAT, {});
    EXPECT_TRUE(std::isnan(one.in(run_op(op, pointers(inputs), kSum, one), 0).real())) << op.name;
  }
}

TEST_F(Losses, OfIntegersAreExact) {
  const LossOp distance = loss_ops()[0];
  OpTensor self(ACL_INT64, {101});
  OpTensor target(ACL_INT64, {101});
  self.fill_random(1);
  target.fill_random(2);
  const std::vector<const OpTensor*> inputs = {&self, &target};
  check_loss(distance, inputs, {101}, ACL_FLOAT);
  const OpTensor each(ACL_INT64, {101});
  expect_elements(
      each, run_op(distance, inputs, kNone, each), [&](std::int64_t i) { return element(distance, inputs, {101}, i); },
      true);
  Real sum = 0;
  for (std::int64_t i = 0; i < 101; ++i) sum += element(distance, inputs, {101}, i);
  const OpTensor one(ACL_INT64, {});
  expect_elements(
      one, run_op(distance, inputs, kSum, one), [&](std::int64_t) { return sum; }, true);
  expect_elements(
      one, run_op(distance, inputs, kMean, one), [&](std::int64_t) { return std::trunc(sum / 101); }, true);
}

TEST_F(Losses, OfIntegersAndFloatsAreFloats) {
  const LossOp distance = loss_ops()[0];
  OpTensor self(ACL_INT64, {101});
  OpTensor target(ACL_FLOAT16, {101});
  self.fill_random(1);
  target.fill_random(2);
  check_loss(distance, {&self, &target}, {101}, ACL_FLOAT);
  const OpTensor whole(ACL_INT64, {101});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  EXPECT_EQ(distance.plan({self.get(), target.get()}, kNone, whole.get(), &size, &executor), 161002);
}

TEST_F(Losses, OfCertaintyAreFinite) {
  OpTensor self(ACL_FLOAT, {4});
  OpTensor target(ACL_FLOAT, {4});
  OpTensor weight(ACL_FLOAT, {});
  self.fill([](std::int64_t i) { return i % 2; });
  target.fill([](std::int64_t i) { return i / 2; });
  weight.fill([](std::int64_t) { return 1; });
  for (const LossOp& op : loss_ops()) {
    if (op.name != "aclnnBinaryCrossEntropy") continue;
    const OpTensor each(ACL_FLOAT, {4});
    expect_elements(
        each, run_op(op, {&self, &target, &weight}, kNone, each),
        [](std::int64_t i) -> Number { return i == 1 || i == 2 ? 100 : 0; }, true);
  }
}

TEST_F(Losses, HaveNoWeights) {
  for (const LossOp& op : loss_ops()) {
    if (op.name != "aclnnBinaryCrossEntropy") continue;
    const Owned inputs = made(op, ACL_FLOAT, {{7, 5}});
    auto given = pointers(inputs);
    given[2] = nullptr;
    check_loss(op, given, {7, 5}, ACL_FLOAT);
  }
}

TEST_F(Losses, HaveGradients) {
  for (const LossOp& op : loss_gradients()) {
    for (const aclDataType type : kFloats) {
      const Owned whole = made(op, type, {{11, 13}});
      check_gradient(op, pointers(whole), {11, 13}, kNone, type);
      const Owned reduced = made(op, type, {{}, {5, 7}});
      for (const std::int64_t reduction : {kMean, kSum}) check_gradient(op, pointers(reduced), {5, 7}, reduction, type);
      const Owned strided = made(op, type, {{5, 7}}, {{2, 11}, 3});
      check_gradient(op, pointers(strided), {5, 7}, kMean, type);
    }
    const Owned broadcast = made(op, ACL_FLOAT, {{1}, {3, 5}, {3, 5}, {5}, {3, 1}});
    check_gradient(op, pointers(broadcast), {3, 5}, kMean, ACL_FLOAT);
    const Owned empty = made(op, ACL_FLOAT, {{}, {0, 3}});
    check_gradient(op, pointers(empty), {0, 3}, kMean, ACL_FLOAT);
  }
}

TEST_F(Losses, HaveGradientsWithoutWeights) {
  for (const LossOp& op : loss_gradients()) {
    for (std::size_t missing = 3; missing < op.inputs; ++missing) {
      const Owned inputs = made(op, ACL_FLOAT, {{7, 5}});
      auto given = pointers(inputs);
      given[missing] = nullptr;
      check_gradient(op, given, {7, 5}, kNone, ACL_FLOAT);
    }
  }
}

TEST_F(Losses, GradientsMayTakeThePlaceOfSelf) {
  for (const LossOp& op : loss_gradients()) {
    Owned inputs = made(op, ACL_FLOAT, {{131}});
    const auto given = pointers(inputs);
    const OpTensor& self = *given[1];
    const auto bytes = run_op(op, given, kSum, self);
    expect_elements(
        self, bytes, [&](std::int64_t i) { return rounded(element(op, given, {131}, i), ACL_FLOAT); }, false);
  }
}

/// A loss and a target, the gradient of a result; weights may be left out.
std::size_t required_inputs(const LossOp& op) {
  if (op.name == "aclnnBinaryCrossEntropy") return 2;
  if (op.inputs <= 3) return op.inputs;
  return op.name.find("Backward") == std::string::npos ? 2 : 3;
}

TEST_F(Losses, RefuseWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const OpTensor t(ACL_FLOAT, {3, 5});
  const OpTensor wrong(ACL_FLOAT, {4});
  const OpTensor whole(ACL_INT32, {3, 5});
  const OpTensor truth(ACL_BOOL, {3, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  auto ops = loss_ops();
  for (LossOp& op : loss_gradients()) ops.push_back(op);
  for (const LossOp& op : ops) {
    SCOPED_TRACE(op.name);
    const Handles fine(op.inputs, t.get());
    const std::size_t required = required_inputs(op);
    for (std::size_t i = 0; i < op.inputs; ++i) {
      Handles given = fine;
      given[i] = nullptr;
      EXPECT_EQ(op.plan(given, kNone, t.get(), &size, &executor), i < required ? 161001 : 0);
      given[i] = truth.get();
      EXPECT_EQ(op.plan(given, kNone, t.get(), &size, &executor), kInvalid);
      given[i] = wrong.get();
      EXPECT_EQ(op.plan(given, kNone, t.get(), &size, &executor), kInvalid);
    }
    EXPECT_EQ(op.plan(fine, kNone, nullptr, &size, &executor), 161001);
    EXPECT_EQ(op.plan(fine, kNone, whole.get(), &size, &executor), kInvalid);
    EXPECT_EQ(op.plan(fine, kNone, wrong.get(), &size, &executor), kInvalid);
    for (const std::int64_t reduction : {-1, 3}) {
      EXPECT_EQ(op.plan(fine, reduction, t.get(), &size, &executor), kInvalid);
    }
    EXPECT_EQ(op.plan(fine, kNone, t.get(), nullptr, &executor), 161001);
    EXPECT_EQ(op.plan(fine, kNone, t.get(), &size, nullptr), 161001);
  }
  for (const LossOp& op : loss_ops()) {
    EXPECT_EQ(op.plan(Handles(op.inputs, t.get()), kMean, t.get(), &size, &executor), kInvalid) << op.name;
  }
  EXPECT_EQ(aclnnSmoothL1LossGetWorkspaceSize(t.get(), t.get(), kNone, -1.0F, t.get(), &size, &executor), kInvalid);
}

class Logit : public PointwiseTest {};

Real logit(Real x) { return std::log(x / (1 - x)); }

TEST_F(Logit, IsTheLogarithmOfOdds) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {11, 13}, {{1, 11}, 3});
    self.fill([](std::int64_t i) { return (static_cast<Real>(i) - 5) / 131; });
    const OpTensor out(type, {11, 13});
    for (const double eps : {-1.0, 0.0, 0.125}) {
      expect(
          "Logit", [&](auto* n, auto** e) { return aclnnLogitGetWorkspaceSize(self.get(), eps, out.get(), n, e); },
          aclnnLogit, {&self}, out,
          [=](const Elements& e) {
            const Real x = e[0].real();
            return logit(eps < 0 ? x : std::min(std::max(x, Real{eps}), 1 - Real{eps}));
          },
          false);
    }
  }
}

TEST_F(Logit, KeepsDigitsNearOneHalf) {
  OpTensor self(ACL_FLOAT, {33});
  self.fill([](std::int64_t i) { return 0.5L + static_cast<Real>(i - 16) * 0x1p-20L; });
  const OpTensor out(ACL_FLOAT, {33});
  const auto bytes = run([&](auto* n, auto** e) { return aclnnLogitGetWorkspaceSize(self.get(), -1, out.get(), n, e); },
                         aclnnLogit, {&self}, out);
  for (std::int64_t i = 0; i < 33; ++i) {
    const Real want = logit(self.before(i).real());
    EXPECT_NEAR(static_cast<double>(out.in(bytes, i).real()), static_cast<double>(want),
                std::fabs(1e-6 * static_cast<double>(want)));
  }
}

TEST_F(Logit, HasAGradient) {
  for (const aclDataType type : kFloats) {
    OpTensor self(type, {11, 13});
    OpTensor gradient(type, {11, 13}, {{1, 11}, 3});
    self.fill([](std::int64_t i) { return (static_cast<Real>(i) - 5) / 131; });
    gradient.fill_random(2);
    const OpTensor out(type, {11, 13});
    for (const double eps : {-1.0, 0.125}) {
      expect(
          "LogitGrad",
          [&](auto* n, auto** e) {
            return aclnnLogitGradGetWorkspaceSize(self.get(), gradient.get(), eps, out.get(), n, e);
          },
          aclnnLogitGrad, {&self, &gradient}, out,
          [=](const Elements& e) -> Number {
            const Real x = e[0].real();
            const Real least = eps < 0 ? 0 : Real{eps};
            if (x < least || x > 1 - least) return eps < 0 ? kNan : 0;
            return e[1].real() / (x * (1 - x));
          },
          false);
    }
  }
}

}  // namespace
}  // namespace aclvk::test
