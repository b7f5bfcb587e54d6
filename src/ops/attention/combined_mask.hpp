#pragma once

#include "ops/attention/plan.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

// Which weights are dropped: a bit for each pair of a query and a key, 1 for what is kept, the lowest first; keys, then
// queries, heads and sequences follow each other, as many as each sequence has.

/// That dropMask has them all (161002).
void check_drop_mask(const AttentionPlan& plan);

/// For each pair a byte (sequences, heads, queries, keys): 1 where it is hidden, 2 where it is dropped, 3 both. `mask`
/// has the same dims, with stride 0 where it repeats.
Tensor combined_mask_of(const AttentionPlan& plan, const Tensor& drop_mask, const Tensor* mask, std::int64_t queries,
                        std::int64_t keys, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
