#include <limits>

#include "aclnnop/aclnn_batch_norm.h"
#include "aclnnop/aclnn_batch_norm_backward.h"
#include "aclnnop/aclnn_batch_norm_backward_reduce.h"
#include "aclnnop/aclnn_batch_norm_elemt.h"
#include "aclnnop/aclnn_batch_norm_elemt_backward.h"
#include "aclnnop/aclnn_batch_norm_gather_stats_with_counts.h"
#include "aclnnop/aclnn_batch_norm_reduce.h"
#include "aclnnop/aclnn_batch_norm_stats.h"
#include "aclnnop/aclnn_fast_batch_norm_backward.h"
#include "aclnnop/aclnn_sync_batch_norm_gather_stats.h"
#include "ops/norm/gradient_reference.hpp"

namespace aclvk::test {
namespace {

constexpr aclDataType kTypes[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};
constexpr double kEpsilon = 1e-3;
constexpr double kMomentum = 0.1;

class BatchNorms : public GradientTest {
 protected:
  struct Batch {
    aclDataType type;
    Shape shape;
    OpTensor x;
    OpTensor dy;
    OpTensor weight;
    OpTensor bias;
    OpTensor running_mean;
    OpTensor running_var;
    OpTensor y;
    OpTensor save_mean;
    OpTensor save_invstd;

    Batch(aclDataType kind, const Shape& sizes, aclDataType statistics = ACL_FLOAT, const View& x_view = {},
          const View& y_view = {})
        : type(kind),
          shape(sizes),
          x(kind, sizes, x_view),
          dy(kind, sizes),
          weight(statistics, {sizes[1]}),
          bias(statistics, {sizes[1]}),
          running_mean(statistics, {sizes[1]}),
          running_var(statistics, {sizes[1]}),
          y(kind, sizes, y_view),
          save_mean(statistics, {sizes[1]}),
          save_invstd(statistics, {sizes[1]}) {
      x.fill_random(1);
      dy.fill_random(2);
      weight.fill_random(3);
      bias.fill_random(4);
      running_mean.fill_random(5);
      fill_scales(running_var, 6);
      save_mean.fill_random(7);
      fill_scales(save_invstd, 8);
    }

    std::int64_t places() const { return count_of({shape.begin() + 2, shape.end()}); }
    std::int64_t channel_of(std::int64_t i) const { return i / places() % shape[1]; }
    std::int64_t of_channel() const { return shape[0] * places(); }
    std::vector<const OpTensor*> tensors() const {
      return {&x, &dy, &weight, &bias, &running_mean, &running_var, &save_mean, &save_invstd};
    }
  };

  struct Moments {
    std::vector<Real> means;
    std::vector<Real> variances;  ///< over all elements
    std::vector<Real> sums;
    std::vector<Real> squares;
  };
  static Moments moments(const Batch& c) {
    const auto channels = static_cast<std::size_t>(c.shape[1]);
    Moments m{std::vector<Real>(channels), std::vector<Real>(channels), std::vector<Real>(channels),
              std::vector<Real>(channels)};
    const auto count = static_cast<Real>(c.of_channel());
    for (std::int64_t i = 0; i < c.x.count(); ++i) {
      const auto channel = static_cast<std::size_t>(c.channel_of(i));
      m.sums[channel] += c.x.before(i).real();
      m.squares[channel] += c.x.before(i).real() * c.x.before(i).real();
    }
    for (std::size_t k = 0; k < channels; ++k) m.means[k] = m.sums[k] / count;
    for (std::int64_t i = 0; i < c.x.count(); ++i) {
      const auto channel = static_cast<std::size_t>(c.channel_of(i));
      m.variances[channel] += std::pow(c.x.before(i).real() - m.means[channel], 2) / count;
    }
    return m;
  }

  static std::vector<Real> values(std::int64_t count, const std::function<Real(std::int64_t)>& value) {
    std::vector<Real> all;
    for (std::int64_t i = 0; i < count; ++i) all.push_back(value(i));
    return all;
  }
  static std::vector<Real> values(const OpTensor& tensor) {
    return values(tensor.count(), [&](std::int64_t i) { return tensor.before(i).real(); });
  }

