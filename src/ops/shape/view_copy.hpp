#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// A view of a tensor's storage that tensors in device memory describe: sizes and strides are vectors, the offset is
/// one element.
struct DescribedView {
  InputArg tensor;
  InputArg size;
  InputArg stride;
  InputArg offset;
};
/// aclnnViewCopy: copies dst to dst_out, then a view of src's storage to a view of dst_out's, in row-major order. The
/// kernel reads the descriptions when it runs.
std::shared_ptr<Executor> plan_view_copy(const DescribedView& dst, const DescribedView& src, const InputArg& dst_out);

}  // namespace aclvk::ops
