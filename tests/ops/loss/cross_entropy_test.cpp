#include <optional>

#include "aclnnop/aclnn_cross_entropy_loss.h"
#include "aclnnop/aclnn_cross_entropy_loss_grad.h"
#include "aclnnop/aclnn_softmax_cross_entropy_with_logits.h"
#include "support/op_arguments.hpp"

// Cross entropy of classes from logits, and its gradients.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

std::vector<Real> log_softmax(const OpTensor& x, std::int64_t row) {
  const std::int64_t classes = x.shape()[1];
  Real highest = -std::numeric_limits<Real>::infinity();
  for (std::int64_t c = 0; c < classes; ++c) highest = std::max(highest, x.before(row * classes + c).real());
  Real sum = 0;
  for (std::int64_t c = 0; c < classes; ++c) sum += std::exp(x.before(row * classes + c).real() - highest);
  std::vector<Real> result;
  for (std::int64_t c = 0; c < classes; ++c) {
    result.push_back(x.before(row * classes + c).real() - highest - std::log(sum));
  }
  return result;
}

class CrossEntropy : public OpTest {
 protected:
  struct Attributes {
    std::string reduction;
    double smoothing = 0;
    std::int64_t ignored = -100;
    bool weighted = false;
  };

  struct Case {
    Case(aclDataType type, aclDataType targets, std::int64_t samples, std::int64_t classes, const View& view = {})
        : input(type, {samples, classes}, view), target(targets, {samples}), weight(ACL_FLOAT, {classes}) {
      input.fill_random(1);
      target.fill([=](std::int64_t i) { return (i * 7 + 1) % classes; });
      weight.fill([](std::int64_t i) { return Real(i % 5 + 1) / 4; });
    }
    OpTensor input;
    OpTensor target;
    OpTensor weight;
  };

  static std::int64_t label(const Case& c, const Attributes& a, std::int64_t row) {
    const auto label = static_cast<std::int64_t>(c.target.before(row).real());
    return label == a.ignored ? -1 : label;
  }
  static Real weight_of(const Case& c, const Attributes& a, std::int64_t label) {
    return label < 0 ? 0 : a.weighted ? c.weight.before(label).real() : 1;
  }
  /// How much of the loss of a row is the logarithm of a class.
  static Real share(const Case& c, const Attributes& a, std::int64_t row, std::int64_t of) {
    const std::int64_t own = label(c, a, row);
    if (own < 0) return 0;
    const Real hit = own == of ? (1 - Real{a.smoothing}) * weight_of(c, a, of) : 0;
    return -hit - Real{a.smoothing} / static_cast<Real>(c.weight.count()) * weight_of(c, a, of);
  }
  static Real total(const Case& c, const Attributes& a) {
    Real sum = 0;
    for (std::int64_t row = 0; row < c.target.count(); ++row) sum += weight_of(c, a, label(c, a, row));
    return sum;
  }

