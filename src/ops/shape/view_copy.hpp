#pragma once

#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// A view of a tensor's storage that tensors in device memory describe: sizes and strides are vectors, the offset is
/// one element.
struct DescribedView {
  const void* tensor;
  const void* size;
  const void* stride;
  const void* offset;
};
/// aclnnViewCopy: copies dst to dst_out, then a view of src's storage to a view of dst_out's, in row-major order. The
/// kernel reads the descriptions when it runs.
std::shared_ptr<Executor> plan_view_copy(const DescribedView& dst, const DescribedView& src, const void* dst_out);

}  // namespace aclvk::ops
