#pragma once

#include <cstdint>

#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

/// Slices of a tensor: the rows of a matrix without gaps, in some order.
struct Slices {
  const char* name = nullptr;
  Tensor matrix;          ///< {rows, columns}, of a real dtype
  Tensor order;           ///< UINT32 numbers of rows
  bool unordered = true;  ///< rows are in the order of their numbers, and `order` is not filled

  std::int64_t rows() const { return matrix.shape[0]; }
  std::int64_t columns() const { return matrix.shape[1]; }
};

/// The same in lexicographic order; NaN is greater than all numbers. Stable.
Slices sorted(const Slices& slices, Kernels& kernels, Staging& staging, runtime::Execution execution);

/// Into `changes` (INT32): 1 for the first slice and for each that differs from the one before it in the order, else 0.
/// NaN differs from everything.
Kernels change_kernels(const Slices& slices, const Tensor& changes);

/// Into `ranks` (INT32), for each row: the run of equals that it belongs to, when `sums` counts those that have begun.
Kernels rank_kernels(const Slices& slices, const Tensor& sums, const Tensor& ranks);

}  // namespace aclvk::ops
