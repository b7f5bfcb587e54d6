#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/args.hpp"
#include "ops/executor/executor.hpp"

namespace aclvk::ops {

// Operators that copy a view of their input, or to a view of their output.

std::shared_ptr<Executor> plan_permute(const InputArg& self, const IntArrayArg& dims, const OutputArg& out);
std::shared_ptr<Executor> plan_expand(const InputArg& self, const IntArrayArg& size, const OutputArg& out);
std::shared_ptr<Executor> plan_flatten(const InputArg& self, std::int64_t axis, const OutputArg& out);
std::shared_ptr<Executor> plan_channel_shuffle(const InputArg& self, std::int64_t groups, const OutputArg& out);
/// aclnnConfusionTranspose: permutes and then reshapes to `shape`, or reshapes and then permutes.
std::shared_ptr<Executor> plan_confusion_transpose(const InputArg& x, const IntArrayArg& perm, const IntArrayArg& shape,
                                                   bool transpose_first, const OutputArg& out);

/// torch.diag: makes a matrix with the vector on a diagonal, or extracts a diagonal of a matrix.
std::shared_ptr<Executor> plan_diag(const InputArg& self, std::int64_t diagonal, const OutputArg& out);
/// torch.diagflat: makes a matrix with the flattened tensor on a diagonal.
std::shared_ptr<Executor> plan_diag_flat(const InputArg& self, std::int64_t diagonal, const OutputArg& out);

std::shared_ptr<Executor> plan_split_tensor(const InputArg& self, std::uint64_t sections, std::int64_t dim,
                                            const OutputListArg& out);
std::shared_ptr<Executor> plan_split_with_size(const InputArg& self, const IntArrayArg& sizes, std::int64_t dim,
                                               const OutputListArg& out);

}  // namespace aclvk::ops
