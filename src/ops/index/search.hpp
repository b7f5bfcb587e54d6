#pragma once

#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"

namespace aclvk::ops {

/// torch.searchsorted: the insertion points of values in sorted rows, before equal elements or, with `right`, after
/// them.
struct SearchHandles {
  const char* name;
  InputArg sorted;
  InputArg values;
  ScalarArg value;  ///< in place of values, which has no name then
  bool out_int32;
  bool right;
  InputArg sorter;  ///< NULL: the rows are sorted
  OutputArg out;
};
std::shared_ptr<Executor> plan_search(const SearchHandles& handles);

/// out[n] = the number of elements of `sums`, a sorted UINT32 vector, that are at most n. With the running sums of a
/// mask this is stream compaction: out[n] is the index at which the sums reach n + 1, or the number of sums if none
/// does.
Kernels count_sums_kernels(const char* name, const Tensor& out, const Tensor& sums);

/// aclnnIsInTensorScalar: out[n] = (self[n] == scalar). aclnnIsInScalarTensor: out = any element equals the scalar.
std::shared_ptr<Executor> plan_is_in(const char* name, const InputArg& tensor, const ScalarArg& scalar, bool any,
                                     bool invert, const OutputArg& out);

}  // namespace aclvk::ops