  static std::vector<std::byte> loss_of(const Case& c, Attributes a, const OpTensor& loss, const OpTensor& log_prob) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnCrossEntropyLossGetWorkspaceSize(
              c.input.get(), c.target.get(), a.weighted ? c.weight.get() : nullptr, a.reduction.data(), a.ignored,
              a.smoothing, 0, false, loss.get(), log_prob.get(), nullptr, nullptr, n, e);
        },
        aclnnCrossEntropyLoss, {&c.input, &c.target, &c.weight, &log_prob}, loss);
  }
  static std::vector<std::byte> gradient_of(const Case& c, Attributes a, const OpTensor& gradient,
                                            const OpTensor& log_prob, const OpTensor& out) {
    return run(
        [&](auto* n, auto** e) {
          return aclnnCrossEntropyLossGradGetWorkspaceSize(
              gradient.get(), log_prob.get(), c.target.get(), a.weighted ? c.weight.get() : nullptr, nullptr, nullptr,
              a.reduction.data(), a.ignored, a.smoothing, 0, out.get(), n, e);
        },
        aclnnCrossEntropyLossGrad, {&gradient, &log_prob, &c.target, &c.weight}, out);
  }

  static void check_loss(const Case& c, const Attributes& a) {
    SCOPED_TRACE(a.reduction + ", dtype " + std::to_string(c.input.type()));
    const aclDataType type = c.input.type();
    const bool each = a.reduction == "none";
    const OpTensor loss(type, each ? c.target.shape() : Shape{1});
    const OpTensor log_prob(type, c.input.shape());
    const auto bytes = loss_of(c, a, loss, log_prob);
    std::vector<Real> losses;
    std::vector<Real> logarithms;
    Real sum = 0;
    for (std::int64_t row = 0; row < c.target.count(); ++row) {
      const auto of_row = log_softmax(c.input, row);
      Real own = 0;
      for (std::size_t i = 0; i < of_row.size(); ++i) own += share(c, a, row, static_cast<std::int64_t>(i)) * of_row[i];
      losses.push_back(own);
      sum += own;
      logarithms.insert(logarithms.end(), of_row.begin(), of_row.end());
    }
    const Real all = a.reduction == "mean" ? sum / total(c, a) : sum;
    expect_elements(
        loss, bytes, [&](std::int64_t i) { return rounded(each ? losses[static_cast<std::size_t>(i)] : all, type); },
        false);
    expect_elements(
        log_prob, log_prob.download(),
        [&](std::int64_t i) { return rounded(logarithms[static_cast<std::size_t>(i)], type); }, false);
  }

  static void check_gradient(const Case& c, const Attributes& a) {
    SCOPED_TRACE(a.reduction + ", dtype " + std::to_string(c.input.type()));
    const aclDataType type = c.input.type();
    const std::int64_t classes = c.weight.count();
    const bool each = a.reduction == "none";
    OpTensor gradient(type, each ? c.target.shape() : Shape{});
    gradient.fill_random(3);
    OpTensor log_prob(type, c.input.shape());
    log_prob.fill(
        [&](std::int64_t i) { return log_softmax(c.input, i / classes)[static_cast<std::size_t>(i % classes)]; });
    const OpTensor out(type, c.input.shape());
    const auto bytes = gradient_of(c, a, gradient, log_prob, out);
    const Real divisor = a.reduction == "mean" ? total(c, a) : 1;
    expect_elements(
        out, bytes,
        [&](std::int64_t i) {
          const std::int64_t row = i / classes;
          Real sum = 0;
          for (std::int64_t other = 0; other < classes; ++other) sum += share(c, a, row, other);
          const Real own = share(c, a, row, i % classes) - std::exp(log_prob.before(i).real()) * sum;
          return rounded(own * gradient.before(each ? row : 0).real() / divisor, type);
        },
        false);
  }
};

TEST_F(CrossEntropy, OfClasses) {
  for (const aclDataType type : kFloats) {
    const Case c(type, type == ACL_BF16 ? ACL_INT32 : ACL_INT64, 37, 13);
    for (const char* reduction : {"none", "mean", "sum"}) {
      check_loss(c, {reduction});
      check_loss(c, {reduction, 0.25, 3, true});
      check_loss(c, {reduction, 0.25});
      check_loss(c, {reduction, 0, 3, true});
    }
  }
  check_loss(Case(ACL_FLOAT, ACL_INT64, 7, 5003), {"mean", 0.125});
  check_loss(Case(ACL_FLOAT, ACL_INT64, 11, 7, {{1, 11}, 2}), {"mean", 0.5, 2, true});
}

TEST_F(CrossEntropy, HasAGradient) {
  for (const aclDataType type : kFloats) {
    const Case c(type, ACL_INT64, 37, 13);
    for (const char* reduction : {"none", "mean", "sum"}) {
      check_gradient(c, {reduction});
      check_gradient(c, {reduction, 0.25, 3, true});
    }
  }
}

