#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnGeluQuant: with the mode "static" y = round(gelu(self) * scale + offset); with "dynamic" gelu(self) * scale is
/// divided by `out_scale`, and rounded: that turns the highest magnitude of a row into the highest number of y's dtype.
/// Optional tensors may be NULL: without a scale it is 1, which only the mode "dynamic" allows.
struct GeluQuantHandles {
  const void* self;
  const void* scale;
  const void* offset;
  const char* approximate;
  const char* quant_mode;
  const char* round_mode;
  std::int64_t dst_type;
  const void* y;
  const void* out_scale;
};
std::shared_ptr<Executor> plan_gelu_quant(const GeluQuantHandles& handles);

}  // namespace aclvk::ops
