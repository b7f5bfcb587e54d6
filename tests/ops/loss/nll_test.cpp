#include <memory>

#include "aclnnop/aclnn_nll_loss.h"
#include "aclnnop/aclnn_nll_loss2d.h"
#include "aclnnop/aclnn_nll_loss2d_backward.h"
#include "aclnnop/aclnn_nll_loss_backward.h"
#include "support/op_arguments.hpp"

// The negative log likelihood of classes, and its gradient.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr aclDataType kTargets[] = {ACL_INT64, ACL_INT32, ACL_UINT8};
constexpr std::int64_t kNone = 0;
constexpr std::int64_t kMean = 1;
constexpr std::int64_t kSum = 2;

using Forward = aclnnStatus (*)(const aclTensor*, const aclTensor*, const aclTensor*, int64_t, int64_t, aclTensor*,
                                aclTensor*, uint64_t*, aclOpExecutor**);

class Nll : public OpTest {
 protected:
  /// Shapes of a call; classes are the dim after the first.
  struct Case {
    explicit Case(aclDataType type, aclDataType targets, Shape shape, const View& view = {}, const View& by_target = {})
        : self(type, shape, view),
          target(targets, samples_of(shape), by_target),
          weight(type, {shape[class_dim(shape)]}) {
      self.fill_random(1);
      const std::int64_t classes = shape[class_dim(shape)];
      target.fill([=](std::int64_t i) { return (i * 7 + 1) % classes; });
      weight.fill([](std::int64_t i) { return Real(i % 5 + 1) / 4; });
    }
    static std::size_t class_dim(const Shape& shape) { return shape.size() > 1 ? 1 : 0; }
    static Shape samples_of(Shape shape) {
      shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(class_dim(shape)));
      return shape;
    }
    bool images() const { return self.shape().size() == 4; }
    /// The class of a sample, or -1 where it does not count.
    std::int64_t label(std::int64_t sample) const {
      const auto label = static_cast<std::int64_t>(target.before(sample).real());
      const std::int64_t classes = weight.count();
      return label == ignored || label < 0 || label >= classes ? -1 : label;
    }
    Real element(std::int64_t sample, std::int64_t label) const {
      Shape at = coordinates_of(sample, target.shape());
      at.insert(at.begin() + static_cast<std::ptrdiff_t>(class_dim(self.shape())), label);
      return self.before(element_at(at, self.shape())).real();
    }
    Real weight_of(std::int64_t label) const { return label < 0 ? 0 : weight.before(label).real(); }
    Real loss(std::int64_t sample) const {
      const std::int64_t c = label(sample);
      return c < 0 ? 0 : -weight_of(c) * element(sample, c);
    }
    Real total() const {
      Real sum = 0;
      for (std::int64_t i = 0; i < target.count(); ++i) sum += weight_of(label(i));
      return sum;
    }

