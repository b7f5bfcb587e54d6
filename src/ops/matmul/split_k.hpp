#pragma once

#include "ops/matmul/gemm.hpp"

namespace aclvk::ops {

/// The kernels of a product. A deep one with few results is cut along K: the parts are products of their own,
/// whose sums lie in the workspace until they are added up.
Kernels product_kernels(const Gemm& gemm, Staging& staging, runtime::Execution execution);

}  // namespace aclvk::ops