  static void expect_normal(const Batch& c, const std::vector<std::byte>& bytes, const std::vector<Real>& means,
                            const std::vector<Real>& scales, bool affine = true) {
    expect_result(c.y, bytes,
                  values(c.x.count(),
                         [&](std::int64_t i) {
                           const std::int64_t channel = c.channel_of(i);
                           const auto k = static_cast<std::size_t>(channel);
                           const Real normal = (c.x.before(i).real() - means[k]) * scales[k];
                           return affine ? normal * c.weight.before(channel).real() + c.bias.before(channel).real()
                                         : normal;
                         }),
                  true);
  }

  static std::vector<Real> scales_of(const std::vector<Real>& variances) {
    return values(static_cast<std::int64_t>(variances.size()),
                  [&](std::int64_t i) { return 1 / std::sqrt(variances[static_cast<std::size_t>(i)] + kEpsilon); });
  }

  static void check_training(const Batch& c, bool running = true, bool affine = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.type);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnBatchNormGetWorkspaceSize(
              c.x.get(), affine ? c.weight.get() : nullptr, affine ? c.bias.get() : nullptr,
              running ? c.running_mean.get() : nullptr, running ? c.running_var.get() : nullptr, true, kMomentum,
              kEpsilon, c.y.get(), c.save_mean.get(), c.save_invstd.get(), n, e);
        },
        aclnnBatchNorm, c.tensors(), c.y);
    const Moments m = moments(c);
    expect_normal(c, bytes, m.means, scales_of(m.variances), affine);
    expect_result(c.save_mean, c.save_mean.download(), m.means, true);
    expect_result(c.save_invstd, c.save_invstd.download(), m.variances, true);  // what this generation keeps
    const auto count = static_cast<Real>(c.of_channel());
    const auto moved = [&](const OpTensor& from, const std::vector<Real>& to, Real factor) {
      return values(from.count(), [&](std::int64_t i) {
        return (1 - kMomentum) * from.before(i).real() + kMomentum * factor * to[static_cast<std::size_t>(i)];
      });
    };
    expect_result(c.running_mean, c.running_mean.download(), moved(c.running_mean, m.means, 1), running);
    expect_result(c.running_var, c.running_var.download(), moved(c.running_var, m.variances, count / (count - 1)),
                  running);
  }

  using BackwardPlan = std::function<aclnnStatus(const Batch&, const OpMask&, bool, uint64_t*, aclOpExecutor**,
                                                 const OpTensor&, const OpTensor&, const OpTensor&)>;

  static void check_backward(const Batch& c, bool training, unsigned mask, bool fast = false, bool has_weight = true) {
    SCOPED_TRACE(testing::Message() << "dtype " << c.type << ", mask " << mask << (training ? ", training" : ""));
    const OpTensor dw(c.weight.type(), c.weight.shape());
    const OpTensor db(c.weight.type(), c.weight.shape());
    const OpMask wanted(mask);
    if ((mask & 1U) == 0) c.y.also(c.y.get());  // what is not wanted is not looked at
    std::vector<const OpTensor*> tensors = c.tensors();
    tensors.push_back(&dw);
    tensors.push_back(&db);
    const auto plan = [&](uint64_t* n, aclOpExecutor** e) {
      aclTensor* const weight = has_weight ? c.weight.get() : nullptr;
      aclTensor* const mean = training ? nullptr : c.running_mean.get();
      aclTensor* const var = training ? nullptr : c.running_var.get();
      aclTensor* const save_mean = training ? c.save_mean.get() : nullptr;
      aclTensor* const save_invstd = training ? c.save_invstd.get() : nullptr;
      if (fast) {
        return aclnnFastBatchNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), weight, mean, var, save_mean,
                                                          save_invstd, training, kEpsilon, wanted.get(), 0, c.y.get(),
                                                          wanted.has(1, dw), wanted.has(2, db), n, e);
      }
      return aclnnBatchNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), weight, mean, var, save_mean, save_invstd,
                                                    training, kEpsilon, wanted.get(), c.y.get(), wanted.has(1, dw),
                                                    wanted.has(2, db), n, e);
    };
    const auto bytes = run(plan, fast ? aclnnFastBatchNormBackward : aclnnBatchNormBackward, tensors, c.y);
    const OpTensor& means = training ? c.save_mean : c.running_mean;
    const OpTensor& variances = training ? c.save_invstd : c.running_var;
    NormGradientCase given;
    given.count = c.x.count();
    given.rows = given.columns = c.shape[1];
    given.row_of = given.column_of = [&c](std::int64_t i) { return c.channel_of(i); };
    given.dy = [&c](std::int64_t i) { return c.dy.before(i).real(); };
    given.x = [&c](std::int64_t i) { return c.x.before(i).real(); };
    given.mean = [&](std::int64_t channel) { return means.before(channel).real(); };
    given.scale = [&](std::int64_t channel) { return 1 / std::sqrt(variances.before(channel).real() + kEpsilon); };
    given.gamma = [&](std::int64_t channel) { return has_weight ? c.weight.before(channel).real() : 1; };
    given.of_batch = training;
    const Gradients want = gradients(given);
    expect_result(c.y, bytes, want.dx, (mask & 1U) != 0);
    expect_result(dw, dw.download(), want.dgamma, (mask & 2U) != 0);
    expect_result(db, db.download(), want.dbeta, (mask & 4U) != 0);
  }
};

