#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "runtime/context/execution.hpp"

namespace aclvk::ops {

// Sorting of rows, for all operators that need it: a stable merge sort. A workgroup sorts runs of at most 2048
// elements, which are then merged pairwise. Elements that are not picked are not merged.

/// Which elements of a sorted row are picked: kPick of shaders/sort/pick.comp.
enum class Pick : std::uint32_t {
  kLeading = 0,          ///< `first`, first + 1, ...
  kMiddleOfNumbers = 1,  ///< one: the median of the elements that are not NaN, the lower one of two
  kNanOrFirst = 2,       ///< one: NaN if there is one (sorted lowest), else `first`
};

/// A sort, and the elements that it picks.
struct SortCall {
  const char* name = nullptr;
  Tensor self;          ///< at least one dim
  std::size_t dim = 0;  ///< the dim of rows
  bool descending = false;
  bool nan_lowest = false;  ///< false: NaN is greater than all numbers
  Pick pick = Pick::kLeading;
  std::int64_t first = 0;
  // The results, at least one of them; null when not wanted. Their shape is that of self, with the number of picked
  // elements along dim.
  const Tensor* values = nullptr;   ///< of the dtype of self
  const Tensor* indices = nullptr;  ///< of any integer dtype
  runtime::Execution execution;
};

/// Throws 161002 for more elements than a kernel can index.
Kernels sort_kernels(const SortCall& call, Staging& staging);

}  // namespace aclvk::ops
