#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnIm2colBackward (col2im): each element of the image receives the sum of its copies in the columns.
struct ColumnsGradient {
  const char* name;
  InputArg gradient;
  IntArrayArg size;
  IntArrayArg kernel;
  IntArrayArg dilation;
  IntArrayArg padding;
  IntArrayArg stride;
  OutputArg out;
};
std::shared_ptr<Executor> plan_columns_gradient(const ColumnsGradient& handles);

/// aclnnUnfoldGrad: the gradient of torch.Tensor.unfold along one dim; the window's elements are the gradient's last
/// dim.
std::shared_ptr<Executor> plan_unfold_gradient(const InputArg& gradient, const IntArrayArg& input_sizes,
                                               std::int64_t dim, std::int64_t size, std::int64_t step,
                                               const OutputArg& out);

}  // namespace aclvk::ops
