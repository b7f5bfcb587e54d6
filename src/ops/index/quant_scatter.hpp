#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnInplaceQuantScatter and its second version: ScatterUpdate with round(updates / scales + zero points), saturated
/// to INT8, in the second version to FLOAT8_E4M3FN, too. Scales and zero points, which may be NULL, have one
/// element per index along `quant_axis`.
struct QuantScatterHandles {
  const char* name;
  UpdatedArg self;
  InputArg indices;
  InputArg updates;
  InputArg scales;
  InputArg zero_points;
  std::int64_t axis;
  std::int64_t quant_axis;
  std::int64_t reduction;  ///< 0 or 1: replaces the target
};
std::shared_ptr<Executor> plan_quant_scatter(const QuantScatterHandles& handles);
/// `round_mode` is "rint".
std::shared_ptr<Executor> plan_quant_scatter_v2(const QuantScatterHandles& handles, const char* round_mode);

/// aclnnScatterList: ScatterUpdate on a list. updates[n] replaces the elements of tensor n from indices[n] on along
/// `axis`, unless mask[n] is 0. `reduce` is "update" or NULL.
struct ScatterListHandles {
  UpdatedListArg list;
  InputArg indices;
  InputArg updates;
  InputArg mask;
  const char* reduce;
  std::int64_t axis;
};
std::shared_ptr<Executor> plan_scatter_list(const ScatterListHandles& handles);

}  // namespace aclvk::ops
