#include <array>
#include <cmath>
#include <memory>

#include "aclnnop/aclnn_apply_adam_w_v2.h"
#include "aclnnop/aclnn_fused_adamw.h"
#include "aclnnop/aclnn_fused_sgd.h"
#include "support/op_arguments.hpp"

// Steps of optimizers, against torch's formulas in long double.

namespace aclvk::test {
namespace {

constexpr aclDataType kFloats[] = {ACL_FLOAT, ACL_FLOAT16, ACL_BF16};

struct AdamOptions {
  Real step = 3;
  bool amsgrad = false;
  bool maximize = false;
  Real scale = 1;
};

constexpr float kRate = 0.25F;
constexpr float kBeta1 = 0.875F;
constexpr float kBeta2 = 0.96875F;
constexpr float kDecay = 0.125F;
constexpr float kEpsilon = 0.0009765625F;

/// What an element becomes: variable, first and second moment, highest second moment.
using AdamState = std::array<Real, 4>;

AdamState adam(const AdamState& before, Real gradient, const AdamOptions& options) {
  Real g = gradient / options.scale;
  if (options.maximize) g = -g;
  const Real m = kBeta1 * before[1] + (1 - Real{kBeta1}) * g;
  const Real v = kBeta2 * before[2] + (1 - Real{kBeta2}) * g * g;
  const Real highest = std::max(before[3], v);
  const Real correction1 = 1 - std::pow(Real{kBeta1}, options.step);
  const Real correction2 = 1 - std::pow(Real{kBeta2}, options.step);
  const Real denominator = std::sqrt((options.amsgrad ? highest : v) / correction2) + kEpsilon;
  const Real x = before[0] * (1 - Real{kRate} * kDecay) - kRate / correction1 * m / denominator;
  return {x, m, v, options.amsgrad ? highest : before[3]};
}

/// The tensors of one member; states are variable, m, v, highest.
struct Member {
  Member(aclDataType type, const Shape& shape, unsigned seed, aclDataType step_type = ACL_FLOAT, const View& view = {},
         const Shape& step_shape = {1})
      : gradient(type, shape), step(step_type, step_shape) {
    for (unsigned i = 0; i < 4; ++i) {
      states[i] = std::make_unique<OpTensor>(type, shape, i == 0 ? view : View{});
      states[i]->fill_random(seed + i);
    }
    for (const unsigned i : {2U, 3U}) {
      states[i]->fill([=](std::int64_t k) { return Real((k * 7 + i) % 13 + 1) / 16; });
    }
    gradient.fill_random(seed + 5);
    step.fill([](std::int64_t i) { return i == 0 ? 3 : 99; });
  }
  AdamState before(std::int64_t i) const {
    return {states[0]->before(i).real(), states[1]->before(i).real(), states[2]->before(i).real(),
            states[3]->before(i).real()};
  }
  std::array<std::unique_ptr<OpTensor>, 4> states;
  OpTensor gradient;
  OpTensor step;
};

class Optimizers : public OpTest {
 protected:
  /// Runs with the first state as the output, and compares all.
  static void check(const Plan& plan, Launch launch, const std::vector<const Member*>& members,
                    const std::vector<const OpTensor*>& others, const AdamOptions& options, bool changes = true) {
    std::vector<const OpTensor*> inputs = others;
    for (const Member* member : members) {
      for (const auto& state : member->states) inputs.push_back(state.get());
      inputs.push_back(&member->gradient);
      inputs.push_back(&member->step);
    }
    run(plan, launch, inputs, *members.front()->states[0]);
    for (const Member* member : members) {
      for (std::size_t k = 0; k < 4; ++k) {
        const OpTensor& state = *member->states[k];
        SCOPED_TRACE("state " + std::to_string(k));
        const auto bytes = state.download();
        EXPECT_TRUE(state.only_elements_changed(bytes));
        expect_elements(
            state, bytes,
            [&](std::int64_t i) {
              const AdamState before = member->before(i);
              if (!changes) return Number(before[k]);
              return rounded(adam(before, member->gradient.before(i).real(), options)[k], state.type());
            },
            !changes);
      }
    }
  }

