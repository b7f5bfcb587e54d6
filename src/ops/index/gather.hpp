#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan_gather(const void* self, std::int64_t dim, const void* index, const void* out);

/// Gathers slices of self along a dim. The shape of index replaces the dim in the shape of the result; the first
/// `batch_dims` dims are shared by self and index. Names are those of the parameters.
struct TakeAlong {
  const char* name;
  const char* self_name;
  const char* index_name;
  const void* self;
  std::int64_t dim;
  const void* index;
  std::int64_t batch_dims;
  const void* out;
};
std::shared_ptr<Executor> plan_gather_v2(const TakeAlong& handles);
/// aclnnIndexSelect: the index has at most one dim.
std::shared_ptr<Executor> plan_index_select(const void* self, std::int64_t dim, const void* index, const void* out);
/// aclnnEmbedding: gathers rows of a matrix.
std::shared_ptr<Executor> plan_embedding(const void* weight, const void* indices, const void* out);

/// aclnnTake: gathers elements of the flattened self.
std::shared_ptr<Executor> plan_take(const void* self, const void* index, const void* out);

}  // namespace aclvk::ops
