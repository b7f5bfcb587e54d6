#include <array>
#include <cmath>
#include <memory>

#include "aclnnop/aclnn_apply_adam.h"
#include "aclnnop/aclnn_apply_adam_w.h"
#include "aclnnop/aclnn_apply_adam_w_quant.h"
#include "aclnnop/aclnn_apply_fused_ema_adam.h"
#include "support/op_arguments.hpp"

// Steps of Adam whose numbers are tensors, with an average, and with moments of eight bits, against their formulas in
// long double.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

constexpr Real kRate = 0.25L;
constexpr Real kBeta1 = 0.875L;
constexpr Real kBeta2 = 0.96875L;
constexpr Real kPower1 = 0.5L;
constexpr Real kPower2 = 0.75L;
constexpr Real kDecay = 0.125L;
constexpr Real kEpsilon = 0x1p-10L;

/// A tensor of one element.
struct One : OpTensor {
  One(aclDataType type, Real value, const Shape& shape = {1}) : OpTensor(type, shape) {
    fill([=](std::int64_t) { return value; });
  }
};

/// Variable, m, v, and the highest v or the average.
using State = std::array<Real, 4>;

/// The tensors of a step. Second moments are positive.
struct Step {
  Step(aclDataType type, const Shape& shape, const View& view = {}) : gradient(type, shape) {
    for (unsigned i = 0; i < 4; ++i) {
      states[i] = std::make_unique<OpTensor>(type, shape, i == 0 || i == 2 ? view : View{});
      states[i]->fill_random(i + 1);
    }
    for (const unsigned i : {2U, 3U}) {
      states[i]->fill([=](std::int64_t k) { return Real((k * 7 + i) % 13 + 1) / 16; });
    }
    gradient.fill_random(9);
  }
  State before(std::int64_t i) const {
    return {states[0]->before(i).real(), states[1]->before(i).real(), states[2]->before(i).real(),
            states[3]->before(i).real()};
  }
  std::array<std::unique_ptr<OpTensor>, 4> states;
  OpTensor gradient;
};

class ApplyAdam : public OpTest {
 protected:
  using Meaning = std::function<State(const State&, Real)>;

  static void check(const Plan& plan, Launch launch, const Step& step, const std::vector<const OpTensor*>& numbers,
                    const Meaning& meaning) {
    std::vector<const OpTensor*> inputs = numbers;
    inputs.push_back(&step.gradient);
    for (const auto& state : step.states) inputs.push_back(state.get());
    run(plan, launch, inputs, *step.states[0]);
    for (std::size_t k = 0; k < 4; ++k) {
      SCOPED_TRACE("state " + std::to_string(k));
      const OpTensor& state = *step.states[k];
      const auto bytes = state.download();
      EXPECT_TRUE(state.only_elements_changed(bytes));
      expect_elements(
          state, bytes,
          [&](std::int64_t i) {
            return rounded(meaning(step.before(i), step.gradient.before(i).real())[k], state.type());
          },
          false);
    }
  }
};

TEST_F(ApplyAdam, TakesTheStepOfTensorFlow) {
  for (const aclDataType type : kFloats) {
    for (const bool nesterov : {false, true}) {
      for (const Shape& shape : {Shape{11, 13}, Shape{}, Shape{5003}, Shape{0, 3}}) {
        if (shape.size() != 2 && (type != ACL_FLOAT || nesterov)) continue;  // each is a kernel of its own
        SCOPED_TRACE("dtype " + std::to_string(type));
        const Step step(type, shape, shape.size() == 2 && shape[0] > 0 ? View{{2, 23}, 3} : View{});
        const One power1(type, kPower1, {});
        const One power2(type, kPower2);
        const One rate(type, kRate);
        const One beta1(type, kBeta1);
        const One beta2(type, kBeta2);
        const One epsilon(type, kEpsilon);
        check(
            [&](auto* n, auto** e) {
              return aclnnApplyAdamGetWorkspaceSize(step.states[0]->get(), step.states[1]->get(), step.states[2]->get(),
                                                    power1.get(), power2.get(), rate.get(), beta1.get(), beta2.get(),
                                                    epsilon.get(), step.gradient.get(), true, nesterov, n, e);
            },
            aclnnApplyAdam, step, {&power1, &power2, &rate, &beta1, &beta2, &epsilon},
            [&](const State& before, Real g) -> State {
              const Real m = before[1] + (g - before[1]) * (1 - kBeta1);
              const Real v = before[2] + (g * g - before[2]) * (1 - kBeta2);
              const Real corrected = kRate * std::sqrt(1 - kPower2) / (1 - kPower1);
              const Real along = nesterov ? m * kBeta1 + (1 - kBeta1) * g : m;
              return {before[0] - corrected * along / (std::sqrt(v) + kEpsilon), m, v, before[3]};
            });
      }
    }
  }
}

