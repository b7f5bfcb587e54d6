#pragma once

#include "ops/executor/operator.hpp"
#include "ops/glu/halves.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// A row is an index of the dims before the one that is split. Rows may have weights. `groups` are group sizes (tokens
// for each expert of a mixture of experts): only the first sum(groups) rows are active.

/// Returns the sizes of the dims that number the rows.
Shape rows_of(const Tensor& x, const Halves& halves);

/// 161002 unless `groups` is a vector of INT64. Null is accepted.
void check_groups(const TensorPtr& groups, const char* name);
/// 161002 unless there is an element for each row; a last dim of size 1 is accepted, and so is null.
void check_row_weights(const TensorPtr& weights, const char* name, const DTypeSet& dtypes, const Shape& rows);
/// Returns row weights without that last dim of size 1.
Tensor as_rows(const Tensor& weights, const Shape& rows);

/// The mask and the weight of each row, as shaders/glu/row_mask.comp writes them: two floats in an element of 8 bytes.
struct RowMask {
  Tensor tensor;
  Shape steps;  ///< strides of `tensor` for the dims of a half; 0 for dims after the rows'

  /// The mask alone, a FLOAT view: 1 for an active row, else 0.
  Tensor active() const;
};
/// Adds the kernels that make the mask. `groups` and `weights` may be null: then all rows are active, or weigh 1.
RowMask make_row_mask(Kernels& kernels, Staging& staging, const char* name, const Shape& rows, std::size_t rank,
                      const Tensor* groups, const Tensor* weights);

}  // namespace aclvk::ops
