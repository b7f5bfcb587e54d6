#include <memory>

#include "aclnnop/aclnn_cross_entropy_sum_exp_and_index_logit.h"
#include "aclnnop/aclnn_fused_cross_entropy_loss_with_max_sum.h"
#include "aclnnop/aclnn_fused_linear_cross_entropy_loss_grad.h"
#include "aclnnop/aclnn_fused_linear_online_max_sum.h"
#include "support/op_arguments.hpp"

// Cross entropies of a part of a vocabulary, against their definition in long double.

namespace aclvk::test {
namespace {

constexpr std::int64_t kFirst = 20;

/// Targets before, in and after a part of `classes` columns.
void fill_targets(OpTensor& targets, std::int64_t classes) {
  targets.fill([=](std::int64_t i) { return Real(i % 5 == 0 ? i - 3 : kFirst - 2 + i * 7 % (classes + 4)); });
}
bool is_masked(const OpTensor& targets, std::int64_t sample, std::int64_t classes) {
  const auto target = static_cast<std::int64_t>(targets.before(sample).real());
  return target < kFirst || target >= kFirst + classes;
}
std::int64_t place_of(const OpTensor& targets, std::int64_t sample, std::int64_t classes) {
  return is_masked(targets, sample, classes) ? 0 : static_cast<std::int64_t>(targets.before(sample).real()) - kFirst;
}

class IndexLogit : public OpTest {
 protected:
  static void check(aclDataType type, aclDataType mask_type, const Shape& samples, std::int64_t classes,
                    std::int64_t last, const View& view = {}, const View& out_view = {}) {
    SCOPED_TRACE("dtype " + std::to_string(type));
    Shape shape = samples;
    shape.push_back(classes);
    OpTensor logits(type, shape, view);
    OpTensor targets(ACL_INT32, samples);
    OpTensor largest(ACL_FLOAT, samples);
    logits.fill_random(1);
    fill_targets(targets, classes);
    largest.fill([](std::int64_t i) { return Real(5 + i % 3); });
    const OpTensor predicted(ACL_FLOAT, samples);
    const OpTensor sum(ACL_FLOAT, samples);
    const OpTensor exponentials(ACL_FLOAT, shape, out_view);
    const OpTensor places(ACL_INT32, samples);
    const OpTensor mask(mask_type, samples);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(
              logits.get(), targets.get(), largest.get(), kFirst, last, predicted.get(), sum.get(), exponentials.get(),
              places.get(), mask.get(), n, e);
        },
        aclnnCrossEntropySumExpAndIndexLogit, {&logits, &targets, &largest, &predicted, &sum, &places, &mask},
        exponentials);
    const auto shifted = [&](std::int64_t sample, std::int64_t column) {
      return logits.before(sample * classes + column).real() - largest.before(sample).real();
    };
    expect_elements(
        exponentials, bytes, [&](std::int64_t i) { return Number(std::exp(shifted(i / classes, i % classes))); },
        false);
    expect_elements(
        sum, sum.download(),
        [&](std::int64_t i) {
          Real all = 0;
          for (std::int64_t c = 0; c < classes; ++c) all += std::exp(shifted(i, c));
          return Number(all);
        },
        false);
    expect_elements(
        predicted, predicted.download(),
        [&](std::int64_t i) {
          return Number(is_masked(targets, i, classes) ? 0 : shifted(i, place_of(targets, i, classes)));
        },
        false);
    expect_elements(
        places, places.download(), [&](std::int64_t i) { return Number(Real(place_of(targets, i, classes))); }, true);
    expect_elements(
        mask, mask.download(), [&](std::int64_t i) { return Number(Real(is_masked(targets, i, classes))); }, true);
  }
};

TEST_F(IndexLogit, LooksUpWhatTargetsHave) {
  check(ACL_FLOAT, ACL_INT32, {13}, 37, kFirst + 36);
  check(ACL_BF16, ACL_FLOAT, {13}, 37, kFirst + 36);
  check(ACL_FLOAT, ACL_INT32, {3, 5}, 64, kFirst + 64);  // an end that does not count
  check(ACL_FLOAT, ACL_INT32, {6}, 8, kFirst + 7, {{1, 9}, 3}, {{2, 13}, 1});
  check(ACL_FLOAT, ACL_INT32, {0}, 8, kFirst + 7);
}