TEST_F(BatchNorms, NormaliseChannelsByTheirBatch) {
  for (const aclDataType type : kTypes) {
    check_training(Batch(type, {3, 5, 7, 11}));
    check_training(Batch(type, {37, 5}, type == ACL_BF16 ? ACL_FLOAT : type));
    check_training(Batch(type, {3, 5, 7}), false, false);
  }
  check_training(Batch(ACL_FLOAT, {2, 3, 2, 3, 5}));
  check_training(Batch(ACL_FLOAT, {3, 5, 4, 8}, ACL_FLOAT, {{1, 3, 15, 60}, 2}, {{320, 64, 16, 2}, 1}));
}

TEST_F(BatchNorms, OfLongBatchesAndPlanes) {
  check_training(Batch(ACL_FLOAT, {70001, 3}));
  check_training(Batch(ACL_FLOAT, {1, 2, 70001}));
  for (const bool training : {false, true}) {
    check_backward(Batch(ACL_FLOAT, {70001, 3}), training, 7);
    check_backward(Batch(ACL_FLOAT, {4099, 2, 5}), training, 7);
    check_backward(Batch(ACL_FLOAT, {1, 2, 70001}), training, 7);
  }
}

TEST_F(BatchNorms, NormaliseByRunningStatistics) {
  for (const aclDataType type : kTypes) {
    const Batch c(type, {3, 5, 7, 11});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnBatchNormGetWorkspaceSize(c.x.get(), c.weight.get(), c.bias.get(), c.running_mean.get(),
                                                c.running_var.get(), false, kMomentum, kEpsilon, c.y.get(),
                                                c.save_mean.get(), c.save_invstd.get(), n, e);
        },
        aclnnBatchNorm, c.tensors(), c.y);
    expect_normal(c, bytes, values(c.running_mean), scales_of(values(c.running_var)));
    for (const OpTensor* kept : {&c.save_mean, &c.save_invstd, &c.running_mean, &c.running_var}) {
      expect_result(*kept, kept->download(), values(*kept), false);
    }
  }
}

TEST_F(BatchNorms, OfNothingHaveNoStatistics) {
  const Batch c(ACL_FLOAT, {0, 3, 4});
  run(
      [&](auto* n, auto** e) {
        return aclnnBatchNormGetWorkspaceSize(c.x.get(), nullptr, nullptr, nullptr, nullptr, true, kMomentum, kEpsilon,
                                              c.y.get(), c.save_mean.get(), c.save_invstd.get(), n, e);
      },
      aclnnBatchNorm, c.tensors(), c.y);
  for (const OpTensor* saved : {&c.save_mean, &c.save_invstd}) {
    const auto bytes = saved->download();
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(saved->in(bytes, i).real())) << i;
  }
  check_backward(Batch(ACL_FLOAT, {0, 3, 4}), true, 7);
}

