#include "aclnnop/aclnn_ctc_loss.h"
#include "aclnnop/aclnn_ctc_loss_backward.h"
#include "support/op_arguments.hpp"

namespace aclvk::test {
namespace {

const Real kInf = std::numeric_limits<Real>::infinity();

/// A call: lengths of all samples, and how targets are laid out.
struct Task {
  std::int64_t steps;
  std::int64_t classes;
  std::vector<std::int64_t> inputs;
  std::vector<std::int64_t> targets;
  std::int64_t blank = 0;
  bool in_rows = true;
  bool zero_infinity = false;
  bool batched = true;
  std::int64_t padding = 0;  ///< of the last dim of logAlpha

  std::int64_t count() const { return static_cast<std::int64_t>(inputs.size()); }
  std::int64_t most() const { return *std::max_element(targets.begin(), targets.end()); }
  std::int64_t states() const { return 2 * most() + 1; }
  std::int64_t first_of(std::int64_t sample) const {
    if (in_rows) return sample * std::max<std::int64_t>(most(), 1);
    std::int64_t first = 0;
    for (std::int64_t i = 0; i < sample; ++i) first += targets[static_cast<std::size_t>(i)];
    return first;
  }
  Shape of_samples() const { return batched ? Shape{count()} : Shape{}; }
  Shape of_steps() const { return batched ? Shape{steps, count(), classes} : Shape{steps, classes}; }
  Shape of_targets() const {
    return in_rows ? Shape{count(), std::max<std::int64_t>(most(), 1)} : Shape{first_of(count())};
  }
  Shape of_alpha() const {
    return batched ? Shape{count(), steps, states() + padding} : Shape{steps, states() + padding};
  }
};

/// The probabilities of a sample in long double, whose exponents suffice for them without logarithms.
class Ways {
 public:
  Ways(const Task& task, const OpTensor& log_probs, const OpTensor& targets, std::int64_t sample)
      : steps_(task.inputs[static_cast<std::size_t>(sample)]), classes_(task.classes) {
    const std::int64_t length = task.targets[static_cast<std::size_t>(sample)];
    for (std::int64_t i = 0; i < length; ++i) {
      labels_.push_back(task.blank);
      labels_.push_back(static_cast<std::int64_t>(targets.before(task.first_of(sample) + i).real()));
    }
    labels_.push_back(task.blank);
    for (std::int64_t t = 0; t < steps_; ++t) {
      for (std::int64_t c = 0; c < classes_; ++c) {
        probabilities_.push_back(std::exp(log_probs.before((t * task.count() + sample) * classes_ + c).real()));
      }
    }
    to_ = sums(false);
    from_ = sums(true);
  }

  std::int64_t steps() const { return steps_; }
  std::int64_t states() const { return static_cast<std::int64_t>(labels_.size()); }
  Real probability(std::int64_t step, std::int64_t label) const {
    return probabilities_[static_cast<std::size_t>(step * classes_ + label)];
  }
  Real to(std::int64_t step, std::int64_t state) const { return to_[place(step, state)]; }
  Real whole() const {
    if (steps_ == 0) return states() == 1 ? 1 : 0;
    return to(steps_ - 1, states() - 1) + (states() > 1 ? to(steps_ - 1, states() - 2) : 0);
  }
  /// Of all ways that are at the label in this step.
  Real through(std::int64_t step, std::int64_t label) const {
    Real sum = 0;
    for (std::int64_t s = 0; s < states(); ++s) {
      const Real own = probability(step, label);
      if (labels_[static_cast<std::size_t>(s)] == label && own > 0) {
        sum += to(step, s) * from_[place(step, s)] / own;
      }
    }
    return sum;
  }

 private:
  std::size_t place(std::int64_t step, std::int64_t state) const {
    return static_cast<std::size_t>(step * states() + state);
  }

