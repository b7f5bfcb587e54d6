#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/index/indexed_kernels.hpp"

namespace aclvk::ops {

// Scatters. When several indices address one element, they are applied in the order of the indices, so results are
// deterministic.

/// aclnnScatter and related operators: copies self to out, and combines out[.., index[i], ..] with src[i] or a scalar.
struct ScatterHandles {
  const char* name;
  InputArg self;
  std::int64_t dim;
  InputArg index;
  InputArg source;
  ScalarArg value;  ///< in place of source, which has no name then
  OutputArg out;    ///< NULL: in place
  bool in_place;
};
/// `reduce`: 0 replaces, 1 adds, 2 multiplies.
std::shared_ptr<Executor> plan_scatter(const ScatterHandles& handles, std::int64_t reduce);
/// `reduce`: 0 replaces, 1 adds, 2 multiplies, 3 maximum, 4 minimum, 5 mean. Without includes_self the values of
/// self do not take part.
std::shared_ptr<Executor> plan_scatter_reduce(const ScatterHandles& handles, std::int64_t reduce, bool includes_self);

/// Copies self to out, and combines the indexed slices along a dim with those of source.
struct IndexHandles {
  const char* name;
  InputArg self;
  std::int64_t dim;
  InputArg index;
  InputArg source;
  OutputArg out;
  bool in_place;
};
std::shared_ptr<Executor> plan_index_add(const IndexHandles& handles, const ScalarArg& alpha);
std::shared_ptr<Executor> plan_index_copy(const IndexHandles& handles);
/// Fills the indexed slices with a value.
std::shared_ptr<Executor> plan_index_fill(const IndexHandles& handles, const ScalarArg& value);
/// Fills the slices of an index on the host, an aclIntArray.
std::shared_ptr<Executor> plan_index_fill_array(const IndexHandles& handles, const IntArrayArg& index,
                                                const ScalarArg& value);

}  // namespace aclvk::ops