TEST_F(ApplyAdam, DecaysWeightsSeparatelyFromTheGradient) {
  for (const aclDataType type : kFloats) {
    for (const bool amsgrad : {false, true}) {
      for (const bool maximize : {false, true}) {
        SCOPED_TRACE("dtype " + std::to_string(type));
        const Step step(type, {7, 19}, {{2, 15}, 1});
        const One power1(type, kPower1);
        const One power2(type, kPower2);
        const One rate(ACL_FLOAT, kRate);
        const One decay(type, kDecay);
        const One beta1(type, kBeta1);
        const One beta2(type, kBeta2);
        const One epsilon(type, kEpsilon);
        check(
            [&](auto* n, auto** e) {
              return aclnnApplyAdamWGetWorkspaceSize(
                  step.states[0]->get(), step.states[1]->get(), step.states[2]->get(), power1.get(), power2.get(),
                  rate.get(), decay.get(), beta1.get(), beta2.get(), epsilon.get(), step.gradient.get(),
                  amsgrad ? step.states[3]->get() : nullptr, amsgrad, maximize, n, e);
            },
            aclnnApplyAdamW, step, {&power1, &power2, &rate, &decay, &beta1, &beta2, &epsilon},
            [&](const State& before, Real given) -> State {
              const Real g = maximize ? -given : given;
              const Real m = before[1] * kBeta1 + (1 - kBeta1) * g;
              const Real v = before[2] * kBeta2 + (1 - kBeta2) * g * g;
              const Real highest = amsgrad ? std::max(before[3], v) : before[3];
              const Real root = std::sqrt((amsgrad ? highest : v) / (1 - kPower2)) + kEpsilon;
              const Real x = before[0] * (1 - kRate * kDecay) - kRate / (1 - kPower1) * m / root;
              return {x, m, v, highest};
            });
      }
    }
  }
}

TEST_F(ApplyAdam, KeepsAnAverageOfTheVariable) {
  constexpr Real kAverage = 0.75L;
  constexpr Real kStep = 3;
  for (const aclDataType type : kFloats) {
    for (const std::int64_t mode : {0, 1}) {
      for (const bool corrects : {false, true}) {
        SCOPED_TRACE("dtype " + std::to_string(type));
        const Step step(type, {13, 7}, {{1, 17}, 2});
        OpTensor number(corrects ? ACL_INT64 : ACL_FLOAT, {3});  // the first one counts
        number.fill([](std::int64_t i) -> Number { return i == 0 ? kStep : 99; });
        check(
            [&](auto* n, auto** e) {
              return aclnnApplyFusedEmaAdamGetWorkspaceSize(step.gradient.get(), step.states[0]->get(),
                                                            step.states[1]->get(), step.states[2]->get(),
                                                            step.states[3]->get(), number.get(), 0.25, 0.75, 0.875,
                                                            0.96875, 0x1p-10, mode, corrects, 0.125, n, e);
            },
            aclnnApplyFusedEmaAdam, step, {&number},
            [&](const State& before, Real given) -> State {
              const Real g = mode == 0 ? given + kDecay * before[0] : given;
              const Real m = before[1] * kBeta1 + (1 - kBeta1) * g;
              const Real v = before[2] * kBeta2 + (1 - kBeta2) * g * g;
              const Real m_hat = corrects ? m / (1 - std::pow(kBeta1, kStep)) : m;
              const Real v_hat = corrects ? v / (1 - std::pow(kBeta2, kStep)) : v;
              Real update = m_hat / (std::sqrt(v_hat) + kEpsilon);
              if (mode == 1) update += kDecay * before[0];
              const Real x = before[0] - kRate * update;
              return {x, m, v, kAverage * before[3] + (1 - kAverage) * x};
            });
      }
    }
  }
}

