#pragma once

#include <cstddef>
#include <memory>

#include "ops/executor.hpp"
#include "ops/resample/lines.hpp"

namespace aclvk::ops {

/// The gradient of a padding of the last `dims` dims: each element of self gets the sum of those that were made of it.
/// `padding` holds before and after for each dim, the last dim first.
struct PadGradient {
  const char* name;
  std::size_t dims;
  LineMap map;  ///< kReplicate for replication, kReflect, kCircular
  const void* gradient;
  const void* self;
  const void* padding;
  const void* out;
};
std::shared_ptr<Executor> plan_pad_gradient(const PadGradient& handles);

}  // namespace aclvk::ops