  static Plan apply_adam(const Member& m, const AdamOptions& options) {
    return [&m, options](auto* n, auto** e) {
      return aclnnApplyAdamWV2GetWorkspaceSize(m.states[0]->get(), m.states[1]->get(), m.states[2]->get(),
                                               options.amsgrad ? m.states[3]->get() : nullptr, m.gradient.get(),
                                               m.step.get(), kRate, kBeta1, kBeta2, kDecay, kEpsilon, options.amsgrad,
                                               options.maximize, n, e);
    };
  }
};

TEST_F(Optimizers, AdamTakesAStep) {
  for (const aclDataType type : kFloats) {
    for (const bool amsgrad : {false, true}) {
      for (const bool maximize : {false, true}) {
        SCOPED_TRACE("dtype " + std::to_string(type));
        const AdamOptions options{3, amsgrad, maximize};
        const Member m(type, {11, 13}, 1, amsgrad ? ACL_INT64 : ACL_FLOAT);
        check(apply_adam(m, options), aclnnApplyAdamWV2, {&m}, {}, options);
      }
    }
  }
}

TEST_F(Optimizers, AdamTakesAnyViewAndDtype) {
  const AdamOptions options;
  const Member strided(ACL_FLOAT, {5, 7}, 2, ACL_INT64, {{2, 11}, 3});
  check(apply_adam(strided, options), aclnnApplyAdamWV2, {&strided}, {}, options);
  const Member scalar(ACL_FLOAT, {}, 3);
  check(apply_adam(scalar, options), aclnnApplyAdamWV2, {&scalar}, {}, options);
  const Member large(ACL_FLOAT16, {20011}, 4);
  check(apply_adam(large, options), aclnnApplyAdamWV2, {&large}, {}, options);
  const Member empty(ACL_FLOAT, {0, 3}, 5);
  check(apply_adam(empty, options), aclnnApplyAdamWV2, {&empty}, {}, options);
}

TEST_F(Optimizers, AdamKnowsFirstAndLateSteps) {
  for (const Real step : {1, 1000, 1000000}) {
    Member m(ACL_FLOAT, {131}, 6, ACL_INT64);
    m.step.fill([=](std::int64_t) { return step; });
    AdamOptions options;
    options.step = step;
    check(apply_adam(m, options), aclnnApplyAdamWV2, {&m}, {}, options);
  }
}

std::vector<const OpTensor*> states_of(const std::vector<const Member*>& members, std::size_t state) {
  std::vector<const OpTensor*> tensors;
  for (const Member* member : members) tensors.push_back(member->states[state].get());
  return tensors;
}
std::vector<const OpTensor*> gradients_of(const std::vector<const Member*>& members) {
  std::vector<const OpTensor*> tensors;
  for (const Member* member : members) tensors.push_back(&member->gradient);
  return tensors;
}
std::vector<const OpTensor*> steps_of(const std::vector<const Member*>& members) {
  std::vector<const OpTensor*> tensors;
  for (const Member* member : members) tensors.push_back(&member->step);
  return tensors;
}

/// Lists whose handles end with them: an aclTensorList owns its tensors, so members outlive it as memory only.
struct AdamLists {
  explicit AdamLists(const std::vector<const Member*>& members, bool amsgrad)
      : variables(states_of(members, 0)),
        gradients(gradients_of(members)),
        firsts(states_of(members, 1)),
        seconds(states_of(members, 2)),
        highests(amsgrad ? states_of(members, 3) : std::vector<const OpTensor*>{}),
        steps(steps_of(members)) {}
  OpList variables;
  OpList gradients;
  OpList firsts;
  OpList seconds;
  OpList highests;
  OpList steps;
};

TEST_F(Optimizers, AdamTakesStepsOfLists) {
  for (const aclDataType type : kFloats) {
    for (const bool amsgrad : {false, true}) {
      const Member first(type, {11, 13}, 1);
      const Member second(type, {7}, 11, ACL_INT64, {}, {2});  // the first step counts
      const Member third(type, {5003}, 21);
      const std::vector<const Member*> members = {&first, &second, &third};
      const AdamLists lists(members, amsgrad);
      OpTensor scale(ACL_FLOAT, {1});
      scale.fill([](std::int64_t) { return 4; });
      OpTensor found(ACL_FLOAT, {});
      for (const bool infinite : {false, true}) {
        found.fill([=](std::int64_t) { return infinite ? 1 : 0; });
        AdamOptions options{3, amsgrad, true, 4};
        check(
            [&](auto* n, auto** e) {
              return aclnnFusedAdamwGetWorkspaceSize(lists.variables.get(), lists.gradients.get(), lists.firsts.get(),
                                                     lists.seconds.get(), lists.highests.get(), lists.steps.get(),
                                                     scale.get(), found.get(), kRate, kBeta1, kBeta2, kDecay, kEpsilon,
                                                     amsgrad, true, n, e);
            },
            aclnnFusedAdamw, members, {&scale, &found}, options, !infinite);
      }
    }
  }
}

TEST_F(Optimizers, AdamOfListsNeedsNoScale) {
  const Member first(ACL_FLOAT, {11, 13}, 1);
  const std::vector<const Member*> members = {&first};
  const AdamLists lists(members, false);
  check(
      [&](auto* n, auto** e) {
        return aclnnFusedAdamwGetWorkspaceSize(lists.variables.get(), lists.gradients.get(), lists.firsts.get(),
                                               lists.seconds.get(), lists.highests.get(), lists.steps.get(), nullptr,
                                               nullptr, kRate, kBeta1, kBeta2, kDecay, kEpsilon, false, false, n, e);
      },
      aclnnFusedAdamw, members, {}, AdamOptions{});
}

struct SgdOptions {
  float momentum = 0;
  float dampening = 0;
  bool nesterov = false;
  bool maximize = false;
  bool first = false;
  bool scaled = false;
};

/// Variable, gradient and momentum.
using SgdState = std::array<Real, 3>;

SgdState sgd(const SgdState& before, const SgdOptions& options) {
  const Real unscaled = options.scaled ? before[1] / 4 : before[1];
  Real g = options.maximize ? -unscaled : unscaled;
  g += Real{kDecay} * before[0];
  Real momentum = before[2];
  if (options.momentum != 0) {
    momentum = options.first ? g : options.momentum * momentum + (1 - Real{options.dampening}) * g;
    g = options.nesterov ? g + options.momentum * momentum : momentum;
  }
  return {before[0] - Real{kRate} * g, unscaled, momentum};
}

TEST_F(Optimizers, SgdTakesStepsOfLists) {
  const SgdOptions cases[] = {{},
                              {0, 0, false, true},
                              {0.875F, 0.25F},
                              {0.875F, 0.25F, false, false, true},
                              {0.875F, 0, true, true},
                              {0.875F, 0.25F, false, false, false, true},
                              {0, 0, false, false, false, true}};
  OpTensor scale(ACL_FLOAT, {1});
  scale.fill([](std::int64_t) { return 4; });
  for (const aclDataType type : kFloats) {
    for (const SgdOptions& options : cases) {
      std::vector<std::vector<std::unique_ptr<OpTensor>>> states;
      std::vector<std::unique_ptr<OpList>> lists;
      std::vector<const OpTensor*> all = {&scale};
      for (unsigned k = 0; k < 3; ++k) {
        states.emplace_back();
        std::vector<const OpTensor*> members;
        for (const Shape& shape : {Shape{11, 13}, Shape{7}, Shape{2003}}) {
          states.back().push_back(std::make_unique<OpTensor>(type, shape));
          states.back().back()->fill_random(k + 1);
          members.push_back(states.back().back().get());
          all.push_back(members.back());
        }
        lists.push_back(std::make_unique<OpList>(members));
      }
      const bool moves = options.momentum != 0;
      run(
          [&](auto* n, auto** e) {
            return aclnnFusedSgdGetWorkspaceSize(lists[0]->get(), lists[1]->get(), moves ? lists[2]->get() : nullptr,
                                                 options.scaled ? scale.get() : nullptr, kDecay, options.momentum,
                                                 kRate, options.dampening, options.nesterov, options.maximize,
                                                 options.first, n, e);
          },
          aclnnFusedSgd, all, *states[0][0]);
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t i = 0; i < 3; ++i) {
          SCOPED_TRACE("state " + std::to_string(k) + " of tensor " + std::to_string(i));
          expect_elements(
              *states[k][i], states[k][i]->download(),
              [&](std::int64_t at) {
                const SgdState before = {states[0][i]->before(at).real(), states[1][i]->before(at).real(),
                                         states[2][i]->before(at).real()};
                return rounded(sgd(before, options)[k], type);
              },
              false);
        }
      }
    }
  }
}

