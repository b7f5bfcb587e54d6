#pragma once

#include <memory>

#include "ops/executor.hpp"
#include "ops/operator.hpp"

namespace aclvk::ops {

/// Where in a sorted row values belong: before equal elements, or, with `right`, behind them.
struct SearchHandles {
  const char* name;
  const char* sorted_name;
  const void* sorted;
  const void* values;  ///< an aclTensor, or an aclScalar
  bool value_is_scalar;
  bool out_int32;
  bool right;
  const void* sorter;  ///< NULL: the row is in order
  const void* out;
};
std::shared_ptr<Executor> plan_search(const SearchHandles& handles);
/// The same in one row for all, which is a vector.
std::shared_ptr<Executor> plan_bucketize(const void* self, const void* boundaries, bool out_int32, bool right,
                                         const void* out);

/// For each number n of the elements of `out`, a vector: how many elements of `sums`, a sorted vector of uint32, are
/// not greater.
Kernels count_sums_kernels(const char* name, const Tensor& out, const Tensor& sums);

/// aclnnIsInTensorScalar: out[n] = self[n] is the scalar. aclnnIsInScalarTensor: out is whether any element is.
std::shared_ptr<Executor> plan_is_in(const char* name, const void* tensor, const char* tensor_name, const void* scalar,
                                     const char* scalar_name, bool any, bool invert, const void* out);

}  // namespace aclvk::ops