  std::vector<Real> sums(bool backwards) const {
    std::vector<Real> values(static_cast<std::size_t>(steps_ * states()));
    const std::int64_t last = states() - 1;
    for (std::int64_t i = 0; i < steps_; ++i) {
      for (std::int64_t j = 0; j <= last; ++j) {
        const std::int64_t t = backwards ? steps_ - 1 - i : i;
        const auto state = [&](std::int64_t k) { return backwards ? last - k : k; };
        const auto label = [&](std::int64_t k) { return labels_[static_cast<std::size_t>(state(k))]; };
        Real sum = i == 0 && j < 2 ? 1 : 0;
        for (std::int64_t k = 0; i > 0 && k < 3 && k <= j; ++k) {
          if (k == 2 && label(j) == label(j - 2)) continue;
          sum += values[place(backwards ? t + 1 : t - 1, state(j - k))];
        }
        values[place(t, state(j))] = sum * probability(t, label(j));
      }
    }
    return values;
  }

  std::int64_t steps_;
  std::int64_t classes_;
  std::vector<std::int64_t> labels_;
  std::vector<Real> probabilities_;
  std::vector<Real> to_;
  std::vector<Real> from_;
};

class CtcLoss : public OpTest {
 protected:
  /// Logarithms of probabilities.
  static void fill_log_probs(OpTensor& tensor, std::int64_t classes, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal(0, 2);
    std::vector<Real> values;
    for (std::int64_t i = 0; i < tensor.count() / classes; ++i) {
      Real sum = 0;
      for (std::int64_t c = 0; c < classes; ++c) {
        values.push_back(normal(random));
        sum += std::exp(values.back());
      }
      for (std::int64_t c = 0; c < classes; ++c)
        values[values.size() - 1 - static_cast<std::size_t>(c)] -= std::log(sum);
    }
    tensor.fill([&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
  }

  /// Any classes but the blank, with repetitions.
  static void fill_targets(OpTensor& tensor, const Task& task) {
    tensor.fill([&](std::int64_t i) {
      const std::int64_t other = (i * i + i / 3) % std::max<std::int64_t>(task.classes - 1, 1);
      return Real(other >= task.blank ? other + 1 : other);
    });
  }

  static void check(const Task& task, const OpTensor& log_probs, const OpTensor& targets, const View& out_view = {}) {
    SCOPED_TRACE("dtypes " + std::to_string(log_probs.type()) + " and " + std::to_string(targets.type()));
    std::vector<Ways> ways;
    for (std::int64_t n = 0; n < task.count(); ++n) ways.emplace_back(task, log_probs, targets, n);
    const OpTensor loss(log_probs.type(), task.of_samples());
    const OpTensor alpha(log_probs.type(), task.of_alpha());
    check_loss(task, log_probs, targets, ways, loss, alpha);
    OpTensor given_loss(log_probs.type(), task.of_samples());
    OpTensor given_alpha(log_probs.type(), task.of_alpha());
    given_loss.fill([&](std::int64_t n) { return loss_of(task, ways[static_cast<std::size_t>(n)]); });
    given_alpha.fill([&](std::int64_t i) { return alpha_of(task, ways, i); });
    check_gradient(task, log_probs, targets, ways, given_loss, given_alpha,
                   OpTensor(log_probs.type(), task.of_steps(), out_view));
  }

  static Number loss_of(const Task& task, const Ways& ways) {
    const Real loss = -std::log(ways.whole());
    return task.zero_infinity && std::isinf(loss) ? 0 : loss;
  }
  static Number alpha_of(const Task& task, const std::vector<Ways>& ways, std::int64_t i) {
    const std::int64_t width = task.states() + task.padding;
    const std::int64_t state = i % width;
    const std::int64_t step = i / width % task.steps;
    const Ways& own = ways[static_cast<std::size_t>(i / width / task.steps)];
    return step < own.steps() && state < own.states() ? std::log(own.to(step, state)) : -kInf;
  }

  static void check_loss(const Task& task, const OpTensor& log_probs, const OpTensor& targets,
                         const std::vector<Ways>& ways, const OpTensor& loss, const OpTensor& alpha) {
    const OpInts inputs(task.inputs);
    const OpInts lengths(task.targets);
    const Plan plan = [&](auto* n, auto** e) {
      return aclnnCtcLossGetWorkspaceSize(log_probs.get(), targets.get(), inputs.get(), lengths.get(), task.blank,
                                          task.zero_infinity, loss.get(), alpha.get(), n, e);
    };
    const auto loss_bytes = run(plan, aclnnCtcLoss, {&log_probs, &targets, &alpha}, loss);
    expect_elements(
        loss, loss_bytes,
        [&](std::int64_t n) { return rounded(loss_of(task, ways[static_cast<std::size_t>(n)]), loss.type()); }, false);
    const auto alpha_bytes = run(plan, aclnnCtcLoss, {&log_probs, &targets, &loss}, alpha);
    expect_elements(
        alpha, alpha_bytes, [&](std::int64_t i) { return rounded(alpha_of(task, ways, i), alpha.type()); }, false);
  }

  static void check_gradient(const Task& task, const OpTensor& log_probs, const OpTensor& targets,
                             const std::vector<Ways>& ways, const OpTensor& loss, const OpTensor& alpha,
                             const OpTensor& out) {
    OpTensor gradient(log_probs.type(), task.of_samples());
    gradient.fill_random(17);
    const OpInts inputs(task.inputs);
    const OpInts lengths(task.targets);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnCtcLossBackwardGetWorkspaceSize(gradient.get(), log_probs.get(), targets.get(), inputs.get(),
                                                      lengths.get(), loss.get(), alpha.get(), task.blank,
                                                      task.zero_infinity, out.get(), n, e);
        },
        aclnnCtcLossBackward, {&gradient, &log_probs, &targets, &loss, &alpha}, out);
    for (std::int64_t i = 0; i < out.count(); ++i) {
      const std::int64_t label = i % task.classes;
      const std::int64_t sample = i / task.classes % task.count();
      const std::int64_t step = i / task.classes / task.count();
      const Ways& own = ways[static_cast<std::size_t>(sample)];
      const bool counts = step < own.steps() && !(task.zero_infinity && own.whole() == 0);
      const Real probability = counts ? own.probability(step, label) : 0;
      const Real through = counts ? own.through(step, label) / own.whole() : 0;
      const Real size = gradient.before(sample).real();
      ASSERT_TRUE(
          is_near(out.in(bytes, i).real(), (probability - through) * size, (probability + through) * size, out.type()))
          << "element " << i << " is " << out.in(bytes, i).real() << "; expected " << (probability - through) * size;
    }
  }

