#pragma once

#include <cstdint>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

/// Slices of a tensor: the rows of a contiguous matrix, and their order.
struct Slices {
  const char* name = nullptr;
  Tensor matrix;          ///< {rows, columns}, of a real dtype
  Tensor order;           ///< row indices (UINT32)
  bool unordered = true;  ///< rows are in their original order, and `order` is not written

  std::int64_t rows() const { return matrix.shape[0]; }
  std::int64_t columns() const { return matrix.shape[1]; }
};

/// Sorts slices lexicographically; NaN is greater than all numbers. Stable merge sort.
Slices sorted(const Slices& slices, Kernels& kernels, Staging& staging, runtime::Execution execution);

/// Writes to `changes` (INT32) 1 for the first slice and for each that differs from its predecessor, else 0. NaN
/// differs from everything.
Kernels change_kernels(const Slices& slices, const Tensor& changes);

/// Writes to `ranks` (INT32) for each row the number of its run of equal slices. `sums` are the running sums of the
/// changes.
Kernels rank_kernels(const Slices& slices, const Tensor& sums, const Tensor& ranks);

}  // namespace aclvk::ops