TEST_F(IndexLogit, RefusesOthers) {
  const OpTensor logits(ACL_FLOAT, {4, 8});
  const OpTensor targets(ACL_INT32, {4});
  const OpTensor floats(ACL_FLOAT, {4});
  const OpTensor wide(ACL_INT64, {4});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* from, const aclTensor* target, const aclTensor* sum, std::int64_t first,
                        std::int64_t last) {
    return aclnnCrossEntropySumExpAndIndexLogitGetWorkspaceSize(from, target, floats.get(), first, last, floats.get(),
                                                                sum, logits.get(), targets.get(), targets.get(), &size,
                                                                &executor);
  };
  EXPECT_EQ(plan(nullptr, targets.get(), floats.get(), 0, 7), 161001);
  EXPECT_EQ(plan(logits.get(), targets.get(), nullptr, 0, 7), 161001);
  EXPECT_EQ(plan(logits.get(), wide.get(), floats.get(), 0, 7), 161002);
  EXPECT_EQ(plan(logits.get(), targets.get(), logits.get(), 0, 7), 161002);
  EXPECT_EQ(plan(logits.get(), targets.get(), floats.get(), -1, 7), 161002);
  EXPECT_EQ(plan(logits.get(), targets.get(), floats.get(), 5, 4), 161002);
  EXPECT_EQ(executor, nullptr);
}

class LinearCrossEntropy : public OpTest {
 protected:
  /// Samples, their targets, and the weights of a part of the vocabulary.
  struct Case {
    Case(aclDataType type, aclDataType target_type, std::int64_t samples, std::int64_t width, std::int64_t classes)
        : input(type, {samples, width}), weight(type, {classes, width}), targets(target_type, {samples}) {
      input.fill([](std::int64_t i) { return Real(i * 5 % 11 - 5) / 8; });
      weight.fill([](std::int64_t i) { return Real(i * 7 % 13 - 6) / 4; });
      fill_targets(targets, classes);
    }
    std::int64_t samples() const { return input.shape()[0]; }
    std::int64_t classes() const { return weight.shape()[0]; }
    std::int64_t width() const { return input.shape()[1]; }
    Real logit(std::int64_t sample, std::int64_t column) const {
      Real sum = 0;
      for (std::int64_t k = 0; k < width(); ++k) {
        sum += input.before(sample * width() + k).real() * weight.before(column * width() + k).real();
      }
      return sum;
    }
    Real largest(std::int64_t sample) const {
      Real most = logit(sample, 0);
      for (std::int64_t c = 1; c < classes(); ++c) most = std::max(most, logit(sample, c));
      return most;
    }
    Real sum(std::int64_t sample) const {
      Real all = 0;
      for (std::int64_t c = 0; c < classes(); ++c) all += std::exp(logit(sample, c) - largest(sample));
      return all;
    }
    Real probability(std::int64_t sample, std::int64_t column) const {
      return std::exp(logit(sample, column) - largest(sample)) / sum(sample);
    }
    OpTensor input;
    OpTensor weight;
    OpTensor targets;
  };

  /// A bit a sample; those of no sample are 0.
  static void check_bits(const OpTensor& mask, const Case& c) {
    const auto bytes = mask.download();
    for (std::int64_t i = 0; i < 8 * mask.count(); ++i) {
      const auto byte = static_cast<unsigned>(mask.in(bytes, i / 8).real());
      EXPECT_EQ((byte >> (i % 8) & 1U) != 0, i < c.samples() && is_masked(c.targets, i, c.classes())) << "sample " << i;
    }
  }

  static void check_sums(const Case& c, bool with_logits) {
    SCOPED_TRACE("dtype " + std::to_string(c.input.type()));
    const Shape samples{c.samples()};
    const OpTensor largest(ACL_FLOAT, samples);
    const OpTensor sum(ACL_FLOAT, samples);
    const OpTensor predicted(ACL_FLOAT, samples, {{2}, 1});
    const OpTensor mask(ACL_UINT8, {(c.samples() + 7) / 8});
    const OpTensor places(c.targets.type(), samples);
    const OpTensor logits(c.input.type(), {c.samples(), c.classes()});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(
              c.input.get(), c.weight.get(), c.targets.get(), kFirst, kFirst + c.classes() - 1, largest.get(),
              sum.get(), predicted.get(), mask.get(), places.get(), with_logits ? logits.get() : nullptr, n, e);
        },
        aclnnFusedLinearOnlineMaxSum, {&c.input, &c.weight, &c.targets, &largest, &sum, &mask, &places, &logits},
        predicted);
    expect_elements(
        predicted, bytes,
        [&](std::int64_t i) {
          const std::int64_t place = place_of(c.targets, i, c.classes());
          return Number(is_masked(c.targets, i, c.classes()) ? 0 : c.logit(i, place));
        },
        false);
    expect_elements(
        largest, largest.download(), [&](std::int64_t i) { return Number(c.largest(i)); }, false);
    expect_elements(
        sum, sum.download(), [&](std::int64_t i) { return Number(c.sum(i)); }, false);
    expect_elements(
        places, places.download(), [&](std::int64_t i) { return Number(Real(place_of(c.targets, i, c.classes()))); },
        true);
    check_bits(mask, c);
    if (!with_logits) return;
    expect_elements(
        logits, logits.download(),
        [&](std::int64_t i) { return rounded(c.logit(i / c.classes(), i % c.classes()), logits.type()); }, false);
  }
};

