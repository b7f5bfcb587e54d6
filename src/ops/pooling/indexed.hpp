#pragma once

#include <cstddef>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/pooling/pooling.hpp"

namespace aclvk::ops {

// Gradients and inverses of maximum pooling through its indices: an index numbers the elements of a plane, the last
// `dims` dims of the larger tensor. An index outside of the plane reads 0 and writes nothing.

/// The gradient of a maximum pooling: adds each element of `gradient` to the element at its index, in a fixed order.
struct IndexedGradient {
  const char* name;
  std::size_t dims;
  InputArg gradient;
  InputArg self;
  InputArg indices;
  OutputArg out;
};
/// Checks that `gradient` has one element a position of the window.
std::shared_ptr<Executor> plan_max_pool_gradient(const IndexedGradient& handles, const PoolWindow& window);
/// Accepts any spatial size of `gradient`, as adaptive pooling does.
std::shared_ptr<Executor> plan_adaptive_max_gradient(const IndexedGradient& handles);

/// The parameters of torch's MaxUnpool: `size` is the spatial shape of the larger tensor. aclnnMaxUnpool3d also has
/// stride and padding, which are checked and otherwise unused.
struct Unpool {
  const char* name;
  std::size_t dims;
  InputArg self;
  InputArg indices;
  IntArrayArg size;
  OutputArg out;
  bool has_window = false;
  IntArrayArg stride{};
  IntArrayArg padding{};
};
/// out = 0, then out[indices] = self; the last of equal indices wins.
std::shared_ptr<Executor> plan_unpool(const Unpool& handles);
/// out = gradient[indices].
std::shared_ptr<Executor> plan_unpool_gradient(const Unpool& handles, const InputArg& gradient);

}  // namespace aclvk::ops