TEST_F(ApplyAdam, RefusesOthers) {
  const Step step(ACL_FLOAT, {4});
  const One one(ACL_FLOAT, 0.5);
  const One wrong(ACL_DOUBLE, 0.5);
  const OpTensor two(ACL_FLOAT, {2});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto adam = [&](aclTensor* x, const aclTensor* m, const aclTensor* rate) {
    return aclnnApplyAdamGetWorkspaceSize(x, m, step.states[2]->get(), one.get(), one.get(), rate, one.get(), one.get(),
                                          one.get(), step.gradient.get(), false, false, &size, &executor);
  };
  EXPECT_EQ(adam(nullptr, step.states[1]->get(), one.get()), 161001);
  EXPECT_EQ(adam(step.states[0]->get(), nullptr, one.get()), 161001);
  EXPECT_EQ(adam(step.states[0]->get(), step.states[1]->get(), nullptr), 161001);
  EXPECT_EQ(adam(step.states[0]->get(), step.states[1]->get(), wrong.get()), 161002);
  EXPECT_EQ(adam(step.states[0]->get(), step.states[1]->get(), two.get()), 161002);
  EXPECT_EQ(adam(step.states[0]->get(), two.get(), one.get()), 161002);
  EXPECT_EQ(aclnnApplyAdamWGetWorkspaceSize(step.states[0]->get(), step.states[1]->get(), step.states[2]->get(),
                                            one.get(), one.get(), one.get(), one.get(), one.get(), one.get(), one.get(),
                                            step.gradient.get(), nullptr, true, false, &size, &executor),
            161001);
  EXPECT_EQ(aclnnApplyFusedEmaAdamGetWorkspaceSize(step.gradient.get(), step.states[0]->get(), step.states[1]->get(),
                                                   step.states[2]->get(), step.states[3]->get(), one.get(), 0.1, 0.9,
                                                   0.9, 0.9, 1e-8, 2, true, 0, &size, &executor),
            161002);
  EXPECT_EQ(executor, nullptr);
}

/// Moments of eight bits: codes of numbers from -1 to 1, or from 0 to 1, times the largest of a block.
class QuantAdam : public OpTest {
 protected:
  static constexpr std::int64_t kCodes = 256;

  static Real first_number(std::int64_t code) { return (Real(code) - 128) / 128 + (code > 128 ? 1 / 128.0L : 0); }
  static Real second_number(std::int64_t code) { return Real(code * code) / (255 * 255); }