TEST_F(LinearCrossEntropy, FindsMaximaSumsAndTargets) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    check_sums({type, ACL_INT32, 19, 16, 37}, true);
    check_sums({type, ACL_INT64, 8, 5, 24}, false);
  }
  check_sums({ACL_FLOAT16, ACL_INT64, 70, 8, 3}, true);
}

TEST_F(LinearCrossEntropy, HasALossAndProbabilities) {
  for (const bool of_factors : {false, true}) {
    const Case c(ACL_BF16, ACL_INT32, 11, 8, 21);
    OpTensor largest(ACL_FLOAT, {11});
    OpTensor sum(ACL_FLOAT, {11});
    OpTensor predicted(ACL_FLOAT, {11});
    OpTensor logits(ACL_FLOAT, {11, 21});
    largest.fill([&](std::int64_t i) { return c.largest(i); });
    sum.fill([&](std::int64_t i) { return c.sum(i) * 3; });
    predicted.fill_random(3);
    logits.fill([&](std::int64_t i) { return c.logit(i / 21, i % 21); });
    const OpTensor loss(ACL_FLOAT, {11});
    const OpTensor softmax(of_factors ? ACL_FLOAT16 : ACL_FLOAT, {11, 21});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(
              largest.get(), sum.get(), predicted.get(), 0, of_factors ? c.input.get() : nullptr,
              of_factors ? c.weight.get() : nullptr, of_factors ? nullptr : logits.get(), loss.get(), softmax.get(), n,
              e);
        },
        aclnnFusedCrossEntropyLossWithMaxSum, {&c.input, &c.weight, &largest, &sum, &predicted, &logits, &softmax},
        loss);
    expect_elements(
        loss, bytes,
        [&](std::int64_t i) { return Number(std::log(sum.before(i).real()) - predicted.before(i).real()); }, false);
    expect_elements(
        softmax, softmax.download(),
        [&](std::int64_t i) { return rounded(c.probability(i / 21, i % 21) / 3, softmax.type()); }, false);
  }
}

TEST_F(LinearCrossEntropy, PutsTheLossWhereTheMaximaOrSumsWere) {
  for (const bool in_sums : {false, true}) {
    OpTensor largest(ACL_FLOAT, {5});
    OpTensor sum(ACL_FLOAT, {5});
    OpTensor predicted(ACL_FLOAT, {5});
    OpTensor logits(ACL_FLOAT, {5, 3});
    largest.fill([](std::int64_t i) { return Real(i); });
    sum.fill([](std::int64_t i) { return Real(i + 2); });
    predicted.fill_random(1);
    logits.fill_random(2);
    const OpTensor& loss = in_sums ? sum : largest;
    const OpTensor softmax(ACL_FLOAT, {5, 3});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(largest.get(), sum.get(), predicted.get(), 0,
                                                                      nullptr, nullptr, logits.get(), loss.get(),
                                                                      softmax.get(), n, e);
        },
        aclnnFusedCrossEntropyLossWithMaxSum, {&largest, &sum, &predicted, &logits}, softmax);
    expect_elements(
        softmax, bytes,
        [&](std::int64_t i) {
          return Number(std::exp(logits.before(i).real() - largest.before(i / 3).real()) / sum.before(i / 3).real());
        },
        false);
    expect_elements(
        loss, loss.download(),
        [&](std::int64_t i) { return Number(std::log(sum.before(i).real()) - predicted.before(i).real()); }, false);
  }
}

