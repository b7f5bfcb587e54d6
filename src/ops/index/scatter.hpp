#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/index/indexed_kernels.hpp"

namespace aclvk::ops {

// Writes at places that an index tells. Where several indices mean one place, the changes happen in the order of the
// indices, so that the result is the same each time.

/// aclnnScatter and its relatives: out is self, and out[.., index[i], ..] is changed by src[i] (or by a scalar).
struct ScatterHandles {
  const char* name;
  const void* self;
  std::int64_t dim;
  const void* index;
  const void* source;
  bool source_is_scalar;
  const void* out;  ///< NULL: in place
  bool in_place;
};
/// `reduce`: 0 replaces, 1 adds, 2 multiplies.
std::shared_ptr<Executor> plan_scatter(const ScatterHandles& handles, std::int64_t reduce);
/// `reduce`: 0 replaces, 1 adds, 2 multiplies, 3 maximum, 4 minimum, 5 mean. Without includes_self, what was there does
/// not count.
std::shared_ptr<Executor> plan_scatter_reduce(const ScatterHandles& handles, std::int64_t reduce, bool includes_self);

/// out is self, and along a dim the slices that the index names are changed by those of source.
struct IndexHandles {
  const char* name;
  const char* self_name;
  const void* self;
  std::int64_t dim;
  const void* index;
  const void* source;
  const void* out;
  bool in_place;
};
std::shared_ptr<Executor> plan_index_add(const IndexHandles& handles, const void* alpha);
std::shared_ptr<Executor> plan_index_copy(const IndexHandles& handles);
/// The slices get a value.
std::shared_ptr<Executor> plan_index_fill(const IndexHandles& handles, const void* value);
/// The same with the index on the host, an aclIntArray.
std::shared_ptr<Executor> plan_index_fill_array(const IndexHandles& handles, const void* value);

}  // namespace aclvk::ops
