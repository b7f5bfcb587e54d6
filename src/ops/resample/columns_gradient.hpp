#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnIm2colBackward (col2im): each element of the image receives the sum of its copies in the columns.
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

/// aclnnUnfoldGrad: the gradient of torch.Tensor.unfold along one dim; the window's elements are the gradient's last
/// dim.
std::shared_ptr<Executor> plan_unfold_gradient(const void* gradient, const void* input_sizes, std::int64_t dim,
                                               std::int64_t size, std::int64_t step, const void* out);

}  // namespace aclvk::ops