TEST_F(LinearCrossEntropy, HasGradients) {
  for (const aclDataType type : {ACL_FLOAT16, ACL_BF16}) {
    for (const bool of_softmax : {false, true}) {
      const Case c(type, ACL_INT64, 21, 8, 16);
      OpTensor gradient(ACL_FLOAT, {21});
      OpTensor mask(ACL_UINT8, {of_softmax ? 3 : 5});  // more than three bytes do not count
      OpTensor places(ACL_INT64, {21});
      OpTensor largest(ACL_FLOAT, {21});
      OpTensor sum(ACL_FLOAT, {21});
      OpTensor softmax(ACL_FLOAT, {21, 16});
      gradient.fill([](std::int64_t i) { return Real(i % 4 + 1) / 2; });
      mask.fill([&](std::int64_t byte) {
        unsigned bits = 0;
        for (std::int64_t i = 8 * byte; i < std::min<std::int64_t>(8 * byte + 8, 21); ++i) {
          bits |= (is_masked(c.targets, i, 16) ? 1U : 0U) << (i % 8);
        }
        return Real(bits);
      });
      places.fill([&](std::int64_t i) { return Real(place_of(c.targets, i, 16)); });
      largest.fill([&](std::int64_t i) { return c.largest(i); });
      sum.fill([&](std::int64_t i) { return c.sum(i); });
      softmax.fill([&](std::int64_t i) { return c.probability(i / 16, i % 16); });
      const OpTensor input_gradient(type, {21, 8});
      const OpTensor weight_gradient(type, {16, 8}, {{1, 17}, 2});
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(
                gradient.get(), c.input.get(), c.weight.get(), mask.get(), places.get(), 0,
                of_softmax ? nullptr : largest.get(), of_softmax ? nullptr : sum.get(),
                of_softmax ? softmax.get() : nullptr, input_gradient.get(), weight_gradient.get(), n, e);
          },
          aclnnFusedLinearCrossEntropyLossGrad,
          {&c.input, &c.weight, &gradient, &mask, &places, &largest, &sum, &softmax, &input_gradient}, weight_gradient);
      const auto d = [&](std::int64_t i, std::int64_t k) {
        const bool hit = !is_masked(c.targets, i, 16) && place_of(c.targets, i, 16) == k;
        return gradient.before(i).real() * (c.probability(i, k) - (hit ? 1 : 0));
      };
      expect_elements(
          weight_gradient, bytes,
          [&](std::int64_t at) {
            Real all = 0;
            for (std::int64_t i = 0; i < 21; ++i) all += d(i, at / 8) * c.input.before(8 * i + at % 8).real();
            return rounded(all, type);
          },
          false);
      expect_elements(
          input_gradient, input_gradient.download(),
          [&](std::int64_t at) {
            Real all = 0;
            for (std::int64_t k = 0; k < 16; ++k) all += d(at / 8, k) * c.weight.before(8 * k + at % 8).real();
            return rounded(all, type);
          },
          false);
    }
  }
}

TEST_F(LinearCrossEntropy, RefusesOthers) {
  const Case c(ACL_BF16, ACL_INT32, 4, 8, 16);
  const OpTensor floats(ACL_FLOAT, {4});
  const OpTensor mask(ACL_UINT8, {1});
  const OpTensor wrong(ACL_UINT8, {4});
  const OpTensor half(ACL_FLOAT16, {16, 8});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto sums = [&](const aclTensor* weight, aclTensor* bits, std::int64_t last) {
    return aclnnFusedLinearOnlineMaxSumGetWorkspaceSize(c.input.get(), weight, c.targets.get(), 0, last, floats.get(),
                                                        floats.get(), floats.get(), bits, c.targets.get(), nullptr,
                                                        &size, &executor);
  };
  EXPECT_EQ(sums(nullptr, mask.get(), 15), 161001);
  EXPECT_EQ(sums(half.get(), mask.get(), 15), 161002);
  EXPECT_EQ(sums(c.weight.get(), wrong.get(), 15), 161002);
  EXPECT_EQ(sums(c.weight.get(), mask.get(), -1), 161002);
  const auto loss = [&](float smoothing, aclTensor* softmax) {
    return aclnnFusedCrossEntropyLossWithMaxSumGetWorkspaceSize(floats.get(), floats.get(), floats.get(), smoothing,
                                                                nullptr, nullptr, nullptr, floats.get(), softmax, &size,
                                                                &executor);
  };
  EXPECT_EQ(loss(0.1F, nullptr), 207000);
  EXPECT_EQ(loss(0, half.get()), 161001);
  const auto gradient = [&](float smoothing, const aclTensor* sum) {
    return aclnnFusedLinearCrossEntropyLossGradGetWorkspaceSize(floats.get(), c.input.get(), c.weight.get(), mask.get(),
                                                                c.targets.get(), smoothing, floats.get(), sum, nullptr,
                                                                c.input.get(), c.weight.get(), &size, &executor);
  };
  EXPECT_EQ(gradient(0.5F, floats.get()), 207000);
  EXPECT_EQ(gradient(0, nullptr), 161001);
  EXPECT_EQ(executor, nullptr);
}

}  // namespace
}  // namespace aclvk::test
