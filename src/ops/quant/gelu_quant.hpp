#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// The arguments of aclnnGeluQuant. "static": y = round(gelu(self) * scale + offset). "dynamic": gelu(self) * scale is
/// divided by `out_scale`, which is computed for each row so that its highest magnitude becomes the largest number of
/// y's dtype. Optional tensors may be NULL; a scale only with "dynamic", where it counts as 1.
struct GeluQuantHandles {
  InputArg self;
  InputArg scale;
  InputArg offset;
  const char* approximate;
  const char* quant_mode;
  const char* round_mode;
  std::int64_t dst_type;
  InputArg y;
  InputArg out_scale;
};
/// Plans aclnnGeluQuant.
std::shared_ptr<Executor> plan_gelu_quant(const GeluQuantHandles& handles);

}  // namespace aclvk::ops
