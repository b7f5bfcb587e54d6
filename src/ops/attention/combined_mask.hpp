#pragma once

#include "ops/attention/plan.hpp"
#include "ops/kernel/staging.hpp"

namespace aclvk::ops {

// dropMask has one bit for each pair of a query and a key, the lowest bit of a byte first: 1 keeps the weight, 0 drops
// it. Keys are innermost, then queries, heads and sequences, each with the actual lengths of its sequence.

/// Checks that dropMask has a bit for each pair (161002).
void check_drop_mask(const AttentionPlan& plan);

/// Returns a byte for each pair (sequences, heads, queries, keys): bit 0 hides the key, bit 1 drops the weight. `mask`,
/// the attention mask or null, has the same dims, with stride 0 where it broadcasts.
Tensor combined_mask_of(const AttentionPlan& plan, const Tensor& drop_mask, const Tensor* mask, std::int64_t queries,
                        std::int64_t keys, Staging& staging, Kernels& before);

}  // namespace aclvk::ops
