#pragma once

#include <cstddef>
#include <memory>

#include "ops/executor.hpp"
#include "ops/pooling/pooling.hpp"

namespace aclvk::ops {

// Elements that are told by their numbers among those of the last `dims` dims of a tensor, as the indices of a maximum
// pooling are. A number that no element has reads as 0 and writes nothing.

/// The gradient of a maximum pooling: each element of `gradient` is added at its index, in their order.
struct IndexedGradient {
  const char* name;
  std::size_t dims;
  const void* gradient;
  const void* self;
  const void* indices;
  const void* out;
};
/// Windows say how many places the gradient has.
std::shared_ptr<Executor> plan_max_pool_gradient(const IndexedGradient& handles, const PoolWindow& window);
/// Any number of places, as adaptive windows have.
std::shared_ptr<Executor> plan_adaptive_max_gradient(const IndexedGradient& handles);

/// What an unpooling is made of: `size` are the last dims of the larger tensor. Of three dims also stride and padding,
/// which only have to make sense.
struct Unpool {
  const char* name;
  std::size_t dims;
  const void* self;
  const void* indices;
  const void* size;
  const void* out;
  const char* out_name;
  bool has_window = false;
  const void* stride = nullptr;
  const void* padding = nullptr;
};
/// out is 0 but for the elements of self at their indices; of equal indices the last one counts.
std::shared_ptr<Executor> plan_unpool(const Unpool& handles);
/// out gets those elements of the gradient back.
std::shared_ptr<Executor> plan_unpool_gradient(const Unpool& handles, const void* gradient);

}  // namespace aclvk::ops