    OpTensor self;
    OpTensor target;
    OpTensor weight;
    std::int64_t ignored = -100;
  };

  static Plan plan(const Case& c, std::int64_t reduction, const OpTensor& out, const OpTensor& total) {
    const Forward forward = c.images() ? aclnnNLLLoss2dGetWorkspaceSize : aclnnNLLLossGetWorkspaceSize;
    return [&c, &out, &total, reduction, forward](auto* n, auto** e) {
      return forward(c.self.get(), c.target.get(), c.weight.get(), reduction, c.ignored, out.get(), total.get(), n, e);
    };
  }

  static void check_loss(const Case& c) {
    SCOPED_TRACE("dtypes " + std::to_string(c.self.type()) + " and " + std::to_string(c.target.type()));
    const Launch launch = c.images() ? aclnnNLLLoss2d : aclnnNLLLoss;
    const aclDataType type = c.self.type();
    const std::vector<const OpTensor*> inputs = {&c.self, &c.target, &c.weight};
    OpTensor total(type, {});
    const OpTensor each(type, c.target.shape());
    auto with_total = inputs;
    with_total.push_back(&total);
    const auto losses = run(plan(c, kNone, each, total), launch, with_total, each);
    expect_elements(
        each, losses, [&](std::int64_t i) { return rounded(c.loss(i), type); }, false);
    EXPECT_EQ(total.in(total.download(), 0).real(), 0);
    Real sum = 0;
    for (std::int64_t i = 0; i < c.target.count(); ++i) sum += c.loss(i);
    const OpTensor one(type, {});
    for (const std::int64_t reduction : {kMean, kSum}) {
      const auto bytes = run(plan(c, reduction, one, total), launch, with_total, one);
      expect_elements(
          one, bytes, [&](std::int64_t) { return rounded(reduction == kMean ? sum / c.total() : sum, type); }, false);
      expect_elements(
          total, total.download(), [&](std::int64_t) { return rounded(c.total(), type); }, false);
    }
  }

  static void check_gradient(const Case& c, std::int64_t reduction, const View& view = {}) {
    SCOPED_TRACE("reduction " + std::to_string(reduction));
    const aclDataType type = c.self.type();
    OpTensor gradient(type, reduction == kNone ? c.target.shape() : Shape{});
    gradient.fill_random(5);
    OpTensor total(type, {1});
    total.fill([&](std::int64_t) { return c.total(); });
    const OpTensor out(type, c.self.shape(), view);
    const Plan gradient_plan = [&](auto* n, auto** e) {
      if (c.images()) {
        return aclnnNLLLoss2dBackwardGetWorkspaceSize(gradient.get(), c.self.get(), c.target.get(), c.weight.get(),
                                                      reduction, c.ignored, total.get(), out.get(), n, e);
      }
      return aclnnNLLLossBackwardGetWorkspaceSize(gradient.get(), c.self.get(), c.target.get(), c.weight.get(),
                                                  reduction, c.ignored, total.get(), out.get(), n, e);
    };
    const auto bytes = run(gradient_plan, c.images() ? aclnnNLLLoss2dBackward : aclnnNLLLossBackward,
                           {&gradient, &c.self, &c.target, &c.weight, &total}, out);
    const std::size_t dim = Case::class_dim(out.shape());
    expect_elements(
        out, bytes,
        [&](std::int64_t i) -> Number {
          Shape at = coordinates_of(i, out.shape());
          const std::int64_t own = at[dim];
          at.erase(at.begin() + static_cast<std::ptrdiff_t>(dim));
          const std::int64_t sample = element_at(at, c.target.shape());
          if (c.label(sample) != own) return 0;
          const Real given = gradient.before(reduction == kNone ? sample : 0).real();
          const Real divisor = reduction == kMean ? total.before(0).real() : 1;
          return rounded(-c.weight_of(own) * given / divisor, type);
        },
        false);
  }
};

TEST_F(Nll, OfSamples) {
  for (const aclDataType type : kFloats) {
    for (const aclDataType targets : kTargets) check_loss(Case(type, targets, {37, 11}));
  }
  check_loss(Case(ACL_FLOAT, ACL_INT64, {5003, 3}));
}

TEST_F(Nll, OfImages) {
  for (const aclDataType type : kFloats) {
    for (const aclDataType targets : kTargets) check_loss(Case(type, targets, {3, 5, 7, 11}));
  }
}

TEST_F(Nll, OfAnyView) {
  check_loss(Case(ACL_FLOAT, ACL_INT64, {13, 7}, {{1, 13}, 2}, {{3}, 1}));
  check_loss(Case(ACL_FLOAT16, ACL_INT32, {13, 7}, {{0, 1}, 1}, {{2}, 1}));
  check_loss(Case(ACL_FLOAT, ACL_INT64, {2, 3, 5, 4}, {{60, 1, 12, 3}, 0}, {{1, 2, 10}, 0}));
}

TEST_F(Nll, OfOneSample) {
  Case c(ACL_FLOAT, ACL_INT64, {7});
  c.target.fill([](std::int64_t) { return 4; });
  check_loss(c);
  for (const std::int64_t reduction : {kNone, kMean, kSum}) check_gradient(c, reduction);
}

TEST_F(Nll, LeavesOutWhatIsIgnored) {
  Case c(ACL_FLOAT, ACL_INT64, {37, 5});
  c.ignored = 2;
  check_loss(c);
  check_gradient(c, kMean);
  c.ignored = -100;
  c.target.fill([](std::int64_t i) -> Number { return i % 3 == 0 ? -100 : i % 5; });
  check_loss(c);
  check_gradient(c, kMean);
}

TEST_F(Nll, OfNoClassIsNothing) {
  Case c(ACL_FLOAT, ACL_INT64, {31, 5});
  c.target.fill([](std::int64_t i) -> Number {
    return i % 4 == 0 ? 5 : i % 4 == 1 ? -1 : i % 4 == 2 ? 4294967296 : 3;
  });
  check_loss(c);
  check_gradient(c, kSum);
}

