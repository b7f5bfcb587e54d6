#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor.hpp"

namespace aclvk::ops {

// Operators that are one view of their input, or of their output, copied.

std::shared_ptr<Executor> plan_permute(const void* self, const void* dims, const void* out);
std::shared_ptr<Executor> plan_expand(const void* self, const void* size, const void* out);
std::shared_ptr<Executor> plan_flatten(const void* self, std::int64_t axis, const void* out);
std::shared_ptr<Executor> plan_channel_shuffle(const void* self, std::int64_t groups, const void* out);
/// A permutation and then a reshape to `shape`, or the other way round.
std::shared_ptr<Executor> plan_confusion_transpose(const void* x, const void* perm, const void* shape,
                                                   bool transpose_first, const void* out);

/// A vector becomes the diagonal of a matrix of zeros; a matrix gives its diagonal.
std::shared_ptr<Executor> plan_diag(const void* self, std::int64_t diagonal, const void* out);
/// All elements of a tensor become the diagonal of a matrix.
std::shared_ptr<Executor> plan_diag_flat(const void* self, std::int64_t diagonal, const void* out);

std::shared_ptr<Executor> plan_split_tensor(const void* self, std::uint64_t sections, std::int64_t dim,
                                            const void* out);
std::shared_ptr<Executor> plan_split_with_size(const void* self, const void* sizes, std::int64_t dim, const void* out);

}  // namespace aclvk::ops
