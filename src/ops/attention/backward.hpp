#pragma once

#include "ops/attention/flash.hpp"
#include "ops/staging.hpp"

namespace aclvk::ops {

/// The gradients of attention (flash.hpp), with what its forward pass has left of each row. Tensors have the same four
/// dims, and eights.
struct AttentionGradient {
  Attention forward;  ///< `out` is the gradient dY of the result; no table, padding, sinks
  Tensor row_stats;   ///< float, of row_stats_kernels(): sequences, heads, tokens, 4
  Tensor dq;
  Tensor dk;
  Tensor dv;
};

/// For each row of queries its top, 1 over its sum, and the sum of dY * Y over its columns.
Kernels row_stats_kernels(const char* name, const Tensor& dy, const Tensor& y, const Tensor& row_max,
                          const Tensor& row_sum, const Tensor& row_stats);

/// Whether gradients of queries (or of keys and values) take so many turns that several kernels go through them one
/// after the other. Their sums then wait in the results, which are float.
bool needs_several_kernels(const Attention& attention, bool of_keys);

/// Sums are made in float, in the same order in each run. Tokens that belong to no sequence are left alone.
Kernels gradient_kernels(const AttentionGradient& gradient, runtime::Execution execution);

}  // namespace aclvk::ops