// The sample variance of one element is 0 / 0. torch.native_batch_norm writes NaN, too; its callers refuse such a
// batch.
TEST_F(BatchNorms, OfOneElementHaveNoSampleVariance) {
  const Batch c(ACL_FLOAT, {1, 3, 1});
  const auto bytes = run(
      [&](auto* n, auto** e) {
        return aclnnBatchNormGetWorkspaceSize(c.x.get(), c.weight.get(), c.bias.get(), c.running_mean.get(),
                                              c.running_var.get(), true, kMomentum, kEpsilon, c.y.get(),
                                              c.save_mean.get(), c.save_invstd.get(), n, e);
      },
      aclnnBatchNorm, c.tensors(), c.y);
  expect_result(c.y, bytes, values(c.bias), true);
  expect_result(c.save_mean, c.save_mean.download(), values(c.x), true);
  expect_result(c.save_invstd, c.save_invstd.download(), values(3, [](std::int64_t) { return Real(0); }), true);
  expect_result(c.running_mean, c.running_mean.download(),
                values(3,
                       [&](std::int64_t i) {
                         return (1 - kMomentum) * c.running_mean.before(i).real() + kMomentum * c.x.before(i).real();
                       }),
                true);
  const auto variances = c.running_var.download();
  for (std::int64_t i = 0; i < 3; ++i) EXPECT_TRUE(std::isnan(c.running_var.in(variances, i).real())) << i;
}

TEST_F(BatchNorms, GradientsWhateverIsWanted) {
  for (const aclDataType type : kTypes) {
    for (unsigned mask = 0; mask < 8; ++mask) {
      for (const bool training : {false, true}) check_backward(Batch(type, {3, 5, 7, 3}), training, mask);
    }
    check_backward(Batch(type, {37, 5}), true, 7, true);
    check_backward(Batch(type, {3, 5, 7}), true, 7, false, false);
  }
  check_backward(Batch(ACL_FLOAT, {3, 5, 4, 8}, ACL_FLOAT, {{1, 3, 15, 60}, 2}, {{320, 64, 16, 2}, 1}), true, 7);
}

// What the forward operator saves is what its gradient reads.
TEST_F(BatchNorms, ForwardAndGradientAreAPair) {
  const Batch c(ACL_FLOAT, {3, 5, 7, 11});
  const OpTensor dx(ACL_FLOAT, c.shape);
  const OpTensor dw(ACL_FLOAT, {5});
  const OpTensor db(ACL_FLOAT, {5});
  const OpMask all(7);
  for (const OpTensor* tensor : c.tensors()) tensor->upload();
  enqueue(
      [&](auto* n, auto** e) {
        return aclnnBatchNormGetWorkspaceSize(c.x.get(), c.weight.get(), c.bias.get(), nullptr, nullptr, true,
                                              kMomentum, kEpsilon, c.y.get(), c.save_mean.get(), c.save_invstd.get(), n,
                                              e);
      },
      aclnnBatchNorm);
  enqueue(
      [&](auto* n, auto** e) {
        return aclnnBatchNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), c.weight.get(), nullptr, nullptr,
                                                      c.save_mean.get(), c.save_invstd.get(), true, kEpsilon, all.get(),
                                                      dx.get(), dw.get(), db.get(), n, e);
      },
      aclnnBatchNormBackward);
  ASSERT_EQ(aclrtSynchronizeStream(stream()), 0);
  const Moments m = moments(c);
  const std::vector<Real> scales = scales_of(m.variances);
  NormGradientCase given;
  given.count = c.x.count();
  given.rows = given.columns = 5;
  given.row_of = given.column_of = [&c](std::int64_t i) { return c.channel_of(i); };
  given.dy = [&c](std::int64_t i) { return c.dy.before(i).real(); };
  given.x = [&c](std::int64_t i) { return c.x.before(i).real(); };
  given.mean = [&](std::int64_t channel) { return m.means[static_cast<std::size_t>(channel)]; };
  given.scale = [&](std::int64_t channel) { return scales[static_cast<std::size_t>(channel)]; };
  given.gamma = [&](std::int64_t channel) { return c.weight.before(channel).real(); };
  const Gradients want = gradients(given);
  const auto expect = [&](const OpTensor& out, const std::vector<Real>& expected) {
    expect_elements(
        out, out.download(), [&](std::int64_t i) -> Number { return expected[static_cast<std::size_t>(i)]; }, false);
  };
  expect(dx, want.dx);
  expect(dw, want.dgamma);
  expect(db, want.dbeta);
}

