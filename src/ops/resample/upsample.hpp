#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

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
std::shared_ptr<Executor> plan_upsample(const Upsample& upsample, const char* self_name, const void* self,
                                        const void* output_size, const void* out);

/// The gradient of that operator. `input_size` is the full shape of `out`.
struct UpsampleGradient {
  const char* gradient_name;
  const void* gradient;
  const void* output_size;
  const void* input_size;
  const char* out_name;
  const void* out;
};
std::shared_ptr<Executor> plan_upsample_gradient(const Upsample& upsample, const UpsampleGradient& handles);

}  // namespace aclvk::ops
