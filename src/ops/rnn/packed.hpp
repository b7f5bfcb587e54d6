#pragma once

#include "ops/operator.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Packed sequences, as PyTorch has them: a batch of sequences, the longest first, of which each step has as many rows
// as sequences go on. The rows of a step follow those of the step before.

/// The packed row of each row of (steps, batch), or ~0 where a sequence has ended: UINT32 in the workspace. `sizes` are
/// the rows of the steps, a vector of INT64; `total` is the number of packed rows.
Tensor packed_rows(const char* name, const Tensor& sizes, std::int64_t batch, std::int64_t total, Staging& staging,
                   Kernels& before);

/// `all`, contiguous floats of (steps, batch, columns), from packed rows, (total, columns). What has ended is 0.
Kernels unpack_kernels(const char* name, const Tensor& rows, const Tensor& packed, const Tensor& all);
/// And back.
Kernels pack_kernels(const char* name, const Tensor& rows, const Tensor& all, const Tensor& packed);
/// What has ended becomes the row of its sequence in `state`, (batch, columns).
Kernels fill_ended_kernels(const char* name, const Tensor& rows, const Tensor& state, const Tensor& all);

}  // namespace aclvk::ops