TEST_F(BatchNorms, StatisticsOfABatchThatLiesOnOneDevice) {
  for (const aclDataType type : kTypes) {
    for (const Shape& shape : {Shape{3, 5, 7, 11}, Shape{37, 5}}) {
      const Batch c(type, shape);
      const OpTensor second(ACL_FLOAT, {5});
      const OpTensor first(ACL_FLOAT, {5});
      const Moments m = moments(c);
      auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnBatchNormStatsGetWorkspaceSize(c.x.get(), kEpsilon, second.get(), first.get(), n, e);
          },
          aclnnBatchNormStats, {&c.x, &second}, first);
      expect_result(first, bytes, scales_of(m.variances), true);
      expect_result(second, second.download(), m.means, true);
      bytes = run(
          [&](auto* n, auto** e) {
            return aclnnBatchNormReduceGetWorkspaceSize(c.x.get(), first.get(), second.get(), n, e);
          },
          aclnnBatchNormReduce, {&c.x, &second}, first);
      expect_result(first, bytes, m.sums, true);
      expect_result(second, second.download(), m.squares, true);
    }
  }
}

TEST_F(BatchNorms, ElementsByStatisticsThatAreGiven) {
  for (const aclDataType type : kTypes) {
    const Batch c(type, {3, 5, 7, 11});
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnBatchNormElemtGetWorkspaceSize(c.x.get(), c.weight.get(), c.bias.get(), c.save_mean.get(),
                                                     c.save_invstd.get(), kEpsilon, c.y.get(), n, e);
        },
        aclnnBatchNormElemt, c.tensors(), c.y);
    expect_normal(c, bytes, values(c.save_mean), values(c.save_invstd));
  }
}