  static void check(aclDataType type, std::int64_t count, std::int64_t block, const View& view = {}) {
    SCOPED_TRACE(testing::Message() << "dtype " << type << ", " << count << " elements");
    constexpr Real kScale = 0.5L;
    const std::int64_t blocks = count / block + (count % block > 0 ? 1 : 0);
    OpTensor x(type, {count}, view);
    OpTensor g(type, {count});
    OpTensor m(ACL_UINT8, {count}, view);
    OpTensor v(ACL_UINT8, {count});
    OpTensor first_map(ACL_FLOAT, {kCodes});
    OpTensor second_map(ACL_FLOAT, {kCodes});
    OpTensor first_most(ACL_FLOAT, {blocks});
    OpTensor second_most(ACL_FLOAT, {blocks});
    const One step(ACL_INT64, 3);
    x.fill_random(1);
    g.fill_random(2);
    m.fill([](std::int64_t i) { return Real(i * 37 % 256); });
    v.fill([](std::int64_t i) { return Real(i * 11 % 256); });
    first_map.fill([](std::int64_t i) { return first_number(i); });
    second_map.fill([](std::int64_t i) { return second_number(i); });
    first_most.fill([](std::int64_t i) { return Real(i + 1) / 4; });
    second_most.fill([](std::int64_t i) { return Real(i + 2) / 8; });
    run(
        [&](auto* n, auto** e) {
          return aclnnApplyAdamWQuantGetWorkspaceSize(x.get(), g.get(), m.get(), v.get(), first_map.get(),
                                                      second_map.get(), first_most.get(), second_most.get(), step.get(),
                                                      0.25, 0.875, 0.96875, 0.125, 0x1p-10, 0.5,
                                                      const_cast<char*>("BLOCKWISE"), block, n, e);
        },
        aclnnApplyAdamWQuant, {&g, &m, &v, &first_map, &second_map, &first_most, &second_most, &step}, x);
    std::vector<Real> first(static_cast<std::size_t>(count));
    std::vector<Real> second(first.size());
    std::vector<Real> most1(static_cast<std::size_t>(blocks));
    std::vector<Real> most2(most1.size());
    for (std::int64_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const std::int64_t in = i / block;
      const Real gradient = g.before(i).real() * kScale;
      first[at] = kBeta1 * first_map.before(static_cast<std::int64_t>(m.before(i).real())).real() *
                      first_most.before(in).real() +
                  (1 - kBeta1) * gradient;
      second[at] = kBeta2 * second_map.before(static_cast<std::int64_t>(v.before(i).real())).real() *
                       second_most.before(in).real() +
                   (1 - kBeta2) * gradient * gradient;
      most1[static_cast<std::size_t>(in)] = std::max(most1[static_cast<std::size_t>(in)], std::abs(first[at]));
      most2[static_cast<std::size_t>(in)] = std::max(most2[static_cast<std::size_t>(in)], second[at]);
    }
    expect_elements(
        x, x.download(),
        [&](std::int64_t i) {
          const auto at = static_cast<std::size_t>(i);
          const Real root = std::sqrt(second[at] / (1 - std::pow(kBeta2, 3))) + kEpsilon;
          const Real update = kRate / (1 - std::pow(kBeta1, 3)) * first[at] / root;
          return rounded(x.before(i).real() * (1 - kRate * kDecay) - update, type);
        },
        false);
    expect_elements(
        first_most, first_most.download(), [&](std::int64_t i) { return Number(most1[static_cast<std::size_t>(i)]); },
        false);
    expect_elements(
        second_most, second_most.download(), [&](std::int64_t i) { return Number(most2[static_cast<std::size_t>(i)]); },
        false);
    check_codes(m, first, most1, block, first_number);
    check_codes(v, second, most2, block, second_number);
  }

  /// No code is nearer than the one that was chosen.
  static void check_codes(const OpTensor& codes, const std::vector<Real>& moments, const std::vector<Real>& most,
                          std::int64_t block, Real (*number)(std::int64_t)) {
    const auto bytes = codes.download();
    EXPECT_TRUE(codes.only_elements_changed(bytes));
    for (std::int64_t i = 0; i < codes.count(); ++i) {
      const auto code = static_cast<std::int64_t>(codes.in(bytes, i).real());
      const Real wanted = moments[static_cast<std::size_t>(i)] / most[static_cast<std::size_t>(i / block)];
      Real best = 4;
      for (std::int64_t other = 0; other < kCodes; ++other) best = std::min(best, std::abs(number(other) - wanted));
      ASSERT_LE(std::abs(number(code) - wanted), best + 1e-6L) << "code " << code << " of element " << i;
    }
  }
};

TEST_F(QuantAdam, TakesStepsOfBlocks) {
  for (const aclDataType type : kFloats) {
    check(type, 1024, 256);
    check(type, 1000, 256);
  }
  for (const std::int64_t block : {std::int64_t{256}, std::int64_t{1} << 32, INT64_MAX}) check(ACL_FLOAT, 7, block);
  check(ACL_FLOAT, 301, 64, {{3}, 1});
  check(ACL_FLOAT16, 129, 100, {{1}, 3});
}

