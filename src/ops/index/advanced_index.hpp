#pragma once

#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

/// aclnnIndex: self[i0, i1, ...] as in Python. A member that is NULL, or an empty tensor of the dtype of
/// self, selects the whole dim. A mask of BOOL or UINT8 covers as many dims as it has, and selects its nonzero
/// elements; their number follows from the shape of out, or of values.
std::shared_ptr<Executor> plan_index(const InputArg& self, const InputListArg& indices, const OutputArg& out);
/// aclnnIndexPutImpl: replaces the elements that aclnnIndex selects by values, which broadcast, or adds values to them.
std::shared_ptr<Executor> plan_index_put(const UpdatedArg& self, const InputListArg& indices, const InputArg& values,
                                         bool accumulate);

}  // namespace aclvk::ops
