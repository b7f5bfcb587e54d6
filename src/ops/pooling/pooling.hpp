#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Pooling: each position of a window over the last dims of a tensor becomes one element. Window arithmetic is
// PyTorch's.

/// The tensors of an operator, and the names of its parameters. One or two dims precede the `dims` spatial ones.
/// `indices` is null for an operator without indices.
struct PoolHandles {
  const char* name;
  std::size_t dims;
  InputArg self;
  OutputArg out;
  bool has_indices = false;
  OutputArg indices{};
};

/// The window arrays: one value for each spatial dim, or one for all; an empty stride is the kernel size. Names are
/// those of the parameters.
struct PoolWindow {
  IntArrayArg kernel;
  IntArrayArg stride;
  IntArrayArg padding;
  bool ceil_mode;
  bool has_dilation = false;
  IntArrayArg dilation{};
};

/// The divisor of a mean: `divisor` if it is not 0, else the number of elements of the window, with padding if
/// `counts_padding`.
struct PoolDivisor {
  bool counts_padding;
  std::int64_t divisor;
};

enum class Pool { kMean, kMaximum };

std::shared_ptr<Executor> plan_avg_pool(const PoolHandles& handles, const PoolWindow& window,
                                        const PoolDivisor& divisor, std::int8_t cube_math_type = 0);
/// aclnnMaxPool2dWithIndices and its relatives. An index numbers the elements of the spatial dims. Of equal elements
/// the first is chosen; NaN wins, and the last NaN.
std::shared_ptr<Executor> plan_max_pool(const PoolHandles& handles, const PoolWindow& window);
/// aclnnMaxPool2dWithMask: the mask has a bit for each offset in the window and each window position
/// (shaders/pooling/mask.comp). The layout is private to this operator and plan_masked_gradient; the shape is CANN's,
/// of which the bits fill a part.
std::shared_ptr<Executor> plan_masked_max_pool(const PoolHandles& handles, const PoolWindow& window);
/// aclnnMaxPool2dWithMaskBackward; `out` is the gradient of self.
std::shared_ptr<Executor> plan_masked_gradient(const PoolHandles& handles, const InputArg& gradient,
                                               const InputArg& mask, const PoolWindow& window);
/// aclnnMaxPool, with ONNX's attributes. Supports explicit padding only (autoPad 0).
std::shared_ptr<Executor> plan_onnx_max_pool(const PoolHandles& handles, const PoolWindow& window,
                                             std::int64_t auto_pad, std::int64_t ceil_mode);
/// Adaptive pooling: output i covers inputs floor(i * n / outputs) to ceil((i + 1) * n / outputs) - 1.
std::shared_ptr<Executor> plan_adaptive_pool(Pool pool, const PoolHandles& handles, const IntArrayArg& output_size);
/// Global pooling: one window over all dims after the first two.
std::shared_ptr<Executor> plan_global_pool(Pool pool, const PoolHandles& handles);

}  // namespace aclvk::ops