TEST_F(QuantAdam, LeavesElementsWithoutAFiniteGradient) {
  OpTensor x(ACL_FLOAT, {2});
  OpTensor g(ACL_FLOAT, {2});
  OpTensor m(ACL_UINT8, {2});
  OpTensor v(ACL_UINT8, {2});
  OpTensor map(ACL_FLOAT, {kCodes});
  OpTensor most(ACL_FLOAT, {1});
  OpTensor other(ACL_FLOAT, {1});
  const One step(ACL_FLOAT, 1);
  x.fill([](std::int64_t) { return 3; });
  g.fill([](std::int64_t i) { return i == 0 ? std::numeric_limits<Real>::infinity() : Real(2); });
  m.fill([](std::int64_t) { return 255; });
  v.fill([](std::int64_t) { return 255; });
  map.fill([](std::int64_t i) { return second_number(i); });
  most.fill([](std::int64_t) { return 1; });
  other.fill([](std::int64_t) { return 1; });
  run(
      [&](auto* n, auto** e) {
        return aclnnApplyAdamWQuantGetWorkspaceSize(x.get(), g.get(), m.get(), v.get(), map.get(), map.get(),
                                                    most.get(), other.get(), step.get(), 0.5, 0.5, 0.5, 0, 0, 1,
                                                    nullptr, 256, n, e);
      },
      aclnnApplyAdamWQuant, {&g, &m, &v, &map, &most, &other, &step}, x);
  expect_elements(
      x, x.download(), [](std::int64_t i) { return Number(i == 0 ? Real(3) : 3 - 0.5L * 3 / std::sqrt(5.0L)); }, false);
  const auto codes = m.download();
  EXPECT_EQ(m.in(codes, 0).real(), 0);
  EXPECT_EQ(m.in(codes, 1).real(), 255);
}

TEST_F(QuantAdam, RefusesOthers) {
  const OpTensor x(ACL_FLOAT, {300});
  const OpTensor codes(ACL_UINT8, {300});
  const OpTensor map(ACL_FLOAT, {256});
  const OpTensor most(ACL_FLOAT, {2});
  const One step(ACL_INT64, 1);
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const aclTensor* first_map, aclTensor* m, aclTensor* first_most, const char* mode,
                        std::int64_t block) {
    return aclnnApplyAdamWQuantGetWorkspaceSize(x.get(), x.get(), m, codes.get(), first_map, map.get(), first_most,
                                                most.get(), step.get(), 0.5, 0.5, 0.5, 0, 0, 1, const_cast<char*>(mode),
                                                block, &size, &executor);
  };
  EXPECT_EQ(plan(nullptr, codes.get(), most.get(), nullptr, 256), 161001);
  EXPECT_EQ(plan(map.get(), x.get(), most.get(), nullptr, 256), 161002);
  EXPECT_EQ(plan(most.get(), codes.get(), most.get(), nullptr, 256), 161002);
  EXPECT_EQ(plan(map.get(), codes.get(), map.get(), nullptr, 256), 161002);
  EXPECT_EQ(plan(map.get(), codes.get(), most.get(), "ROWWISE", 256), 161002);
  EXPECT_EQ(plan(map.get(), codes.get(), most.get(), nullptr, 0), 161002);
  EXPECT_EQ(plan(map.get(), codes.get(), most.get(), nullptr, 64), 161002);
  EXPECT_EQ(executor, nullptr);
}

// Some drivers end a thread's loops after 65535 iterations (shaders/common/bounded_loop.glsl).
TEST_F(QuantAdam, RefusesBlocksThatALoopDoesNotReach) {
  constexpr std::int64_t kCount = 1915905;
  const OpTensor x(ACL_FLOAT, {kCount});
  const OpTensor codes(ACL_UINT8, {kCount});
  const OpTensor map(ACL_FLOAT, {256});
  const One step(ACL_INT64, 1);
  const auto plan = [&](std::int64_t block) {
    const OpTensor most(ACL_FLOAT, {(kCount + block - 1) / block});
    uint64_t size = 0;
    aclOpExecutor* executor = nullptr;
    const aclnnStatus status = aclnnApplyAdamWQuantGetWorkspaceSize(
        x.get(), x.get(), codes.get(), OpTensor(ACL_UINT8, {kCount}).get(), map.get(), map.get(), most.get(),
        OpTensor(ACL_FLOAT, most.shape()).get(), step.get(), 0.5, 0.5, 0.5, 0, 0, 1, nullptr, block, &size, &executor);
    if (status == 0) aclDestroyAclOpExecutor(executor);
    return status;
  };
  EXPECT_EQ(plan(kCount - 1), 0);
  EXPECT_EQ(plan(kCount), 207000);
}

}  // namespace
}  // namespace aclvk::test
