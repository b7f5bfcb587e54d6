#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Tensors one behind the other. They may have different dtypes: the result has the promoted one.

std::shared_ptr<Executor> plan_cat(const void* tensors, std::int64_t dim, const void* out);
std::shared_ptr<Executor> plan_stack(const void* tensors, std::int64_t dim, const void* out);
/// Each tensor is cut into chunks along a dim, the last one filled up with zeros; out has the chunks of all tensors
/// with the same number behind each other.
std::shared_ptr<Executor> plan_chunk_cat(const void* tensors, std::int64_t dim, std::int64_t chunks, const void* out);

}  // namespace aclvk::ops
