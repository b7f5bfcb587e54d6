#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/resample/lines.hpp"

namespace aclvk::ops {

/// torch.nn.functional.interpolate: each spatial dim is a line of `map`. `scales` are the scale factors of the spatial
/// dims; one that is not positive follows from the sizes.
struct Upsample {
  const char* name;
  std::size_t dims;
  LineMap map;
  LineOrigin origin;
  double scales[kMaxSpatialDims];
};

/// Resizes `self` (N, C, spatial dims) to `output_size`; names are those of the parameters.
std::shared_ptr<Executor> plan_upsample(const Upsample& upsample, const InputArg& self, const IntArrayArg& output_size,
                                        const OutputArg& out);

/// The gradient of that operator. `input_size` is the full shape of `out`.
struct UpsampleGradient {
  InputArg gradient;
  IntArrayArg output_size;
  IntArrayArg input_size;
  OutputArg out;
};
std::shared_ptr<Executor> plan_upsample_gradient(const Upsample& upsample, const UpsampleGradient& handles);

}  // namespace aclvk::ops
