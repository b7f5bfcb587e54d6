#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnIm2colBackward: each element of the image gets the sum of its copies in the columns of windows.
struct ColumnsGradient {
  const char* name;
  const void* gradient;
  const void* size;
  const void* kernel;
  const void* dilation;
  const void* padding;
  const void* stride;
  const void* out;
};
std::shared_ptr<Executor> plan_columns_gradient(const ColumnsGradient& handles);

/// aclnnUnfoldGrad: the same for windows along one dim, whose elements are the last dim of the gradient.
std::shared_ptr<Executor> plan_unfold_gradient(const void* gradient, const void* input_sizes, std::int64_t dim,
                                               std::int64_t size, std::int64_t step, const void* out);

}  // namespace aclvk::ops