// 1 / deviation of each device, or sums and sums of squares; joined they are those of all elements.
TEST_F(BatchNorms, StatisticsOfSeveralDevicesAreJoined) {
  for (const bool sums : {false, true}) {
    OpTensor first(ACL_FLOAT, {4, 7});
    OpTensor second(ACL_FLOAT, {4, 7});
    OpTensor counts(sums ? ACL_INT32 : ACL_FLOAT, {4});
    OpTensor input(ACL_FLOAT, {2, 7, 3});
    OpTensor running_mean(ACL_FLOAT, {7});
    OpTensor running_var(ACL_FLOAT, {7});
    const Real each[] = {3, 17, 5, 40};
    counts.fill([&](std::int64_t i) { return each[i]; });
    running_mean.fill_random(1);
    fill_scales(running_var, 2);
    input.fill_random(3);
    first.fill_random(4);
    if (sums) {  // of elements with a variance of 1 to 7
      second.fill([&](std::int64_t i) {
        const Real n = each[i / 7];
        const Real s = first.before(i).real();
        return s * s / n + n * Real(1 + i % 7);
      });
    } else {
      fill_scales(second, 5);
    }
    const OpTensor mean(ACL_FLOAT, {7});
    const OpTensor invstd(ACL_FLOAT, {7});
    const auto plan = [&](uint64_t* n, aclOpExecutor** e) {
      if (sums) {
        return aclnnSyncBatchNormGatherStatsGetWorkspaceSize(first.get(), second.get(), counts.get(),
                                                             running_mean.get(), running_var.get(), 0.1F, 1e-3F,
                                                             mean.get(), invstd.get(), n, e);
      }
      return aclnnBatchNormGatherStatsWithCountsGetWorkspaceSize(
          input.get(), first.get(), second.get(), running_mean.get(), running_var.get(), kMomentum, kEpsilon,
          counts.get(), mean.get(), invstd.get(), n, e);
    };
    const auto bytes = run(plan, sums ? aclnnSyncBatchNormGatherStats : aclnnBatchNormGatherStatsWithCounts,
                           {&first, &second, &counts, &input, &running_mean, &running_var, &invstd}, mean);
    const Real all = 65;
    std::vector<Real> means(7);
    std::vector<Real> variances(7);
    for (std::int64_t i = 0; i < 28; ++i) {
      means[static_cast<std::size_t>(i % 7)] += first.before(i).real() * (sums ? 1 : each[i / 7]) / all;
    }
    for (std::int64_t i = 0; i < 28; ++i) {
      const auto k = static_cast<std::size_t>(i % 7);
      const Real s = second.before(i).real();
      const Real difference = first.before(i).real() - means[k];
      variances[k] += sums ? s / all : each[i / 7] * (1 / (s * s) - kEpsilon + difference * difference) / all;
    }
    for (std::size_t k = 0; sums && k < 7; ++k) variances[k] -= means[k] * means[k];
    expect_result(mean, bytes, means, true);
    expect_result(invstd, invstd.download(), scales_of(variances), true);
    const auto moved = [&](const OpTensor& from, const std::vector<Real>& to, Real factor) {
      return values(7, [&](std::int64_t i) {
        return (1 - kMomentum) * from.before(i).real() + kMomentum * factor * to[static_cast<std::size_t>(i)];
      });
    };
    expect_result(running_mean, running_mean.download(), moved(running_mean, means, 1), true);
    expect_result(running_var, running_var.download(), moved(running_var, variances, all / (all - 1)), true);
  }
}

TEST_F(BatchNorms, GradientsInTwoStepsAreThoseOfOne) {
  for (const aclDataType type : kTypes) {
    for (unsigned mask = 0; mask < 8; ++mask) {
      const Batch c(type, {3, 5, 7, 3});
      const OpTensor sum_dy(ACL_FLOAT, {5});
      if ((mask & 1U) == 0) sum_dy.also(sum_dy.get());  // what is not wanted is not looked at
      const OpTensor sum_dy_xmu(ACL_FLOAT, {5});
      const OpTensor dw(ACL_FLOAT, {5});
      const OpTensor db(ACL_FLOAT, {5});
      const auto if_bit = [&](unsigned bit, const OpTensor& tensor) {
        return (mask >> bit & 1U) != 0 ? tensor.get() : nullptr;
      };
      std::vector<const OpTensor*> tensors = c.tensors();
      for (const OpTensor* tensor : {&sum_dy_xmu, &dw, &db}) tensors.push_back(tensor);
      const auto bytes = run(
          [&](auto* n, auto** e) {
            return aclnnBatchNormReduceBackwardGetWorkspaceSize(
                c.dy.get(), c.x.get(), c.save_mean.get(), c.save_invstd.get(), c.weight.get(), (mask & 1U) != 0,
                (mask & 2U) != 0, (mask & 4U) != 0, if_bit(0, sum_dy), if_bit(0, sum_dy_xmu), if_bit(1, dw),
                if_bit(2, db), n, e);
          },
          aclnnBatchNormReduceBackward, tensors, sum_dy);
      std::vector<Real> sums(5);
      std::vector<Real> products(5);
      for (std::int64_t i = 0; i < c.x.count(); ++i) {
        const std::int64_t channel = c.channel_of(i);
        const auto k = static_cast<std::size_t>(channel);
        sums[k] += c.dy.before(i).real();
        products[k] += c.dy.before(i).real() * (c.x.before(i).real() - c.save_mean.before(channel).real());
      }
      expect_result(sum_dy, bytes, sums, (mask & 1U) != 0);
      expect_result(sum_dy_xmu, sum_dy_xmu.download(), products, (mask & 1U) != 0);
      expect_result(db, db.download(), sums, (mask & 4U) != 0);
      for (std::size_t k = 0; k < 5; ++k) products[k] *= c.save_invstd.before(static_cast<std::int64_t>(k)).real();
      expect_result(dw, dw.download(), products, (mask & 2U) != 0);
    }
    const Batch c(type, {3, 5, 7, 3});
    OpTensor sums(ACL_FLOAT, {5});
    OpTensor products(ACL_FLOAT, {5});
    OpTensor counter(ACL_INT32, {3});
    sums.fill_random(11);
    products.fill_random(12);
    counter.fill([](std::int64_t i) { return Real(20 + i); });
    std::vector<const OpTensor*> tensors = c.tensors();
    for (const OpTensor* tensor : {&sums, &products, &counter}) tensors.push_back(tensor);
    const auto bytes = run(
        [&](auto* n, auto** e) {
          return aclnnBatchNormElemtBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), c.save_mean.get(),
                                                             c.save_invstd.get(), c.weight.get(), sums.get(),
                                                             products.get(), counter.get(), c.y.get(), n, e);
        },
        aclnnBatchNormElemtBackward, tensors, c.y);
    expect_result(c.y, bytes,
                  values(c.x.count(),
                         [&](std::int64_t i) {
                           const std::int64_t channel = c.channel_of(i);
                           const Real invstd = c.save_invstd.before(channel).real();
                           const Real difference = c.x.before(i).real() - c.save_mean.before(channel).real();
                           return (c.dy.before(i).real() - sums.before(channel).real() / 63 -
                                   difference * invstd * invstd * products.before(channel).real() / 63) *
                                  invstd * c.weight.before(channel).real();
                         }),
                  true);
  }
}

