#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Operators that copy a view of their input, or to a view of their output.

std::shared_ptr<Executor> plan_permute(const void* self, const void* dims, const void* out);
std::shared_ptr<Executor> plan_expand(const void* self, const void* size, const void* out);
std::shared_ptr<Executor> plan_flatten(const void* self, std::int64_t axis, const void* out);
std::shared_ptr<Executor> plan_channel_shuffle(const void* self, std::int64_t groups, const void* out);
/// aclnnConfusionTranspose: permutes and then reshapes to `shape`, or reshapes and then permutes.
std::shared_ptr<Executor> plan_confusion_transpose(const void* x, const void* perm, const void* shape,
                                                   bool transpose_first, const void* out);

/// torch.diag: makes a matrix with the vector on a diagonal, or extracts a diagonal of a matrix.
std::shared_ptr<Executor> plan_diag(const void* self, std::int64_t diagonal, const void* out);
/// torch.diagflat: makes a matrix with the flattened tensor on a diagonal.
std::shared_ptr<Executor> plan_diag_flat(const void* self, std::int64_t diagonal, const void* out);

std::shared_ptr<Executor> plan_split_tensor(const void* self, std::uint64_t sections, std::int64_t dim,
                                            const void* out);
std::shared_ptr<Executor> plan_split_with_size(const void* self, const void* sizes, std::int64_t dim, const void* out);

}  // namespace aclvk::ops
