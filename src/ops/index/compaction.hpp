#pragma once

#include <cstdint>
#include <memory>

#include "ops/executor/executor.hpp"
#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"
#include "ops/tensor/dtype_sets.hpp"

namespace aclvk::ops {

// Operators that select elements by a condition, in row-major order (stream compaction). The length of the result is
// dynamic (ops/executor/dynamic_length.hpp).

/// aclnnNonzero and aclnnNonzeroV2 (`by_dim`): the coordinates of nonzero elements, as rows of the result or, by dim,
/// as columns.
std::shared_ptr<Executor> plan_nonzero(const char* name, const InputArg& self, bool by_dim, const OutputArg& out);

// Masks, shared with other operators.

constexpr DTypeSet kMasks = kBools.with({DType::kUint8});
/// Views a UINT8 mask as BOOL: nonzero elements are true.
Tensor as_bool(Tensor mask);
/// Throws 161002 for more than kMaxCounted elements.
void check_countable(std::int64_t elements, const char* name);
/// Returns the inclusive running sums of `flags` (INT32, a vector). Requires at least one element.
Tensor sums_of(Kernels& kernels, const char* name, const Tensor& flags, Staging& staging);

}  // namespace aclvk::ops
