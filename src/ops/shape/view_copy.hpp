#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// What the tensors of aclnnViewCopy say of a view of its storage: sizes and strides, a vector each, and the offset,
/// one element. They are in device memory.
struct DescribedView {
  const void* tensor;
  const void* size;
  const void* stride;
  const void* offset;
};
/// aclnnViewCopy: the elements of one view of src's storage become those of a view of dst_out's, in row-major order;
/// before that dst_out is dst. The views are read when the kernel runs.
std::shared_ptr<Executor> plan_view_copy(const DescribedView& dst, const DescribedView& src, const void* dst_out);

}  // namespace aclvk::ops
