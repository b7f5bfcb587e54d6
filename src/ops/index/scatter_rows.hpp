#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"
#include "ops/index/indexed_kernels.hpp"

namespace aclvk::ops {

// Scatters of whole rows or single elements. Several indices of one target are applied in order.

/// Combines var[indices[i]] with updates[i], like TensorFlow's scatter operators.
std::shared_ptr<Executor> plan_row_scatter(const char* name, Combination combination, const UpdatedArg& var,
                                           const InputArg& indices, const InputArg& updates);

/// data[b, .., indices[b] + s, ..] = updates[b, .., s, ..] along axis.
std::shared_ptr<Executor> plan_scatter_update(const OutputArg& data, const InputArg& indices, const InputArg& updates,
                                              std::int64_t axis);

/// The checks of shapes (161002), which return the axis, and the kernels of plan_scatter_update().
std::size_t check_update(const Tensor& data, const char* data_name, const Tensor& indices, const Tensor& updates,
                         std::int64_t axis);
Kernels update_kernels(const char* name, const Tensor& data, const Tensor& indices, const Tensor& updates,
                       std::size_t along);

}  // namespace aclvk::ops