// What a sample holds that does not count reaches nothing, be it infinite or NaN.
TEST_F(CrossEntropy, LeavesOutWhatIsIgnored) {
  constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();
  constexpr Real kInfinite = std::numeric_limits<Real>::infinity();
  constexpr std::int64_t kClasses = 13;
  for (const char* reduction : {"none", "mean", "sum"}) {
    for (const double smoothing : {0.0, 0.25}) {
      SCOPED_TRACE(testing::Message() << reduction << ", smoothing " << smoothing);
      const Attributes a{reduction, smoothing, 3, true};
      const bool each = a.reduction == "none";
      Case c(ACL_FLOAT, ACL_INT64, 37, kClasses);
      const auto is_ignored = [&](std::int64_t row) { return label(c, a, row) < 0; };
      const auto losses = [&](Real first, Real others) {
        c.input.fill([&](std::int64_t i) -> Number {
          return is_ignored(i / kClasses) ? (i % kClasses == 0 ? first : others) : c.input.before(i).real();
        });
        const OpTensor loss(ACL_FLOAT, each ? c.target.shape() : Shape{});
        return loss_of(c, a, loss, OpTensor(ACL_FLOAT, c.input.shape()));
      };
      const auto usual_losses = losses(1, 1);
      EXPECT_EQ(losses(-kInfinite, 1), usual_losses);
      EXPECT_EQ(losses(-kInfinite, -kInfinite), usual_losses);
      EXPECT_EQ(losses(kNan, 1), usual_losses);
      OpTensor gradient(ACL_FLOAT, each ? c.target.shape() : Shape{});
      const auto gradients = [&](Real first, Real others, Real of_loss) {
        OpTensor log_prob(ACL_FLOAT, c.input.shape());
        log_prob.fill([&](std::int64_t i) -> Number {
          return !is_ignored(i / kClasses) ? -Real(i % 7) / 2 : i % kClasses == 0 ? first : others;
        });
        gradient.fill([&](std::int64_t i) -> Number { return each && is_ignored(i) ? of_loss : Real(i % 5 + 1); });
        return gradient_of(c, a, gradient, log_prob, OpTensor(ACL_FLOAT, c.input.shape()));
      };
      const auto usual_gradients = gradients(-1, -1, 1);
      EXPECT_EQ(gradients(-kInfinite, -1, 1), usual_gradients);
      EXPECT_EQ(gradients(kNan, kNan, 1), usual_gradients);
      EXPECT_EQ(gradients(-1, -1, kNan), usual_gradients);
      for (std::int64_t i = 0; i < c.input.count(); ++i) {
        ASSERT_TRUE(!is_ignored(i / kClasses) || c.input.in(usual_gradients, i).real() == 0) << i;
      }
    }
  }
}

TEST_F(CrossEntropy, WithoutSamplesThatCountHasNoGradient) {
  for (const double smoothing : {0.0, 0.25}) {
    Case c(ACL_FLOAT, ACL_INT64, 3, 5);
    c.target.fill([](std::int64_t) { return -100; });
    OpTensor gradient(ACL_FLOAT, {});
    gradient.fill([](std::int64_t) { return 1; });
    const OpTensor out(ACL_FLOAT, {3, 5});
    expect_elements(
        out, gradient_of(c, {"mean", smoothing}, gradient, c.input, out), [](std::int64_t) { return 0; }, true);
  }
}

