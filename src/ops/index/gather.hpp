#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

std::shared_ptr<Executor> plan_gather(const void* self, std::int64_t dim, const void* index, const void* out);

/// Elements of self along a dim, by an index of any shape that takes the dim's place. The first `batch_dims` dims of
/// index are those of self. The names are those of the parameters.
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
/// The same for an index of at most one dim.
std::shared_ptr<Executor> plan_index_select(const void* self, std::int64_t dim, const void* index, const void* out);
/// The same for the rows of a matrix.
std::shared_ptr<Executor> plan_embedding(const void* weight, const void* indices, const void* out);

/// Elements of self, counted in row-major order.
std::shared_ptr<Executor> plan_take(const void* self, const void* index, const void* out);

}  // namespace aclvk::ops
