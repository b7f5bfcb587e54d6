#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"
#include "ops/index/indexed_kernels.hpp"

namespace aclvk::ops {

// Scatters of whole rows or single elements. Where several indices mean one place, the order is that of the indices.

/// var[indices[i]] is combined with updates[i], as TensorFlow's scatter operators do.
std::shared_ptr<Executor> plan_row_scatter(const char* name, Combination combination, const void* var,
                                           const void* indices, const void* updates);

/// selfRef, its elements counted in row-major order, at index[i] becomes source[i], or is added to it.
std::shared_ptr<Executor> plan_put(const void* self, const void* index, const void* source, bool accumulate);

/// data[b, .., indices[b] + s, ..] = updates[b, .., s, ..] along axis.
std::shared_ptr<Executor> plan_scatter_update(const void* data, const void* indices, const void* updates,
                                              std::int64_t axis);

/// The same as kernels, and what is checked of shapes: 161002, or the axis.
std::size_t check_update(const Tensor& data, const char* data_name, const Tensor& indices, const Tensor& updates,
                         std::int64_t axis);
Kernels update_kernels(const char* name, const Tensor& data, const Tensor& indices, const Tensor& updates,
                       std::size_t along);

/// Element c along axis is onValue where self is c, else offValue.
std::shared_ptr<Executor> plan_one_hot(const void* self, int classes, const void* on, const void* off,
                                       std::int64_t axis, const void* out);

}  // namespace aclvk::ops