TEST_F(CrossEntropy, RefusesWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const OpTensor x(ACL_FLOAT, {3, 5});
  const OpTensor t(ACL_INT64, {3});
  const OpTensor w(ACL_FLOAT, {5});
  const OpTensor one(ACL_FLOAT, {});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  char mean[] = "mean";
  char wrong[] = "average";
  const auto plan = [&](const aclTensor* input, const aclTensor* target, const aclTensor* weight, char* reduction,
                        double smoothing, double square, bool returns, const aclTensor* loss, const aclTensor* log) {
    return aclnnCrossEntropyLossGetWorkspaceSize(input, target, weight, reduction, -100, smoothing, square, returns,
                                                 loss, log, nullptr, nullptr, &size, &executor);
  };
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), nullptr, 0, 0, false, one.get(), x.get()), 0);
  EXPECT_EQ(plan(nullptr, t.get(), w.get(), mean, 0, 0, false, one.get(), x.get()), 161001);
  EXPECT_EQ(plan(x.get(), nullptr, w.get(), mean, 0, 0, false, one.get(), x.get()), 161001);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 0, 0, false, nullptr, x.get()), 161001);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 0, 0, false, one.get(), nullptr), 161001);
  EXPECT_EQ(plan(t.get(), t.get(), w.get(), mean, 0, 0, false, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), w.get(), w.get(), mean, 0, 0, false, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), t.get(), mean, 0, 0, false, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(w.get(), t.get(), w.get(), mean, 0, 0, false, one.get(), w.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), wrong, 0, 0, false, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 1.5, 0, false, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 0, 0.5, false, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 0, 0, true, one.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 0, 0, false, w.get(), x.get()), kInvalid);
  EXPECT_EQ(plan(x.get(), t.get(), w.get(), mean, 0, 0, false, one.get(), w.get()), kInvalid);
}

TEST_F(CrossEntropy, OfProbabilities) {
  for (const aclDataType type : kFloats) {
    for (const Shape& shape : {Shape{11, 13}, Shape{3, 1009}}) {
      OpTensor features(type, shape);
      OpTensor labels(type, shape, {{1, shape[0]}, 1});
      features.fill_random(1);
      labels.fill([&](std::int64_t i) { return Real((i * 7) % 11) / (5 * static_cast<Real>(shape[1])); });
      const OpTensor loss(type, {shape[0]});
      const OpTensor backprop(type, shape);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(features.get(), labels.get(), loss.get(),
                                                                      backprop.get(), n, e);
          },
          aclnnSoftmaxCrossEntropyWithLogits, {&features, &labels, &backprop}, loss);
      expect_elements(
          loss, bytes,
          [&](std::int64_t row) {
            const auto logarithms = log_softmax(features, row);
            Real sum = 0;
            for (std::int64_t i = 0; i < shape[1]; ++i) {
              sum -= labels.before(row * shape[1] + i).real() * logarithms[static_cast<std::size_t>(i)];
            }
            return rounded(sum, type);
          },
          false);
      expect_elements(
          backprop, backprop.download(),
          [&](std::int64_t i) {
            const Real p = std::exp(log_softmax(features, i / shape[1])[static_cast<std::size_t>(i % shape[1])]);
            return rounded(p - labels.before(i).real(), type);
          },
          false);
    }
  }
}

TEST_F(CrossEntropy, OfProbabilitiesRefusesOthers) {
  const OpTensor x(ACL_FLOAT, {3, 5});
  const OpTensor wrong(ACL_FLOAT, {3, 4});
  const OpTensor row(ACL_FLOAT, {3});
  const OpTensor whole(ACL_INT32, {3, 5});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* features, const OpTensor* labels, const OpTensor* loss, const OpTensor* back) {
    const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnSoftmaxCrossEntropyWithLogitsGetWorkspaceSize(handle(features), handle(labels), handle(loss),
                                                              handle(back), &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, &x, &row, &x), 161001);
  EXPECT_EQ(plan(&x, nullptr, &row, &x), 161001);
  EXPECT_EQ(plan(&x, &x, nullptr, &x), 161001);
  EXPECT_EQ(plan(&x, &x, &row, nullptr), 161001);
  EXPECT_EQ(plan(&whole, &x, &row, &x), 161002);
  EXPECT_EQ(plan(&x, &wrong, &row, &x), 161002);
  EXPECT_EQ(plan(&row, &row, &row, &row), 161002);
  EXPECT_EQ(plan(&x, &x, &x, &x), 161002);
  EXPECT_EQ(plan(&x, &x, &row, &wrong), 161002);
}

}  // namespace
}  // namespace aclvk::test
