#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnSort, and aclnnArgsort, which has no values (`has_values`).
std::shared_ptr<Executor> plan_sort(const char* name, const InputArg& self, std::int64_t dim, bool descending,
                                    bool has_values, const OutputArg& values, const OutputArg& indices);

/// aclnnTopk: the k highest or lowest elements, in order.
std::shared_ptr<Executor> plan_topk(const InputArg& self, std::int64_t k, std::int64_t dim, bool largest,
                                    const OutputArg& values, const OutputArg& indices);

/// The handles of operators that pick one element of each row.
struct RowHandles {
  const char* name;
  InputArg self;
  std::int64_t dim;
  bool keep_dim;
  OutputArg values;
  OutputArg indices;
};
/// aclnnKthvalue: the k-th lowest element.
std::shared_ptr<Executor> plan_kth_value(const RowHandles& handles, std::int64_t k);
/// aclnnMedianDim and, without NaN, aclnnNanMedianDim: the lower one of the two middle
/// elements when their number is even.
std::shared_ptr<Executor> plan_median_dim(const RowHandles& handles, bool ignores_nan);
/// aclnnMedian, aclnnNanMedian: the median of all elements.
std::shared_ptr<Executor> plan_median(const char* name, bool ignores_nan, const InputArg& self, const OutputArg& out);

}  // namespace aclvk::ops
