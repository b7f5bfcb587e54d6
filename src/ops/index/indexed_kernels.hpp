#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ops/executor/operator.hpp"
#include "ops/kernel/strided.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {

// Gather and scatter kernels. Indices are resolved by shaders/common/indices.glsl. An out-of-range index gathers 0 and
// scatters nothing.

/// The valid values of an index. UINT32 indices are intermediate results of other kernels.
struct IndexRange {
  std::int64_t size = 0;    ///< indices are below this
  std::int64_t stride = 0;  ///< elements per index
  /// Negative indices count from the end.
  bool from_end = true;
};

/// The size of a range that accepts every element index.
constexpr std::int64_t kUnboundedIndexSize = 0xFFFFFFFF;

/// The range of linear element indices over some dims of a tensor. Such indices come from the workspace, which a
/// program may overwrite; the range keeps accesses inside of the tensor.
template <typename IsIndexed>
IndexRange index_range_of_dims(const Tensor& tensor, IsIndexed is_indexed) {
  if (tensor.empty()) return {0, 1, false};
  std::int64_t reach = 1;
  for (std::size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    if (is_indexed(dim)) reach += (tensor.shape[dim] - 1) * tensor.strides[dim];
  }
  return {std::min(reach, kUnboundedIndexSize), 1, false};
}

/// out = source[start + index * stride]. `steps` are the strides of `start` over the dims of out. The index broadcasts
/// to the shape of out.
struct GatherCall {
  const char* name;
  const Tensor* source;
  const Shape* steps;
  const Tensor* index;
  const Tensor* out;
  IndexRange range;
};
Kernels gather_kernels(const GatherCall& call);

/// One of several indices that together address an element. For a linear index over several dims there is one entry per
/// dim, with the number of elements of the dims after it (`inner`) and of all of them (`total`).
struct PartialIndex {
  Tensor index;
  IndexRange range;
  std::int64_t inner = 0;
  std::int64_t total = 0;
};

/// Computes the linear element index from several indices, which broadcast, into `out` (UINT32, row-major).
Kernels linearize_kernels(const char* name, const Tensor& out, const std::vector<PartialIndex>& indices);

/// The operation with which a scatter combines the target with the source: kCombination of shaders/index/scatter.comp.
enum class Combination : std::uint32_t {
  kAssign = 0,
  kAdd = 1,
  kMultiply = 2,
  kMaximum = 3,
  kMinimum = 4,
  kDivide = 5,
  kAddScaled = 6,
  kDivideFloor = 7,
};

/// For each column in parallel, and j from 0 to count - 1 in this order: combines out[start + index[j] * stride] with
/// source[j]. The steps are the strides of a column's start in each tensor over the dims of `columns`.
struct ScatterCall {
  const char* name = nullptr;
  Combination combination = Combination::kAssign;
  Tensor out;
  Tensor index;
  Tensor source;
  Shape columns;
  Shape out_steps;
  Shape index_steps;
  Shape source_steps;
  std::int64_t count = 0;
  std::int64_t index_step = 0;
  std::int64_t source_step = 0;
  IndexRange range;
  const Scalar* scale = nullptr;  ///< of kAddScaled
  bool indexed = true;            ///< false: the index is not read, and columns are combined at their own positions
};
Kernels scatter_kernels(const ScatterCall& call);

/// Combines slice index[j] of out with slice j of source, or with the only element of source (`constant`).
ScatterCall scatter_slices(const char* name, Combination combination, const Tensor& out, std::size_t dim,
                           const Tensor& index, const Tensor& source, bool constant = false);

/// Combines row n of source with the elements of out from linear index numbers[n] on, which have the strides
/// `out_steps`.
ScatterCall scatter_row_list(const char* name, Combination combination, const Tensor& out, const Shape& out_steps,
                             const Tensor& numbers, const Tensor& source, IndexRange range);

/// Combines out with source element by element. Both have the same shape and dtype.
Kernels pointwise_kernels(const char* name, Combination combination, const Tensor& out, const Tensor& source);

/// z[n] = x[0] + ... + x[n] (UINT32). A single element of x is broadcast.
runtime::Kernel running_sum_kernel(const char* name, const Tensor& out, const Tensor& input);

void check_index(const Tensor& index, const char* name);
/// Throws 161002 for an empty source unless out is empty, too.
void check_source(const Tensor& source, const char* name, const Tensor& out);

}  // namespace aclvk::ops