TEST_F(Optimizers, RefuseWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const OpTensor x(ACL_FLOAT, {3, 5});
  const OpTensor wrong(ACL_FLOAT, {3, 4});
  const OpTensor whole(ACL_INT32, {3, 5});
  const OpTensor step(ACL_INT64, {1});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto handle = [](const OpTensor* tensor) { return tensor ? tensor->get() : nullptr; };
  const auto adam = [&](std::array<const OpTensor*, 6> t, bool amsgrad) {
    return aclnnApplyAdamWV2GetWorkspaceSize(handle(t[0]), handle(t[1]), handle(t[2]), handle(t[3]), handle(t[4]),
                                             handle(t[5]), kRate, kBeta1, kBeta2, kDecay, kEpsilon, amsgrad, false,
                                             &size, &executor);
  };
  const std::array<const OpTensor*, 6> fine = {&x, &x, &x, &x, &x, &step};
  for (const std::size_t i : {0, 1, 2, 3, 4, 5}) {
    auto given = fine;
    given[i] = nullptr;
    EXPECT_EQ(adam(given, true), 161001) << i;
    given[i] = &whole;
    EXPECT_EQ(adam(given, true), kInvalid) << i;
    given[i] = &wrong;
    EXPECT_EQ(adam(given, true), kInvalid) << i;
  }
  {
    const OpTensor a(ACL_FLOAT, {3});
    const OpTensor b(ACL_FLOAT, {3});
    const OpTensor c(ACL_FLOAT, {4});
    const OpTensor d(ACL_FLOAT, {3});
    const OpList lists[] = {OpList({&a}), OpList({&b}), OpList({&c}), OpList(std::vector<const OpTensor*>{}),
                            OpList({nullptr})};
    const auto sgd = [&](const OpList* variables, const OpList* gradients, const OpList* momenta, float momentum) {
      const auto list = [](const OpList* l) { return l ? l->get() : nullptr; };
      return aclnnFusedSgdGetWorkspaceSize(list(variables), list(gradients), list(momenta), nullptr, 0, momentum, kRate,
                                           0, false, false, false, &size, &executor);
    };
    EXPECT_EQ(sgd(nullptr, &lists[1], nullptr, 0), 161001);
    EXPECT_EQ(sgd(&lists[0], nullptr, nullptr, 0), 161001);
    EXPECT_EQ(sgd(&lists[0], &lists[1], nullptr, 0.5F), 161001);
    EXPECT_EQ(sgd(&lists[0], &lists[4], nullptr, 0), 161001);
    EXPECT_EQ(sgd(&lists[0], &lists[2], nullptr, 0), kInvalid);
    EXPECT_EQ(sgd(&lists[0], &lists[3], nullptr, 0), kInvalid);
    EXPECT_EQ(sgd(&lists[3], &lists[3], nullptr, 0), kInvalid);
    EXPECT_EQ(sgd(&lists[0], &lists[1], &lists[2], 0.5F), kInvalid);
    EXPECT_EQ(sgd(&lists[0], &lists[1], nullptr, 0), 0);
  }
}