  /// A difference is as exact as its terms, whose sizes add up to `terms`.
  static bool is_near(Real got, Real want, Real terms, aclDataType type) {
    if (std::isnan(want)) return std::isnan(got);
    const Real relative = type == ACL_FLOAT16 ? 0x1p-9L
                          : type == ACL_BF16  ? 0x1p-6L
                          : type == ACL_FLOAT ? 0x1p-11L
                                              : 0x1p-36L;
    const Real absolute = type == ACL_DOUBLE ? 0x1p-60L : 0x1p-20L;
    return std::fabs(got - want) <= relative * std::fabs(terms) + absolute;
  }

  static void check_random(const Task& task, aclDataType type = ACL_FLOAT, aclDataType target_type = ACL_INT64,
                           const View& view = {}, const View& target_view = {}, const View& out_view = {}) {
    OpTensor log_probs(type, task.of_steps(), view);
    OpTensor targets(target_type, task.of_targets(), target_view);
    fill_log_probs(log_probs, task.classes, 3);
    fill_targets(targets, task);
    check(task, log_probs, targets, out_view);
  }
};

TEST_F(CtcLoss, SumsAllWaysThroughTheTargets) {
  // All sequences of four steps, one after the other.
  const Task task{4, 3, {4}, {2}};
  OpTensor log_probs(ACL_FLOAT, task.of_steps());
  OpTensor targets(ACL_INT64, task.of_targets());
  fill_log_probs(log_probs, 3, 3);
  targets.fill([](std::int64_t i) { return Real(2 - i); });  // 2 1
  Real sum = 0;
  for (int number = 0; number < 81; ++number) {
    Real probability = 1;
    std::vector<int> spelt;
    int before = 0;
    for (int t = 0, rest = number; t < 4; ++t, rest /= 3) {
      const int label = rest % 3;
      probability *= std::exp(log_probs.before(t * 3 + label).real());
      if (label != 0 && label != before) spelt.push_back(label);
      before = label;
    }
    if (spelt == std::vector<int>{2, 1}) sum += probability;
  }
  const Ways ways(task, log_probs, targets, 0);
  EXPECT_NEAR(static_cast<double>(ways.whole()), static_cast<double>(sum), 1e-12);
  check(task, log_probs, targets);
}

TEST_F(CtcLoss, OfSamplesOfAnyLengths) {
  const Task task{23, 7, {23, 17, 11, 5}, {5, 7, 1, 2}};
  for (const aclDataType type : {ACL_FLOAT, ACL_FLOAT16, ACL_BF16, ACL_DOUBLE}) check_random(task, type);
  check_random(task, ACL_FLOAT, ACL_INT32);
  check_random({13, 2, {13, 6}, {3, 1}}, ACL_FLOAT, ACL_BOOL);
  check_random({1, 3, {1}, {1}});
  check_random({67, 11, {61, 67}, {17, 23}});
  check_random({211, 11, {211, 190}, {67, 80}}, ACL_DOUBLE);
}

TEST_F(CtcLoss, TargetsMayFollowEachOther) {
  check_random({23, 7, {23, 17, 11, 5}, {5, 7, 1, 2}, 0, false});
  check_random({9, 5, {9, 7, 8}, {0, 3, 0}, 4, false});
}

TEST_F(CtcLoss, TheBlankMayBeAnyClass) {
  check_random({17, 5, {17, 9}, {4, 3}, 2});
  check_random({17, 5, {17, 9}, {4, 3}, 4});
}

TEST_F(CtcLoss, ASampleNeedsNoBatch) { check_random({13, 5, {11}, {4}, 0, false, false, false}); }

TEST_F(CtcLoss, LogAlphaMayBeLonger) {
  check_random({13, 5, {11, 13}, {4, 2}, 0, true, false, true, 7});
  check_random({13, 5, {11, 13}, {4, 2}, 0, true, false, true, 7}, ACL_FLOAT16);
}

TEST_F(CtcLoss, OfNoTargetsIsThatOfBlanks) { check_random({7, 4, {7, 3}, {0, 0}}); }

TEST_F(CtcLoss, OfTooFewStepsIsInfiniteOrZero) {
  for (const bool zero : {false, true}) {
    check_random({7, 4, {2, 7, 0, 0}, {4, 3, 1, 0}, 0, true, zero});
    check_random({7, 4, {2, 7}, {4, 3}, 0, true, zero}, ACL_DOUBLE);
  }
}

TEST_F(CtcLoss, TensorsMayBeAnyView) {
  const Task task{11, 5, {11, 7}, {3, 4}};
  check_random(task, ACL_FLOAT, ACL_INT64, {{1, 70, 12}, 3}, {{1, 2}, 5}, {{10, 111, 2}, 4});
  check_random(task, ACL_FLOAT16, ACL_INT32, {{5, 0, 1}, 1}, {{0, 1}, 2}, {{12, 6, 1}, 1});
}

TEST_F(CtcLoss, OfMoreSamplesThanAKernelHas) {
  std::vector<std::int64_t> inputs;
  std::vector<std::int64_t> lengths;
  for (int n = 0; n < 37; ++n) {
    inputs.push_back(5 + n % 4);
    lengths.push_back(n % 3);
  }
  check_random({8, 4, inputs, lengths, 0, false});
}

TEST_F(CtcLoss, OfNoSamples) {
  const OpTensor log_probs(ACL_FLOAT, {3, 0, 4});
  const OpTensor targets(ACL_INT64, {0});
  const OpTensor loss(ACL_FLOAT, {0});
  const OpTensor alpha(ACL_FLOAT, {0, 3, 1});
  const OpInts none(std::vector<std::int64_t>{});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnCtcLossGetWorkspaceSize(log_probs.get(), targets.get(), none.get(), none.get(), 0, false,
                                            loss.get(), alpha.get(), n, e);
      },
      aclnnCtcLoss, {&log_probs, &targets, &alpha}, loss);
  EXPECT_FALSE(bytes.empty());
}

