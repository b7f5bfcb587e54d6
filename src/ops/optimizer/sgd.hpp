#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnFusedSgd: a step of gradient descent, as torch.optim.SGD takes it, in float. Momenta are needed where momentum
/// is not 0; `scale` may be NULL, and where it is given gradients lose it.
struct SgdLists {
  const void* variables;
  const void* gradients;
  const void* momenta;
  const void* scale;
};
struct SgdAttributes {
  double decay;
  double momentum;
  double rate;
  double dampening;
  bool nesterov;
  bool maximize;
  bool first;
};
std::shared_ptr<Executor> plan_sgd_of_lists(const SgdLists& lists, const SgdAttributes& attributes);

}  // namespace aclvk::ops
