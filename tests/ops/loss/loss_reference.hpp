#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "aclnnop/aclnn_binary_cross_entropy.h"
#include "aclnnop/aclnn_binary_cross_entropy_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_backward.h"
#include "aclnnop/aclnn_binary_cross_entropy_with_logits_target_backward.h"
#include "aclnnop/aclnn_kl_div.h"
#include "aclnnop/aclnn_kl_div_backward.h"
#include "aclnnop/aclnn_kl_div_target_backward.h"
#include "aclnnop/aclnn_l1_loss.h"
#include "aclnnop/aclnn_l1_loss_backward.h"
#include "aclnnop/aclnn_mse_loss.h"
#include "aclnnop/aclnn_mse_loss_backward.h"
#include "aclnnop/aclnn_mse_loss_out.h"
#include "aclnnop/aclnn_smooth_l1_loss.h"
#include "aclnnop/aclnn_smooth_l1_loss_backward.h"
#include "aclnnop/aclnn_soft_margin_loss.h"
#include "aclnnop/aclnn_soft_margin_loss_backward.h"
#include "support/numbers.hpp"

// What losses of elements are, in long double, and how their functions are called: a line each.

namespace aclvk::test {

using Reals = std::vector<Real>;
using Handles = std::vector<const aclTensor*>;

constexpr float kBeta = 0.75F;

/// An operator: `t` are its inputs in the order of the parameters, `x` the elements of a place.
struct LossOp {
  std::string name;
  std::size_t inputs;
  bool probabilities;  ///< self and the target are between 0 and 1
  std::function<aclnnStatus(const Handles& t, std::int64_t reduction, aclTensor* out, uint64_t*, aclOpExecutor**)> plan;
  aclnnStatus (*launch)(void*, uint64_t, aclOpExecutor*, aclrtStream);
  std::function<Real(const Reals& x)> meaning;
};

inline Real sign_of(Real x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }
inline Real sigmoid(Real x) { return 1 / (1 + std::exp(-x)); }
inline Real softplus(Real x) { return std::max(x, Real{0}) + std::log1p(std::exp(-std::fabs(x))); }
inline Real smooth(Real d) { return d < kBeta ? d * d / (2 * Real{kBeta}) : d - Real{kBeta} / 2; }
inline Real smooth_slope(Real d) { return std::fabs(d) < kBeta ? d / Real{kBeta} : sign_of(d); }
inline Real entropy(Real x, Real y) {
  return -y * std::max(std::log(x), Real{-100}) - (1 - y) * std::max(std::log(1 - x), Real{-100});
}

#define PLAN_LOSS(name, ...)                                                                     \
  [](const Handles& t, std::int64_t reduction, aclTensor* out, uint64_t* n, aclOpExecutor** e) { \
    return name##GetWorkspaceSize(__VA_ARGS__, out, n, e);                                       \
  },                                                                                             \
      name
#define LOSS(name, meaning)                                                                                 \
  LossOp {                                                                                                  \
#name, 2, false, PLAN_LOSS(name, t[0], t[1], reduction), [](const Reals& x) -> Real { return meaning; } \
  }
#define GRADIENT(name, meaning)                                                                                   \
  LossOp {                                                                                                        \
#name, 3, false, PLAN_LOSS(name, t[0], t[1], t[2], reduction), [](const Reals& x) -> Real { return meaning; } \
  }

inline std::vector<LossOp> loss_ops() {
  return {
      LOSS(aclnnL1Loss, std::fabs(x[0] - x[1])),
      LOSS(aclnnMseLoss, (x[0] - x[1]) * (x[0] - x[1])),
      LOSS(aclnnMseLossOut, (x[0] - x[1]) * (x[0] - x[1])),
      LOSS(aclnnSoftMarginLoss, softplus(-x[0] * x[1])),
      {"aclnnSmoothL1Loss", 2, false, PLAN_LOSS(aclnnSmoothL1Loss, t[0], t[1], reduction, kBeta),
       [](const Reals& x) -> Real { return smooth(std::fabs(x[0] - x[1])); }},
      {"aclnnKlDiv", 2, true, PLAN_LOSS(aclnnKlDiv, t[0], t[1], reduction, false),
       [](const Reals& x) -> Real { return (x[1] == 0 ? 0 : x[1] * std::log(x[1])) - x[1] * x[0]; }},
      {"aclnnKlDiv of a logarithm", 2, false, PLAN_LOSS(aclnnKlDiv, t[0], t[1], reduction, true),
       [](const Reals& x) -> Real { return std::exp(x[1]) * (x[1] - x[0]); }},
      {"aclnnBinaryCrossEntropy", 3, true, PLAN_LOSS(aclnnBinaryCrossEntropy, t[0], t[1], t[2], reduction),
       [](const Reals& x) -> Real { return x[2] * entropy(x[0], x[1]); }},
      {"aclnnBinaryCrossEntropyWithLogits", 4, false,
       PLAN_LOSS(aclnnBinaryCrossEntropyWithLogits, t[0], t[1], t[2], t[3], reduction),
       [](const Reals& x) -> Real { return x[2] * ((1 - x[1]) * softplus(x[0]) + x[3] * x[1] * softplus(-x[0])); }},
  };
}

inline std::vector<LossOp> loss_gradients() {
  return {
      GRADIENT(aclnnL1LossBackward, x[0] * sign_of(x[1] - x[2])),
      GRADIENT(aclnnMseLossBackward, x[0] * 2 * (x[1] - x[2])),
      GRADIENT(aclnnSoftMarginLossBackward, -x[0] * x[2] * sigmoid(-x[1] * x[2])),
      {"aclnnSmoothL1LossBackward", 3, false, PLAN_LOSS(aclnnSmoothL1LossBackward, t[0], t[1], t[2], reduction, kBeta),
       [](const Reals& x) -> Real { return x[0] * smooth_slope(x[1] - x[2]); }},
      {"aclnnKlDivBackward", 3, true, PLAN_LOSS(aclnnKlDivBackward, t[0], t[1], t[2], reduction, false),
       [](const Reals& x) -> Real { return -x[0] * x[2]; }},
      {"aclnnKlDivBackward of a logarithm", 3, false, PLAN_LOSS(aclnnKlDivBackward, t[0], t[1], t[2], reduction, true),
       [](const Reals& x) -> Real { return -x[0] * std::exp(x[2]); }},
      {"aclnnKlDivTargetBackward", 3, true, PLAN_LOSS(aclnnKlDivTargetBackward, t[0], t[1], t[2], reduction, false),
       [](const Reals& x) -> Real { return x[2] == 0 ? 0 : x[0] * (std::log(x[2]) + 1 - x[1]); }},
      {"aclnnKlDivTargetBackward of a logarithm", 3, false,
       PLAN_LOSS(aclnnKlDivTargetBackward, t[0], t[1], t[2], reduction, true),
       [](const Reals& x) -> Real { return x[0] * std::exp(x[2]) * (x[2] - x[1] + 1); }},
      {"aclnnBinaryCrossEntropyBackward", 4, true,
       PLAN_LOSS(aclnnBinaryCrossEntropyBackward, t[0], t[1], t[2], t[3], reduction),
       [](const Reals& x) -> Real { return x[0] * x[3] * (x[1] - x[2]) / std::max((1 - x[1]) * x[1], Real{1e-12L}); }},
      {"aclnnBinaryCrossEntropyWithLogitsBackward", 5, false,
       PLAN_LOSS(aclnnBinaryCrossEntropyWithLogitsBackward, t[0], t[1], t[2], t[3], t[4], reduction),
       [](const Reals& x) -> Real {
         return x[0] * x[3] * ((1 - x[2]) * sigmoid(x[1]) - x[4] * x[2] * sigmoid(-x[1]));
       }},
      {"aclnnBinaryCrossEntropyWithLogitsTargetBackward", 5, false,
       PLAN_LOSS(aclnnBinaryCrossEntropyWithLogitsTargetBackward, t[0], t[1], t[2], t[3], t[4], reduction),
       [](const Reals& x) -> Real { return x[0] * x[3] * (x[4] * softplus(-x[1]) - softplus(x[1])); }},
  };
}

#undef PLAN_LOSS
#undef LOSS
#undef GRADIENT

}  // namespace aclvk::test
