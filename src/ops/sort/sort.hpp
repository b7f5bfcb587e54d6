#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnSort, and aclnnArgsort, which has no values (`has_values`).
std::shared_ptr<Executor> plan_sort(const char* name, const void* self, std::int64_t dim, bool descending,
                                    bool has_values, const void* values, const void* indices, const char* indices_name);

/// aclnnTopk: the k highest or lowest elements, in order.
std::shared_ptr<Executor> plan_topk(const void* self, std::int64_t k, std::int64_t dim, bool largest,
                                    const void* values, const void* indices);

/// The handles of operators that pick one element of each row.
struct RowHandles {
  const char* name;
  const void* self;
  std::int64_t dim;
  bool keep_dim;
  const void* values;
  const void* indices;
};
/// aclnnKthvalue: the k-th lowest element.
std::shared_ptr<Executor> plan_kth_value(const RowHandles& handles, std::int64_t k);
/// aclnnMedianDim and, without NaN, aclnnNanMedianDim: the lower one of the two middle
/// elements when their number is even.
std::shared_ptr<Executor> plan_median_dim(const RowHandles& handles, bool ignores_nan);
/// aclnnMedian, aclnnNanMedian: the median of all elements.
std::shared_ptr<Executor> plan_median(const char* name, bool ignores_nan, const void* self, const void* out,
                                      const char* out_name);

}  // namespace aclvk::ops