TEST_F(Nll, MeanOfNoneIsNan) {
  Case c(ACL_FLOAT, ACL_INT64, {3, 5});
  c.target.fill([](std::int64_t) { return -100; });
  const OpTensor one(ACL_FLOAT, {});
  const OpTensor total(ACL_FLOAT, {});
  const auto bytes = run(plan(c, kMean, one, total), aclnnNLLLoss, {&c.self, &c.target, &c.weight, &total}, one);
  EXPECT_TRUE(std::isnan(one.in(bytes, 0).real()));
}

TEST_F(Nll, HasAGradient) {
  for (const aclDataType type : kFloats) {
    for (const std::int64_t reduction : {kNone, kMean, kSum}) {
      check_gradient(Case(type, ACL_INT64, {37, 11}), reduction);
      check_gradient(Case(type, ACL_INT32, {3, 5, 7, 11}), reduction);
      check_gradient(Case(type, ACL_UINT8, {13, 7}, {{1, 13}, 2}, {{3}, 1}), reduction, {{1, 14}, 3});
    }
  }
}

TEST_F(Nll, RefusesWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const OpTensor self(ACL_FLOAT, {3, 5});
  const OpTensor target(ACL_INT64, {3});
  const OpTensor weight(ACL_FLOAT, {5});
  const OpTensor one(ACL_FLOAT, {});
  const OpTensor cube(ACL_FLOAT, {3, 5, 2});
  const OpTensor wrong(ACL_FLOAT, {4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* x, const aclTensor* t, const aclTensor* w, std::int64_t reduction,
                        aclTensor* out, aclTensor* total) {
    return aclnnNLLLossGetWorkspaceSize(x, t, w, reduction, -100, out, total, &size, &executor);
  };
  auto* const x = self.get();
  auto* const t = target.get();
  auto* const w = weight.get();
  auto* const o = one.get();
  EXPECT_EQ(plan(nullptr, t, w, kMean, o, o), 161001);
  EXPECT_EQ(plan(x, nullptr, w, kMean, o, o), 161001);
  EXPECT_EQ(plan(x, t, nullptr, kMean, o, o), 161001);
  EXPECT_EQ(plan(x, t, w, kMean, nullptr, o), 161001);
  EXPECT_EQ(plan(x, t, w, kMean, o, nullptr), 161001);
  EXPECT_EQ(plan(t, t, w, kMean, o, o), kInvalid);
  EXPECT_EQ(plan(x, w, w, kMean, o, o), kInvalid);
  EXPECT_EQ(plan(x, t, t, kMean, o, o), kInvalid);
  EXPECT_EQ(plan(x, t, w, kMean, t, o), kInvalid);
  EXPECT_EQ(plan(cube.get(), t, w, kMean, o, o), kInvalid);
  EXPECT_EQ(plan(x, t, wrong.get(), kMean, o, o), kInvalid);
  EXPECT_EQ(plan(x, t, w, kMean, wrong.get(), o), kInvalid);
  EXPECT_EQ(plan(x, t, w, kNone, wrong.get(), o), kInvalid);
  EXPECT_EQ(plan(x, t, w, kMean, o, wrong.get()), kInvalid);
  EXPECT_EQ(plan(x, t, w, 3, o, o), kInvalid);
  const OpTensor square(ACL_FLOAT, {3, 3});
  const OpTensor weights(ACL_FLOAT, {3});  // as many as samples
  EXPECT_EQ(plan(square.get(), t, weights.get(), kNone, weights.get(), o), kInvalid);
  EXPECT_EQ(aclnnNLLLoss2dGetWorkspaceSize(x, t, w, kMean, -100, o, o, &size, &executor), kInvalid);
  const auto gradient = [&](const aclTensor* g, const aclTensor* total, aclTensor* out) {
    return aclnnNLLLossBackwardGetWorkspaceSize(g, x, t, w, kMean, -100, total, out, &size, &executor);
  };
  EXPECT_EQ(gradient(nullptr, o, x), 161001);
  EXPECT_EQ(gradient(o, nullptr, x), 161001);
  EXPECT_EQ(gradient(o, o, nullptr), 161001);
  EXPECT_EQ(gradient(wrong.get(), o, x), kInvalid);
  EXPECT_EQ(gradient(o, wrong.get(), x), kInvalid);
  EXPECT_EQ(gradient(o, o, wrong.get()), kInvalid);
}

}  // namespace
}  // namespace aclvk::test
