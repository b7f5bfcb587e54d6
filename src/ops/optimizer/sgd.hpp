#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnFusedSgd: a step of torch.optim.SGD for lists, computed in float. Requires `momenta` if momentum is not 0.
/// `scale`, which may be NULL, divides the gradients in place.
struct SgdLists {
  UpdatedListArg variables;
  UpdatedListArg gradients;
  UpdatedListArg momenta;
  InputArg scale;
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
