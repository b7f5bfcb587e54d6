#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// Gathers slices of self along a dim. The shape of index replaces the dim in the shape of the result; the first
/// `batch_dims` dims are shared by self and index. Names are those of the parameters.
struct TakeAlong {
  const char* name;
  InputArg self;
  std::int64_t dim;
  InputArg index;
  std::int64_t batch_dims;
  OutputArg out;
};
std::shared_ptr<Executor> plan_gather_v2(const TakeAlong& handles);

}  // namespace aclvk::ops
