#pragma once

#include "ops/executor/operator.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// torch's PackedSequence: sequences sorted by descending length, and for each step the rows of the sequences that have
// not ended; the rows of consecutive steps are consecutive.

/// Returns for each row of (steps, batch) its packed row, ~0 after the end of a sequence; UINT32 in the workspace.
/// `sizes` are the row counts of the steps, a vector of INT64; `total` is the number of packed rows.
Tensor packed_rows(const char* name, const Tensor& sizes, std::int64_t batch, std::int64_t total, Staging& staging,
                   Kernels& before);

/// Unpacks (total, columns) to `all`, contiguous floats (steps, batch, columns); rows after the end of a sequence
/// become 0.
Kernels unpack_kernels(const char* name, const Tensor& rows, const Tensor& packed, const Tensor& all);
/// Packs `all`.
Kernels pack_kernels(const char* name, const Tensor& rows, const Tensor& all, const Tensor& packed);
/// Overwrites rows of `all` after the end of a sequence by the sequence's row of `state`, (batch, columns).
Kernels fill_ended_kernels(const char* name, const Tensor& rows, const Tensor& state, const Tensor& all);

}  // namespace aclvk::ops