TEST_F(Optimizers, AdamOfListsRefusesWhatDoesNotFit) {
  constexpr int kInvalid = 161002;
  const Member member(ACL_FLOAT, {3}, 1);
  const Member other(ACL_FLOAT, {4}, 2);
  const OpTensor whole(ACL_INT32, {1});
  const OpTensor half(ACL_FLOAT16, {1});
  const OpTensor pair(ACL_FLOAT, {2});
  const AdamLists fine({&member}, true);
  const AdamLists wrong({&other}, true);
  const OpList none(std::vector<const OpTensor*>{});
  const OpList null({nullptr});
  const OpList wrong_step({&whole});
  using Lists = std::array<const aclTensorList*, 6>;
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto plan = [&](const Lists& l, const OpTensor* scale, const OpTensor* found) {
    return aclnnFusedAdamwGetWorkspaceSize(l[0], l[1], l[2], l[3], l[4], l[5], scale ? scale->get() : nullptr,
                                           found ? found->get() : nullptr, kRate, kBeta1, kBeta2, kDecay, kEpsilon,
                                           true, false, &size, &executor);
  };
  const Lists lists = {fine.variables.get(), fine.gradients.get(), fine.firsts.get(),
                       fine.seconds.get(),   fine.highests.get(),  fine.steps.get()};
  const Lists others = {wrong.variables.get(), wrong.gradients.get(), wrong.firsts.get(),
                        wrong.seconds.get(),   wrong.highests.get(),  wrong_step.get()};
  EXPECT_EQ(plan(lists, nullptr, nullptr), 0);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    Lists given = lists;
    given[i] = nullptr;
    EXPECT_EQ(plan(given, nullptr, nullptr), 161001) << i;
    given[i] = null.get();
    EXPECT_EQ(plan(given, nullptr, nullptr), 161001) << i;
    given[i] = none.get();
    EXPECT_EQ(plan(given, nullptr, nullptr), kInvalid) << i;
    given[i] = others[i];
    EXPECT_EQ(plan(given, nullptr, nullptr), kInvalid) << i;
  }
  EXPECT_EQ(plan(lists, &half, nullptr), kInvalid);
  EXPECT_EQ(plan(lists, &pair, nullptr), kInvalid);
  EXPECT_EQ(plan(lists, nullptr, &half), kInvalid);
  EXPECT_EQ(plan(lists, nullptr, &pair), kInvalid);
}

