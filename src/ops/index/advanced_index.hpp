#pragma once

#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

/// aclnnIndex: self[i0, i1, ...] as in Python. What is NULL or no index (an empty tensor of the dtype of self) in the
/// list takes the whole dim; a mask of bool or uint8 stands for as many dims as it has, and takes the elements that are
/// not 0. How many these are follows from the shape of out, or of values.
std::shared_ptr<Executor> plan_index(const void* self, const void* indices, const void* out);
/// aclnnIndexPutImpl: the same elements become values, which broadcast, or they are added.
std::shared_ptr<Executor> plan_index_put(const void* self, const void* indices, const void* values, bool accumulate);

}  // namespace aclvk::ops
