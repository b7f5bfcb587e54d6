#pragma once

#include <cstddef>
#include <cstdint>

#include "ops/operator.hpp"
#include "ops/staging.hpp"
#include "runtime/device/execution.hpp"

namespace aclvk::ops {

// Rows in order, for all operators that need it: runs of at most 2048 elements are sorted in a workgroup, then merged
// two and two. Stable, and the same in each run. What nobody picks is not merged.

/// Which elements of a sorted row are picked: kPick of shaders/sort/pick.comp.
enum class Pick : std::uint32_t {
  kLeading = 0,          ///< `first`, first + 1, ...
  kMiddleOfNumbers = 1,  ///< one: the middle of those that are not NaN, the lower one of two
  kNanOrFirst = 2,       ///< one: NaN if there is any, which is the lowest here; else `first`
};

/// What is sorted, and what is picked of it.
struct SortCall {
  const char* name = nullptr;
  Tensor self;          ///< has a dim, unlike a scalar
  std::size_t dim = 0;  ///< along which rows lie
  bool descending = false;
  bool nan_lowest = false;  ///< else NaN is greater than all numbers
  Pick pick = Pick::kLeading;
  std::int64_t first = 0;
  // Where elements and their places go, at least one; null where they are not wanted. The shape is that of self, but
  // along dim the number of elements that are picked.
  const Tensor* values = nullptr;   ///< of the dtype of self
  const Tensor* indices = nullptr;  ///< any integer
  runtime::Execution execution;
};

/// 161002 for more elements than a kernel reaches.
Kernels sort_kernels(const SortCall& call, Staging& staging);

}  // namespace aclvk::ops