TEST_F(Optimizers, OfListsRefuseTensorsThatShareMemory) {
  constexpr int kInvalid = 161002;
  const OpTensor a(ACL_FLOAT, {1}), b(ACL_FLOAT, {1}), c(ACL_FLOAT, {1}), d(ACL_FLOAT, {1});
  const SharedList ab({&a, &b}), ba({&b, &a}), cd({&c, &d}), ca({&c, &a}), bc({&b, &c}), aa({&a, &a}), cc({&c, &c});
  uint64_t size = 0;
  aclOpExecutor* executor = nullptr;
  const auto sgd = [&](const SharedList& variables, const SharedList& gradients, const SharedList* momenta,
                       const OpTensor* scale) {
    return aclnnFusedSgdGetWorkspaceSize(variables.get(), gradients.get(), momenta ? momenta->get() : nullptr,
                                         scale ? scale->get() : nullptr, 0, momenta ? 0.5F : 0, kRate, 0, false, false,
                                         false, &size, &executor);
  };
  EXPECT_EQ(sgd(ab, cd, &ab, nullptr), kInvalid) << "variables are their own momenta";
  EXPECT_EQ(sgd(ab, ca, nullptr, nullptr), kInvalid) << "the second gradient is the first variable";
  EXPECT_NE(std::string(aclGetRecentErrMsg()).find("is written first"), std::string::npos);
  EXPECT_EQ(sgd(ab, cd, &ba, nullptr), kInvalid);
  EXPECT_EQ(sgd(ab, cd, nullptr, &b), kInvalid) << "the scale is a variable";
  EXPECT_EQ(sgd(ab, cd, nullptr, &d), kInvalid) << "the scale is a gradient, which is stored scaled";
  EXPECT_EQ(sgd(ab, ab, nullptr, nullptr), 0) << aclGetRecentErrMsg();
  EXPECT_EQ(sgd(ab, bc, nullptr, nullptr), 0) << "the first gradient is read before it is written";
  EXPECT_EQ(sgd(aa, cc, nullptr, nullptr), 0) << "two steps of one variable";
  const OpTensor e(ACL_FLOAT, {1}), f(ACL_FLOAT, {1}), g(ACL_FLOAT, {1}), h(ACL_FLOAT, {1}), step(ACL_FLOAT, {1});
  const SharedList ef({&e, &f}), gh({&g, &h}), steps({&step, &step});
  const auto adam = [&](const SharedList& seconds, const SharedList& highests, bool amsgrad, const OpTensor* found) {
    return aclnnFusedAdamwGetWorkspaceSize(ab.get(), cd.get(), ef.get(), seconds.get(), highests.get(), steps.get(),
                                           nullptr, found ? found->get() : nullptr, kRate, kBeta1, kBeta2, kDecay,
                                           kEpsilon, amsgrad, false, &size, &executor);
  };
  EXPECT_EQ(adam(ef, gh, false, nullptr), kInvalid) << "one list of moments";
  EXPECT_EQ(adam(gh, gh, true, nullptr), kInvalid) << "the highest are the others";
  EXPECT_EQ(adam(gh, ba, true, nullptr), kInvalid);
  EXPECT_EQ(adam(gh, ab, false, &h), kInvalid);
  EXPECT_EQ(adam(gh, gh, false, nullptr), 0) << "without amsgrad the highest are not used";
}

}  // namespace
}  // namespace aclvk::test
