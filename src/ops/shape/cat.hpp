#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Concatenation. Tensors of different dtypes are promoted.

std::shared_ptr<Executor> plan_cat(const void* tensors, std::int64_t dim, const void* out);
std::shared_ptr<Executor> plan_stack(const void* tensors, std::int64_t dim, const void* out);
/// aclnnChunkCat: splits each tensor into chunks along a dim, pads the last one with zeros, and concatenates the chunks
/// of all tensors with the same number.
std::shared_ptr<Executor> plan_chunk_cat(const void* tensors, std::int64_t dim, std::int64_t chunks, const void* out);

}  // namespace aclvk::ops