TEST_F(CtcLoss, GoesThroughMoreStepsThanALoopHasIterations) {
  // The blank is likely, so that the probability of so many steps is still a number.
  const Task task{23003, 2, {23003}, {1}};
  OpTensor log_probs(ACL_DOUBLE, task.of_steps());
  OpTensor targets(ACL_INT64, task.of_targets());
  log_probs.fill([](std::int64_t i) {
    const Real unlikely = 0.0005L + 0.0003L * Real(i / 2 % 7);
    return std::log(i % 2 == 0 ? 1 - unlikely : unlikely);
  });
  targets.fill([](std::int64_t) { return Real(1); });
  check(task, log_probs, targets);
}

TEST_F(CtcLoss, RefusesOthers) {
  const OpTensor log_probs(ACL_FLOAT, {5, 2, 4});
  const OpTensor targets(ACL_INT64, {2, 3});
  const OpTensor flat(ACL_INT64, {4});
  const OpTensor floats(ACL_FLOAT, {2, 3});
  const OpTensor loss(ACL_FLOAT, {2});
  const OpTensor half(ACL_FLOAT16, {2});
  const OpTensor alpha(ACL_FLOAT, {2, 5, 7});
  const OpTensor small(ACL_FLOAT, {2, 5, 6});
  const OpTensor vector(ACL_FLOAT, {5});
  const OpInts inputs{5, 4};
  const OpInts lengths{3, 2};
  const OpInts three{3, 2, 1};
  const OpInts long_inputs{6, 4};
  const OpInts negative{-1, 4};
  const OpInts long_targets{4, 2};
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const OpTensor* x, const OpTensor* t, const OpInts* i, const OpInts* l, std::int64_t blank,
                        const OpTensor* y, const OpTensor* a) {
    const auto of = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnCtcLossGetWorkspaceSize(of(x), of(t), i ? i->get() : nullptr, l ? l->get() : nullptr, blank, false,
                                        of(y), of(a), &size, &executor);
  };
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, 0, &loss, &alpha), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(plan(nullptr, &targets, &inputs, &lengths, 0, &loss, &alpha), 161001);
  EXPECT_EQ(plan(&log_probs, nullptr, &inputs, &lengths, 0, &loss, &alpha), 161001);
  EXPECT_EQ(plan(&log_probs, &targets, nullptr, &lengths, 0, &loss, &alpha), 161001);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, nullptr, 0, &loss, &alpha), 161001);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, 0, nullptr, &alpha), 161001);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, 0, &loss, nullptr), 161001);
  EXPECT_EQ(plan(&vector, &targets, &inputs, &lengths, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &floats, &inputs, &lengths, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &flat, &inputs, &lengths, 0, &loss, &alpha), 161002) << "targets sum up to 5";
  EXPECT_EQ(plan(&log_probs, &targets, &three, &lengths, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &long_inputs, &lengths, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &negative, &lengths, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &long_targets, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &negative, 0, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, 4, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, -1, &loss, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, 0, &half, &alpha), 161002);
  EXPECT_EQ(plan(&log_probs, &targets, &inputs, &lengths, 0, &loss, &small), 161002);
  const auto plan_back = [&](const OpTensor* g, const OpTensor* y, const OpTensor* a, const OpTensor* out) {
    const auto of = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
    return aclnnCtcLossBackwardGetWorkspaceSize(of(g), log_probs.get(), targets.get(), inputs.get(), lengths.get(),
                                                of(y), of(a), 0, false, of(out), &size, &executor);
  };
  const OpTensor out(ACL_FLOAT, {5, 2, 4});
  EXPECT_EQ(plan_back(&loss, &loss, &alpha, &out), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(plan_back(nullptr, &loss, &alpha, &out), 161001);
  EXPECT_EQ(plan_back(&loss, nullptr, &alpha, &out), 161001);
  EXPECT_EQ(plan_back(&loss, &loss, nullptr, &out), 161001);
  EXPECT_EQ(plan_back(&loss, &loss, &alpha, nullptr), 161001);
  EXPECT_EQ(plan_back(&half, &loss, &alpha, &out), 161002);
  EXPECT_EQ(plan_back(&vector, &loss, &alpha, &out), 161002);
  EXPECT_EQ(plan_back(&loss, &loss, &small, &out), 161002);
  EXPECT_EQ(plan_back(&loss, &loss, &alpha, &alpha), 161002);
  EXPECT_EQ(plan_back(&loss, &loss, &alpha, &log_probs), 161002) << "logProbs is read when out is written";
}

}  // namespace
}  // namespace aclvk::test
