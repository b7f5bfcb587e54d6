#pragma once

#include "ops/matmul/products/gemm.hpp"

namespace aclvk::ops {

/// Returns the kernels of a GEMM. One with a large K and few results is computed by split-K: slices of K are products
/// of a batch, whose partial sums in the workspace are added in a fixed order.
Kernels product_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution);

}  // namespace aclvk::ops
