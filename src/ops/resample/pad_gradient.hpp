#pragma once

#include <cstddef>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/resample/lines.hpp"

namespace aclvk::ops {

/// The gradient of padding the last `dims` dims: an element of self receives the sum of the gradients of its copies.
/// `padding` has leading and trailing padding of each dim, the last dim first.
struct PadGradient {
  const char* name;
  std::size_t dims;
  LineMap map;  ///< kReplicate, kReflect or kCircular
  InputArg gradient;
  InputArg self;
  IntArrayArg padding;
  OutputArg out;
};
std::shared_ptr<Executor> plan_pad_gradient(const PadGradient& handles);

}  // namespace aclvk::ops
