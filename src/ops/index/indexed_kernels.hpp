#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "ops/dtype_sets.hpp"
#include "ops/operator.hpp"
#include "ops/strided.hpp"

namespace aclvk::ops {

// Indices become places: what shaders/common/indices.glsl reads. An index below zero counts from the end where
// `from_end` says so; what has no place reads as 0 and writes nothing.

/// What counts as an index; uint32 ones come from kernels of our own.
struct IndexRange {
  std::int64_t size = 0;    ///< places there are
  std::int64_t stride = 0;  ///< elements from one to the next
  bool from_end = true;
};

/// IndexRange that hold every number of an element.
constexpr std::int64_t kUnboundedIndexSize = 0xFFFFFFFF;

/// What numbers of elements in some dims are below. Such numbers come from the workspace: nothing else is read or
/// written when somebody else has written there.
template <typename IsIndexed>
IndexRange index_range_of_dims(const Tensor& tensor, IsIndexed is_indexed) {
  if (tensor.empty()) return {0, 1, false};
  std::int64_t reach = 1;
  for (std::size_t dim = 0; dim < tensor.shape.size(); ++dim) {
    if (is_indexed(dim)) reach += (tensor.shape[dim] - 1) * tensor.strides[dim];
  }
  return {std::min(reach, kUnboundedIndexSize), 1, false};
}

/// out = source[lane's place + index * stride]. `steps`: what a step of each dim of out adds to the lane's place. The
/// index broadcasts to the shape of out.
struct GatherCall {
  const char* name;
  const Tensor* source;
  const Shape* steps;
  const Tensor* index;
  const Tensor* out;
  IndexRange range;
};
Kernels gather_kernels(const GatherCall& call);

/// One of several indices, and what it counts. An index may be the number of an element in several dims: then it is
/// given once for each of them, with the elements of the dims behind it and of all of them.
struct PartialIndex {
  Tensor index;
  IndexRange range;
  std::int64_t inner = 0;
  std::int64_t total = 0;
};

/// The number of the element that several indices mean together, of the shape to which they broadcast, into `out`
/// (uint32, row-major).
Kernels linearize_kernels(const char* name, const Tensor& out, const std::vector<PartialIndex>& indices);

/// How a scatter changes what is there: kCombination of shaders/index/scatter.comp.
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

/// For j from 0 to count - 1 in this order, out[place + index[j] * stride] is combined with source[j], at once for all
/// columns. The steps are those of a column's place in each tensor.
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
  bool indexed = true;            ///< else the index only fills its place, and columns are where they belong
};
Kernels scatter_kernels(const ScatterCall& call);

/// Each element of the index, a vector, changes a slice of out by one of source, or by its only element (`constant`).
ScatterCall scatter_slices(const char* name, Combination combination, const Tensor& out, std::size_t dim,
                           const Tensor& index, const Tensor& source, bool constant = false);

/// Row n of the source changes the elements of out that begin at the number `numbers` has for it (row-major, of an
/// element of out); `out_steps` lead from one to the next.
ScatterCall scatter_row_list(const char* name, Combination combination, const Tensor& out, const Shape& out_steps,
                             const Tensor& numbers, const Tensor& source, IndexRange range);

/// out = out combined with source, element by element. Both have the same shape and dtype.
Kernels pointwise_kernels(const char* name, Combination combination, const Tensor& out, const Tensor& source);

/// z[n] = x[0] + ... + x[n] (uint32). One element of x counts for all of them.
runtime::Kernel running_sum_kernel(const char* name, const Tensor& out, const Tensor& input);

void check_index(const Tensor& index, const char* name);
/// Throws 161002 when there is nothing to take elements from.
void check_source(const Tensor& source, const char* name, const Tensor& out);

}  // namespace aclvk::ops
