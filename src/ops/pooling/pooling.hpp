#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Pooling: each place of a window over the last dims of a tensor becomes one element. Windows are PyTorch's.

/// The tensors of an operator; names are those of its parameters. The last `dims` dims are spatial, before them are one
/// or two others. `indices` is null for an operator without.
struct PoolHandles {
  const char* name;
  std::size_t dims;
  const void* self;
  const void* out;
  const char* out_name = "out";
  bool has_indices = false;
  const void* indices = nullptr;
  const char* indices_name = "indices";
};

/// Arrays of one value for each spatial dim, or one for all; a stride without values is the kernel's size. Names are
/// those of the parameters.
struct PoolWindow {
  const void* kernel;
  const char* kernel_name;
  const void* stride;
  const char* stride_name;
  const void* padding;
  const char* padding_name;
  bool ceil_mode;
  bool has_dilation = false;
  const void* dilation = nullptr;
  const char* dilation_name = "dilation";
};

/// What a mean divides by: the elements of the window, with those of the padding where they count, or `divisor` unless
/// it is 0.
struct PoolDivisor {
  bool counts_padding;
  std::int64_t divisor;
};

enum class Pool { kMean, kMaximum };

std::shared_ptr<Executor> plan_avg_pool(const PoolHandles& handles, const PoolWindow& window,
                                        const PoolDivisor& divisor, std::int8_t cube_math_type = 0);
/// The index of a maximum counts the elements of the spatial dims: the first of equal ones, the last NaN.
std::shared_ptr<Executor> plan_max_pool(const PoolHandles& handles, const PoolWindow& window);
/// aclnnMaxPool2dWithMask: where the maxima are becomes bits (shaders/pooling/mask.comp), which only
/// plan_masked_gradient reads: their tensor has the shape that programs make, of which the bits fill a part.
std::shared_ptr<Executor> plan_masked_max_pool(const PoolHandles& handles, const PoolWindow& window);
/// aclnnMaxPool2dWithMaskBackward: `out` is the gradient of self.
std::shared_ptr<Executor> plan_masked_gradient(const PoolHandles& handles, const void* gradient,
                                               const PoolWindow& window);
/// aclnnMaxPool: ONNX's attributes. Only windows that say where they are (autoPad 0).
std::shared_ptr<Executor> plan_onnx_max_pool(const PoolHandles& handles, const PoolWindow& window,
                                             std::int64_t auto_pad, std::int64_t ceil_mode);
/// Windows that share out the input among `output_size` places.
std::shared_ptr<Executor> plan_adaptive_pool(Pool pool, const PoolHandles& handles, const void* output_size);
/// One window over everything behind the first two dims.
std::shared_ptr<Executor> plan_global_pool(Pool pool, const PoolHandles& handles);

}  // namespace aclvk::ops
