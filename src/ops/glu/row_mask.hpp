#pragma once

#include "ops/glu/halves.hpp"
#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Rows: what a tensor has before the dim that is split. They may have weights, and groups may tell how many of them
// count: the first ones, as many as all groups together have.

/// The sizes of the rows' dims.
Shape rows_of(const Tensor& x, const Halves& halves);

/// 161002 unless `groups` is a vector of INT64. It may be null.
void check_groups(const TensorPtr& groups, const char* name);
/// 161002 unless there is an element for each row; a dim of size 1 may follow. It may be null.
void check_row_weights(const TensorPtr& weights, const char* name, const DTypeSet& dtypes, const Shape& rows);
/// Such a tensor with the dims of the rows alone.
Tensor as_rows(const Tensor& weights, const Shape& rows);

/// A mark for each row, as shaders/glu/row_mask.comp writes them.
struct RowMask {
  Tensor tensor;
  Shape steps;  ///< from mark to mark, for the dims of a part

  /// Whether a row active, as 1 or 0 in FLOAT.
  Tensor active() const;
};
/// `groups` and `weights` may be null.
RowMask make_row_mask(Kernels& kernels, Staging& staging, const char* name, const Shape& rows, std::size_t rank,
                      const Tensor* groups, const Tensor* weights);

}  // namespace aclvk::ops
