#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Concatenation. Tensors of different dtypes are promoted.

std::shared_ptr<Executor> plan_cat(const InputListArg& tensors, std::int64_t dim, const OutputArg& out);
std::shared_ptr<Executor> plan_stack(const InputListArg& tensors, std::int64_t dim, const OutputArg& out);
/// aclnnChunkCat: splits each tensor into chunks along a dim, pads the last one with zeros, and concatenates the chunks
/// of all tensors with the same number.
std::shared_ptr<Executor> plan_chunk_cat(const InputListArg& tensors, std::int64_t dim, std::int64_t chunks,
                                         const OutputArg& out);

}  // namespace aclvk::ops