TEST_F(BatchNorms, AreRefusedWhereTensorsDoNotFit) {
  const Batch c(ACL_FLOAT, {3, 5, 4});
  const OpTensor six(ACL_FLOAT, {6});
  const OpTensor integers(ACL_INT32, {5});
  uint64_t n = 0;
  aclOpExecutor* e = nullptr;
  const auto plan = [&](auto* x, auto* weight, auto* mean, bool training, auto* y, auto* save) {
    return aclnnBatchNormGetWorkspaceSize(x, weight, nullptr, mean, c.running_var.get(), training, kMomentum, kEpsilon,
                                          y, save, c.save_invstd.get(), &n, &e);
  };
  aclTensor* none = nullptr;
  EXPECT_EQ(plan(none, none, none, true, c.y.get(), c.save_mean.get()), 161001);
  EXPECT_EQ(plan(c.x.get(), none, none, true, none, c.save_mean.get()), 161001);
  EXPECT_EQ(plan(c.x.get(), none, none, true, c.y.get(), none), 161001);
  EXPECT_EQ(plan(c.x.get(), none, none, false, c.y.get(), none), 161001) << "without training there must be a mean";
  EXPECT_EQ(plan(c.x.get(), integers.get(), none, true, c.y.get(), c.save_mean.get()), 161002);
  EXPECT_EQ(plan(c.x.get(), six.get(), none, true, c.y.get(), c.save_mean.get()), 161002);
  EXPECT_EQ(plan(c.x.get(), none, six.get(), true, c.y.get(), c.save_mean.get()), 161002);
  EXPECT_EQ(plan(c.x.get(), none, none, true, six.get(), c.save_mean.get()), 161002);
  EXPECT_EQ(plan(c.x.get(), none, none, true, c.y.get(), six.get()), 161002);
  EXPECT_EQ(plan(six.get(), none, none, true, six.get(), c.save_mean.get()), 161002) << "no dim for channels";
  const OpMask all(7);
  EXPECT_EQ(aclnnBatchNormBackwardGetWorkspaceSize(c.dy.get(), c.x.get(), nullptr, nullptr, nullptr, nullptr,
                                                   c.save_invstd.get(), true, kEpsilon, all.get(), c.y.get(),
                                                   c.bias.get(), c.weight.get(), &n, &e),
            161001);
}

}  // namespace
}  // namespace aclvk::test
